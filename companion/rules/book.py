"""A variant's rule book in our own words, made of what the table and its parts tell; every verdict's rule is in one."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.table.book import Section, common, line, section, ties
from companion.rules.table.variant import Variant
from companion.rules.table.verdict import Heading, Rule
from companion.rules.variants import MODULES, OPTIONS, VARIANTS, Module, find_variant
from maps import Board

# Every heading that a verdict can quote, by its id.
HEADINGS: dict[str, Heading] = {h.id: h for h in vars(Rule).values() if isinstance(h, Heading)}
# In the order in which somebody learns a game.
ORDER = (
    "setup", "turn", "drawing", "team-cards", "claiming", "groups", "team-groups", "stand-ins", "ferry", "tunnel",
    "mountain", "technologies", "buying", "shares", "tourists", "station", "depots", "tickets", "team-tickets", "end",
    "scoring", "choices", "options", "unsure",
)  # fmt: skip


def rulebook(variant: Variant, board: Board) -> tuple[Section, ...]:
    """The rules of a variant as it is refereed, heading by heading."""
    options = (line("option", name=OPTIONS[o].name, about=OPTIONS[o].about) for o in variant.options)
    of_parts = (s for part in variant.parts for s in part.book(variant, board))
    told = [*common(variant, board), *of_parts, ties(variant), section("options", *options)]
    return _in_order(told)


def module_book(module: Module) -> tuple[Section, ...]:
    """What a module adds to any variant."""
    any_variant = next(iter(VARIANTS.values()))
    board = find_variant(any_variant.id)[1]
    choices = (line("text", text=choice) for part in module.parts for choice in part.choices())
    told = [s for part in module.parts for s in part.book(any_variant, board)]
    return _in_order([*told, section("choices", *choices)])


def _in_order(told: Sequence[Section]) -> tuple[Section, ...]:
    found = {rule: tuple(m for s in told if s.rule == rule for m in s.told) for rule in ORDER}
    return tuple(Section(rule, sentences) for rule, sentences in found.items() if sentences)


def rule_section(rule: str, variant: Variant, board: Board) -> Section:
    """What stands under a heading: in this variant's rules, else in the first that has it, which it says."""
    own = {s.rule: s for s in rulebook(variant, board)}
    if rule in own:
        return own[rule]
    books = (*(rulebook(*find_variant(v)) for v in VARIANTS), *map(module_book, MODULES.values()))
    found = next(s for book in books for s in book if s.rule == rule)
    return Section(rule, (line("elsewhere"), *found.told))
