"""The rules as players read them: every heading of a verdict can be opened, with each variant's own numbers."""

from __future__ import annotations

import pytest

import maps
from companion.lang import catalogue
from companion.rules import (
    HEADINGS,
    MODULES,
    OPTIONS,
    VARIANTS,
    find_variant,
    module_book,
    played,
    rule_section,
    rulebook,
    variants_of,
)
from companion.words import rule_told, rules_text, section_title
from maps import LANGUAGES

# Sections that no verdict quotes.
OTHERS = {"setup", "scoring", "choices", "options", "unsure"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant_id", VARIANTS)
def test_every_heading_opens_in_every_variant(variant_id: str, language: str) -> None:
    variant, board = find_variant(variant_id)
    for rule in HEADINGS:
        told = rule_told(rule_section(rule, variant, board), language, board.cards.wild)
        assert all(told)
        assert section_title(rule, language)


@pytest.mark.parametrize("variant_id", VARIANTS)
def test_a_book_tells_what_is_played_and_nothing_else(variant_id: str) -> None:
    variant, board = find_variant(variant_id)
    told = [s.rule for s in rulebook(variant, board)]
    kinds = {r.kind for r in board.routes.values()}
    assert {"setup", "turn", "drawing", "claiming", "tickets", "end", "scoring"} <= set(told)
    assert set(told) <= {*HEADINGS, *OTHERS}
    assert len(told) == len(set(told))
    played_here = {
        "tunnel": "tunnel" in kinds,
        "ferry": "ferry" in kinds,
        "mountain": "mountain" in kinds,
        "station": variant.stations > 0,
        "technologies": variant.technologies != "none",
        "shares": variant.shares,
        "tourists": variant.tourists,
        "team-cards": variant.team_size > 1,
        "depots": False,
    }
    assert {rule for rule, here in played_here.items() if here} == set(told) & set(played_here)


@pytest.mark.parametrize(
    ("variant_id", "rule", "sentence"),
    [
        ("usa", "end", "with 2 trains or fewer"),
        ("asia", "end", "a team has 4 trains or fewer together"),
        ("asia", "tunnel", "4 to 6"),
        ("europe", "tunnel", "turn up 3 cards"),
        ("europe", "setup", "1 long ticket and 3 others and keeps at least 2"),
        ("europe", "scoring", "more tickets done, then fewer stations built, then the longer path"),
        ("usa-mega", "tickets", "Draw 4 tickets"),
        ("united-kingdom", "groups", "With 2 players a double route is closed"),
        ("usa", "groups", "With 2 or 3 players a double route is closed"),
        ("united-kingdom", "drawing", "stay where they are"),
        ("usa", "drawing", "When 3 of the face-up cards are locomotives"),
        ("san-francisco", "ferry", "Each Ferry card symbol of a ferry takes a Ferry card"),
        ("san-francisco", "scoring", "1 for 2, 2 for 3, 4 for 4, 6 for 5, 9 for 6 and 12 for 7"),
        ("asia", "team-groups", "Always open: Canton – Hong Kong"),
        ("asia", "turn", "claim a route, draw cards, draw tickets or put tickets on the rack"),
        ("pennsylvania", "shares", "Baltimore & Ohio Railroad: 10 shares; the ranks score 20, 14, 9, 5 and 2."),
        ("united-kingdom", "claiming", "40 for 10"),
    ],
)
def test_numbers_are_the_variants_own(variant_id: str, rule: str, sentence: str) -> None:
    variant, board = find_variant(variant_id)
    assert sentence in " ".join(rule_told(rule_section(rule, variant, board), "en", board.cards.wild))


def test_what_is_not_played_here_says_so() -> None:
    first = rule_told(rule_section("station", *find_variant("usa")), "en")[0]
    assert first == catalogue("en")["rules.elsewhere"]


def test_house_options_and_modules_change_the_book() -> None:
    variant, board = find_variant("asia")
    on = played(variant, {"rack-cards-back": True}, MODULES)
    assert "go back to the rack" in rules_text(rulebook(on, board), "en")
    assert "go back to the rack" not in " ".join(rule_told(rule_section("team-cards", variant, board), "en"))
    assert "depots" in [s.rule for s in rulebook(on, board)]
    assert OPTIONS["rack-cards-back"].name.en in rules_text(rulebook(variant, board), "en")


def test_every_ruling_of_ours_is_listed() -> None:
    for variant in VARIANTS.values():
        text = rules_text(rulebook(variant, maps.load(variant.board)), "fr")
        assert [choice.fr for choice in variant.choices if choice.fr not in text] == []


def test_no_sentence_is_left_unused() -> None:
    books = [rulebook(*find_variant(v)) for v in VARIANTS] + [module_book(m) for m in MODULES.values()]
    asia, board = find_variant("asia")
    books.append(rulebook(played(asia, {"rack-cards-back": True}), board))
    used = {m.key for book in books for s in book for m in s.told}
    # Sentences inside others, and those of pages and lists.
    inner = ("rules.title.", "rules.tie.", "rules.index", "rules.or", "rules.comma", "rules.then")
    pages = {"rules.book", "rules.about", "rules.elsewhere", "rules.own-board", "rules.pair", "rules.claim.pair"}
    left = {k for k in catalogue("en") if k.startswith("rules.") and not k.startswith(inner)} - used - pages
    assert left == set()


def test_a_board_of_ones_own_has_a_book() -> None:
    board = maps.load("europe")
    own = variants_of("my-island")[0]
    assert {"setup", "claiming", "end"} <= {s.rule for s in rulebook(own, board)}
