"""`companion rules`: how a variant is refereed, the rule that a verdict quotes, and all pages of docs/rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any  # Any: JSON

from companion.cli.output import DONE, Output
from companion.rules import HEADINGS, MODULES, VARIANTS, Section, find_variant, module_book, rule_section, rulebook
from companion.words import rule_told, rules_pages, rules_text, section_title
from maps import LOCOMOTIVES, Trouble, WildCard, nearest


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--variant", metavar="VARIANT")
    parser.add_argument("--rule", metavar="RULE")
    parser.add_argument("--out", metavar="FOLDER")


def run(args: argparse.Namespace, out: Output) -> int:
    if args.out is not None:
        return _write(Path(args.out), out)
    if args.variant is None and args.rule is None:
        return _list(out)
    sections, wild = _sections(args.variant, args.rule)
    if out.as_json:
        out.document({"variant": args.variant, "sections": [_told(s, out.language, wild) for s in sections]})
    else:
        out.text(rules_text(sections, out.language, wild))
    return DONE


def _sections(variant: str | None, rule: str | None) -> tuple[tuple[Section, ...], WildCard]:
    if variant in MODULES and rule is None:
        return module_book(MODULES[variant]), LOCOMOTIVES
    known, board = find_variant(next(iter(VARIANTS)) if variant is None or variant in MODULES else variant)
    if rule is None:
        return rulebook(known, board), board.cards.wild
    found = tuple(rule_section(r, known, board) for r in _rules(rule))
    return found, board.cards.wild


def _rules(wanted: str) -> list[str]:
    """The ids of a heading: itself, or all that a verdict's heading stands for."""
    found = [id_ for id_, heading in HEADINGS.items() if wanted in (id_, heading)]
    if not found:
        meant = nearest(wanted, tuple(HEADINGS))
        if meant:
            raise Trouble("unknown-rule", value=wanted, meant=meant)
        raise Trouble("no-such-rule", value=wanted, known=", ".join(HEADINGS))
    return found


def _told(section: Section, language: str, wild: WildCard) -> dict[str, Any]:
    heading = HEADINGS.get(section.rule)
    return {
        "rule": section.rule,
        "heading": heading if heading is None else str(heading),
        "title": section_title(section.rule, language, wild),
        "text": rule_told(section, language, wild),
    }


def _list(out: Output) -> int:
    names = {v.id: v.name for v in VARIANTS.values()} | {m.id: m.name for m in MODULES.values()}
    if out.as_json:
        out.document({"variants": [{"id": i, "name": name(out.language)} for i, name in names.items()]})
    else:
        out.text("\n".join(out.say("cli.rules.line", id=i, name=name) for i, name in names.items()))
    return DONE


def _write(folder: Path, out: Output) -> int:
    written = []
    for path, text in rules_pages():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written.append(path)
    if out.as_json:
        out.document({"folder": str(folder), "pages": written})
    else:
        out.text(out.say("cli.rules.written", n=len(written), folder=folder))
    return DONE
