"""The rules of a variant as the referee applies them: all headings, or the one that a verdict named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any  # Any: JSON

from companion import words
from companion.rules import HEADINGS, Position, Section, Verdict, find_variant, played, rule_section, rulebook
from companion.ui.desk import Desk
from maps import Trouble, WildCard


@dataclass(frozen=True)
class Told:
    """A heading with what stands under it."""

    rule: str
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Quoted:
    """A rule that a verdict names, with its title."""

    rule: str
    title: str


def quoted(desk: Desk, position: Position, *verdicts: Verdict | None) -> tuple[Quoted, ...]:
    """The rules that speak against what was done, each once."""
    names = dict.fromkeys(r.rule.id for v in verdicts if v is not None for r in v.reasons)
    wild = position.board.cards.wild
    return tuple(Quoted(name, words.section_title(name, desk.language, wild)) for name in names)


class RulesModel:
    """`rule`: the heading that is open, "" for none; `alone`: only that one is shown, for somebody asked for it."""

    def __init__(self, desk: Desk, variant: str, rule: str = "", extras: Mapping[str, Any] | None = None) -> None:
        self.desk = desk
        self.extras = dict(extras or {"options": {}, "modules": []})
        known, self.board = find_variant(variant)
        self.variant = played(known, self.extras["options"], self.extras["modules"])
        self.rule, self.alone = rule, bool(rule)

    @classmethod
    def of_game(cls, desk: Desk, position: Position, rule: str = "") -> RulesModel:
        """The rules that a game is played by, with its house options and modules."""
        extras = {"options": dict(position.options), "modules": list(position.modules)}
        return cls(desk, position.variant.id, rule, extras)

    def to_json(self) -> dict[str, Any]:
        return {"variant": self.variant.id, "rule": self.rule, "alone": self.alone, "extras": self.extras}

    @classmethod
    def from_json(cls, desk: Desk, data: Mapping[str, Any]) -> RulesModel:
        """As it was left; Trouble if its variant is there no more."""
        extras = data["extras"]
        if not isinstance(extras, Mapping) or not {"options", "modules"} <= set(extras):
            raise Trouble("no-such-rule", value=str(data["rule"]), known=", ".join(HEADINGS))
        found = cls(desk, str(data["variant"]), "", extras)
        known = {s.rule for s in rulebook(found.variant, found.board)} | set(HEADINGS)
        found.rule = str(data["rule"]) if data["rule"] in known else ""
        found.alone = bool(data["alone"]) and bool(found.rule)
        return found

    @property
    def wild(self) -> WildCard:
        return self.board.cards.wild

    @property
    def name(self) -> str:
        if self.variant.own:
            return self.board.name(self.desk.language)
        return self.variant.name(self.desk.language)

    def shown(self) -> list[Told]:
        """What is shown: every heading, or the one that was asked for."""
        if self.alone:
            return [self._told(rule_section(self.rule, self.variant, self.board))]
        return [self._told(section) for section in rulebook(self.variant, self.board)]

    def _told(self, section: Section) -> Told:
        language, wild = self.desk.language, self.wild
        sentences = tuple(words.rule_told(section, language, wild))
        return Told(section.rule, words.section_title(section.rule, language, wild), sentences)

    def open(self, rule: str) -> None:
        """Opens a heading, or closes the one that is open."""
        self.rule = "" if rule == self.rule else rule

    def show_all(self) -> None:
        """From one rule to all of them; it stays open."""
        self.alone = False
