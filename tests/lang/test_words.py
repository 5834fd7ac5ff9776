"""Every sentence against the vocabulary of docs/words.md: what players would not say stands nowhere."""

from __future__ import annotations

import re

import pytest

from companion.lang import catalogue

# What no sentence says, by language; gaps, ids and names of options are not read.
_NOT: dict[str, tuple[str, ...]] = {
    "en": (
        "gray", "wagons?", "told", "section", "joker", "wild", "occupied", "endgame", "compute", r"\} to play",
        "claims only", "go on without", "taken over", "lane", "open cards?", "pass on", "forgone", "for ever",
    ),
    "fr": (
        "l'app", "espaces?", "joker", "compter une partie", "passer la partie", "revendiquer", "tronçons?", "mission",
        "piochées? en aveugle",
    ),
}  # fmt: skip
_GAP = re.compile(r"\{\w+")
_OPTION = re.compile(r"--\w+|'[^']*-[^']*'|\w+-\w+-\w+|COMPANION_\w+")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nobody_says_what_players_would_not_say(language: str) -> None:
    wrong = []
    for key, text in catalogue(language).items():
        if key.startswith(("argparse.", "eval.")):
            continue
        said = _OPTION.sub("", _GAP.sub("", text))
        wrong += [(key, word) for word in _NOT[language] if re.search(rf"(?<!\w){word}\b", said, re.IGNORECASE)]
    assert not wrong


@pytest.mark.parametrize("language", ["en", "fr"])
def test_signs_are_the_same_everywhere(language: str) -> None:
    """Straight apostrophes, one ellipsis, an en dash between places."""
    every = catalogue(language).items()
    assert not [key for key, text in every if "’" in text]
    assert not [key for key, text in every if key.startswith("app.") and ("..." in text or " - " in text)]


def test_one_word_for_one_button() -> None:
    """What is done on Home and on the page that explains it has one name."""
    for language in ("en", "fr"):
        words = catalogue(language)
        for home, way in (("score", "score"), ("watch", "watched"), ("claims", "claims"), ("new", "turns")):
            assert words[f"app.home.{home}"] == words[f"app.way.{way}"]
        assert words["app.home.dispute"] == words["app.way.dispute"]
        assert words["app.home.claims"] == words["app.keeping.claims"]
        for page, button in (
            ("way.claims.4", "table.end"),
            ("coach.deck", "do.deck"),
            ("coach.claim", "confirm.claim"),
        ):
            assert words[f"app.{button}"] in words[f"app.{page}"]
