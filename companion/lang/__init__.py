"""What the program says to people, in English and French: catalogues in `en/` and `fr/`, one file per part.

A message is a key and values, made where the thing happens; its words are chosen here, when somebody reads it.
"""

from __future__ import annotations

import json
import locale
import os
import string
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from maps import LANGUAGES, LOCOMOTIVES, Message, Text, WildCard

_FOLDER = Path(__file__).parent


@lru_cache(maxsize=8)
def catalogue(language: str) -> Mapping[str, str]:
    """All sentences of a language by key; the key's first word is the file's name: `error.no-file` is in error.json."""
    sentences: dict[str, str] = {}
    for file in sorted((_FOLDER / language).glob("*.json")):
        for key, text in json.loads(file.read_text(encoding="utf-8")).items():
            sentences[f"{file.stem}.{key}"] = text
    return sentences


class _Filler(string.Formatter):
    """Fills the gaps: texts and messages in their language, lists with "and", `{n:card|cards}` by number."""

    def __init__(self, language: str, wild: WildCard) -> None:
        self.language, self.wild = language, wild

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            # French counts 0 as one, English as many.
            one = abs(value) <= 1 if self.language == "fr" else abs(value) == 1
            return format_spec.split("|")[0 if one else 1]
        return str(super().format_field(self.told(value), format_spec))

    def told(self, value: Any) -> Any:
        if isinstance(value, Text):
            return value(self.language)
        if isinstance(value, Message):
            return tell(value, self.language, self.wild)
        if isinstance(value, Sequence) and not isinstance(value, str):
            words = [str(self.told(v)) for v in value]
            joint = " et " if self.language == "fr" else " and "
            return joint.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
        return value


def say(key: str, language: str = "en", wild: WildCard = LOCOMOTIVES, /, **values: Any) -> str:
    """The sentence of a key in a language, its gaps filled. `wild`: what the board at hand calls its locomotives.

    >>> say("words.cards", "en", n=2), say("words.cards", "fr", n=0)
    ('2 cards', '0 carte')
    """
    text = catalogue(language if language in LANGUAGES else "en")[key]
    named = {"locomotive": wild.one, "locomotives": wild.many, "loco": wild.short}
    return _Filler(language, wild).vformat(text, (), {**named, **values})


def tell(told: Message, language: str = "en", wild: WildCard = LOCOMOTIVES) -> str:
    """The words of a message in a language, about a board that calls its locomotives so."""
    return say(told.key, language, wild, **told.values)


def system_language() -> str:
    """`COMPANION_LANG` if set, else the language of the system, else English."""
    wanted = os.environ.get("COMPANION_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    if not wanted:
        wanted = locale.getlocale()[0] or ""
    return "fr" if wanted.lower().startswith(("fr", "french")) else "en"
