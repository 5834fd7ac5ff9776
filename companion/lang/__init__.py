"""What the program says to people, in English and French: catalogues in `en/` and `fr/`, one file per part.

A message is a key and values, made where the thing happens; its words are chosen here, when somebody reads it.
"""

from __future__ import annotations

import json
import locale
import os
import re
import string
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: what fills a sentence's gaps

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


# How a word is asked to agree: feminine or masculine, one or several, or as many as another gap tells.
_AGREEMENT = re.compile(r"([fm])(s|p|\.(\w+))")
# A word that a French "de" is shortened before; a y counts where a consonant follows.
_ELIDED = re.compile(r"[aeiouàâäéèêëîïôöùûüœ]|y[^aeiouy]", re.IGNORECASE)


class _Filler(string.Formatter):
    """Fills the gaps: texts and messages in their language, lists with "and", `{n:card|cards}` by number.

    `{color:fp}` makes a word feminine and plural, `{color:f.n}` by the number in `n`; `{name:de}` puts a French "de"
    before it, shortened where it must be.
    """

    def __init__(self, language: str, wild: WildCard, values: Mapping[str, Any]) -> None:
        self.language, self.wild, self.values = language, wild, values

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[0 if self._is_one(value) else 1]
        agreement = _AGREEMENT.fullmatch(format_spec)
        if agreement:
            gender, number, other = agreement.groups()
            if other:
                number = "s" if self._is_one(self.values[other]) else "p"
            return str(self.told(value, gender + number))
        if format_spec == "de":
            return str(self.told(value, de=True))
        told = str(super().format_field(self.told(value), format_spec))
        # Numbers have a real minus.
        return told.replace("-", "−") if isinstance(value, int) else told

    def _is_one(self, n: int) -> bool:
        """French counts 0 as one, English as many."""
        return abs(n) <= 1 if self.language == "fr" else abs(n) == 1

    def told(self, value: Any, form: str = "", de: bool = False) -> Any:
        if isinstance(value, Sequence) and not isinstance(value, str):
            words = [str(self.told(v, form, de)) for v in value]
            joint = " et " if self.language == "fr" else " and "
            return joint.join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
        word = self._word(value, form)
        return word if not de else f"d'{word}" if _ELIDED.match(str(word)) else f"de {word}"

    def _word(self, value: Any, form: str) -> Any:
        if isinstance(value, Text):
            return value(self.language)
        if isinstance(value, Message):
            key = _own_word(value.key, self.wild)
            if form and f"{key}.{form}" in catalogue(self.language):
                key = f"{key}.{form}"
            return say(key, self.language, self.wild, **value.values)
        return value


def _own_word(key: str, wild: WildCard) -> str:
    """A colour by the name that the board at hand has for it."""
    room, _, word = key.partition(".")
    return f"words.{dict(wild.colors).get(word, word)}" if room == "words" and wild.colors else key


def say(key: str, language: str = "en", wild: WildCard = LOCOMOTIVES, /, **values: Any) -> str:
    """The sentence of a key in a language, its gaps filled. `wild`: what the board at hand calls its locomotives.

    >>> say("words.cards", "en", n=2), say("words.cards", "fr", n=0)
    ('2 cards', '0 carte')
    """
    language = language if language in LANGUAGES else "en"
    text = catalogue(language)[_own_word(key, wild)]
    named = {"locomotive": wild.one, "locomotives": wild.many, "loco": wild.short}
    named |= {"wagon": wild.wagon, "wagons": wild.wagons}
    return _Filler(language, wild, values).vformat(text, (), {**named, **values})


def tell(told: Message, language: str = "en", wild: WildCard = LOCOMOTIVES) -> str:
    """The words of a message in a language, about a board that calls its locomotives so."""
    return say(told.key, language, wild, **told.values)


def system_language() -> str:
    """`COMPANION_LANG` if set, else the language of the system, else English."""
    wanted = os.environ.get("COMPANION_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    if not wanted:
        wanted = locale.getlocale()[0] or ""
    return "fr" if wanted.lower().startswith(("fr", "french")) else "en"
