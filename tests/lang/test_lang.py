"""The catalogues: the same messages with the same gaps in both languages, and sentences that come out right."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest

import companion.lang
from companion.lang import catalogue, say, tell
from companion.rules import ACTIONS, VARIANTS, Rule
from maps import LANGUAGES, Text, load, message

FOLDER = Path(companion.lang.__file__).parent


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_messages() -> None:
    english, french = catalogue("en"), catalogue("fr")
    assert set(english) == set(french)


@pytest.mark.parametrize("key", sorted(catalogue("en")))
def test_both_languages_have_the_same_gaps(key: str) -> None:
    english, french = catalogue("en")[key], catalogue("fr")[key]
    if key.startswith("argparse."):
        assert sorted(re.findall(r"%\(?\w+\)?", english)) == sorted(re.findall(r"%\(?\w+\)?", french))
    else:
        assert gaps(english) == gaps(french)
    assert english.strip()
    assert french.strip()


def _raised() -> set[str]:
    """Codes of every Trouble that the source raises by name."""
    root = FOLDER.parent.parent
    sources = (f for room in ("companion", "maps", "vision") for f in (root / room).rglob("*.py"))
    return {code for f in sources for code in re.findall(r'Trouble\(\s*"([a-z0-9-]+)"', f.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("code", sorted(_raised()))
def test_every_trouble_has_its_sentence(code: str) -> None:
    assert f"error.{code}" in catalogue("en")


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*/*.json")), ids=lambda f: f"{f.parent.name}/{f.name}")
def test_no_key_stands_twice(file: Path) -> None:
    pairs: list[str] = []
    json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=lambda rows: pairs.extend(k for k, _ in rows))
    assert len(pairs) == len(set(pairs))


def test_french_punctuation_keeps_its_space() -> None:
    wrong = [
        key
        for key, text in catalogue("fr").items()
        # Examples and technical parts keep the machine's punctuation.
        if not key.endswith(".examples") and re.search(r"[^\s :;?!«/{}|\w'\"-][;?!]|\w[;?!](\s|$)", text)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "n", "told"),
    [
        ("en", 0, "0 cards"),
        ("en", 1, "1 card"),
        ("en", 2, "2 cards"),
        ("fr", 0, "0 carte"),
        ("fr", 1, "1 carte"),
        ("fr", 2, "2 cartes"),
    ],
)
def test_plural(language: str, n: int, told: str) -> None:
    assert say("words.cards", language, n=n) == told


def test_values_are_told_in_the_reader_language() -> None:
    inner = message("words.cards", n=2)
    texts = [Text("north", "nord"), Text("south", "sud"), Text("east", "est")]
    told = message("error.usage", problem=inner, command=texts)
    assert tell(told, "en") == "2 cards. See 'north, south and east --help'."
    assert tell(told, "fr") == "2 cartes. Voir « nord, sud et est --help »."


def test_unknown_language_is_english() -> None:
    assert say("words.red", "de") == "red"
    assert set(LANGUAGES) == {"en", "fr"}


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "The symbols of this ferry take 1 Ferry card; you laid 0."),
        ("fr", "Il faut 1 carte Ferry pour les symboles de ce ferry, 0 posée."),
    ],
)
def test_a_board_may_call_its_locomotives_something_else(language: str, told: str) -> None:
    wild = load("san-francisco").cards.wild
    due = message("verdict.pay.locomotives", due=1, n=0)
    mixed = message("verdict.pay.mixed", colors=[message("words.red"), message("words.locomotive")])
    assert tell(due, language, wild) == told
    assert tell(mixed, language, wild).count("Ferry") == 2
    assert "locomotive" in tell(mixed, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_gaps_speak_of_locomotives_to_players(language: str) -> None:
    parts = ("app.", "verdict.", "words.", "table.", "score.", "cards.")
    named = {
        key: text
        for key, text in catalogue(language).items()
        if key.startswith(parts) and re.search(r"(?<!\{)\blocos?\b|(?<!\{)locomotive", text, re.IGNORECASE)
    }
    assert named == {}


BLUE, WHITE, ORANGE, GREEN = (message(f"words.{color}") for color in ("blue", "white", "orange", "green"))
NO_STATIONS = "verdict.station.none-here"


@pytest.mark.parametrize(
    ("key", "values", "told"),
    [
        ("verdict.price.color", {"n": 3, "color": BLUE}, "il faut 3 cartes bleues ou des locomotives"),
        ("verdict.price.color", {"n": 1, "color": WHITE}, "il faut 1 carte blanche ou des locomotives"),
        ("verdict.price.color", {"n": 2, "color": ORANGE}, "il faut 2 cartes orange ou des locomotives"),
        ("verdict.draw.not-on-table", {"color": [GREEN]}, "Aucune carte verte n'est visible."),
        ("verdict.turn.not-yours", {"turn": "Ann", "player": "Yves"}, "C'est le tour d'Ann, pas d'Yves."),
        ("verdict.turn.not-yours", {"turn": "Bob", "player": "Yann"}, "C'est le tour de Bob, pas de Yann."),
        ("verdict.warehouse.empty", {"owner": "Élodie"}, "L'entrepôt d'Élodie est vide."),
        (NO_STATIONS, {"here": message("words.in.usa")}, "Il n'y a pas de gares aux États-Unis."),
        (NO_STATIONS, {"here": message("words.in.united-kingdom")}, "Il n'y a pas de gares au Royaume-Uni."),
        (NO_STATIONS, {"here": message("words.in.own", name="Village")}, "Il n'y a pas de gares dans Village."),
    ],
)  # fmt: skip
def test_french_agrees_and_elides(key: str, values: dict[str, object], told: str) -> None:
    assert say(key, "fr", **values) == told


def test_san_francisco_has_its_own_words() -> None:
    wild = load("san-francisco").cards.wild
    pink = message("verdict.price.color", n=2, color=message("words.pink"))
    assert tell(pink, "fr", wild) == "il faut 2 cartes roses ou des cartes Ferry"
    assert tell(pink, "en", wild) == "this takes 2 pink cards or Ferry cards"
    assert tell(pink, "fr") == "il faut 2 cartes violettes ou des locomotives"
    assert tell(message("verdict.claim.wagons", due=2, n=1), "fr", wild) == "Il faut 2 cable cars, il en reste 1."


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_its_place_in_a_sentence(variant: str) -> None:
    assert f"words.in.{variant}" in catalogue("fr")


def test_every_rule_and_action_has_its_name() -> None:
    headings = [heading for heading in vars(Rule).values() if hasattr(heading, "id")]
    assert len(headings) > 15
    for language in LANGUAGES:
        assert {f"verdict.rule.{heading.id}" for heading in headings} <= set(catalogue(language))
        assert {f"verdict.do.{kind}" for kind in ACTIONS} <= set(catalogue(language))
