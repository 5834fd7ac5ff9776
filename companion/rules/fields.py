"""Reads the fields of one JSON object that people or programs hand over; all that is wrong is collected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from maps import Message, message, nearest

# More than any table could need; it keeps a slip of the finger from becoming work for hours.
MOST = 100_000


class Fields:
    """One JSON object: reads its fields, notes what is missing or of the wrong type, tells unknown ones at the end."""

    def __init__(self, data: object, where: str, wrong: list[Message]) -> None:
        self.where, self.wrong = where, wrong
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        self.there = isinstance(data, dict)
        self.used: list[str] = []
        if not self.there:
            self._not("object", data)

    def path(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def _not(self, what: str, value: object, where: str = "") -> None:
        self.wrong.append(message(f"position.not-{what}", where=where or self.where, value=shown(value)))

    def _get(self, key: str, required: bool = False) -> Any:
        self.used.append(key)
        if required and self.there and self.data.get(key) is None:
            self.wrong.append(message("position.missing", where=self.path(key)))
        return self.data.get(key)

    def text(self, key: str, required: bool = False) -> str:
        value = self._get(key, required)
        if value is None or isinstance(value, str):
            return value or ""
        self._not("text", value, self.path(key))
        return ""

    def whole(self, key: str, low: int = 0) -> int | None:
        """A whole number, None where nothing is told."""
        value = self._get(key)
        if is_whole(value, low):
            return value
        if value is not None:
            self._not("whole", value, self.path(key))
        return None

    def items(self, key: str, required: bool = False) -> Sequence[Any]:
        value = self._get(key, required)
        if value is None or isinstance(value, list):
            return value or ()
        self._not("list", value, self.path(key))
        return ()

    def texts(self, key: str) -> tuple[str, ...]:
        found = []
        for i, value in enumerate(self.items(key)):
            if isinstance(value, str):
                found.append(value)
            else:
                self._not("text", value, f"{self.path(key)}[{i}]")
        return tuple(found)

    def objects(self, key: str, required: bool = False) -> Iterator[Fields]:
        for i, value in enumerate(self.items(key, required)):
            yield Fields(value, f"{self.path(key)}[{i}]", self.wrong)

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self._get(key)
        if value is None or isinstance(value, dict):
            return value or {}
        self._not("object", value, self.path(key))
        return {}

    def counts(self, key: str) -> Mapping[str, int] | None:
        """How many of each, None where nothing is told."""
        if self.data.get(key) is None:
            self.used.append(key)
            return None
        found = {}
        for name, value in self.mapping(key).items():
            if is_whole(value):
                found[name] = value
            else:
                self._not("whole", value, short(f"{self.path(key)}.{name}"))
        return found

    def numbers(self, key: str) -> Mapping[str, tuple[int, ...]]:
        """Lists of whole numbers by name."""
        found = {}
        for name, values in self.mapping(key).items():
            where = short(f"{self.path(key)}.{name}")
            if not isinstance(values, list):
                self._not("list", values, where)
                continue
            for value in values:
                if not is_whole(value):
                    self._not("whole", value, where)
            found[name] = tuple(v for v in values if is_whole(v))
        return found

    def end(self, remarks: list[Message]) -> None:
        """Tells fields that nobody asked for: most often a slip of the pen."""
        for key in self.data:
            if key in self.used or key.startswith("_"):
                continue
            near = nearest(key, self.used)
            where = short(self.path(key))
            remarks.append(message("position.field-near" if near else "position.field", where=where, meant=near or ""))


def is_whole(value: object, low: int = 0) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= MOST


def shown(value: object) -> str:
    """A value as it was written; only the brackets of lists and objects."""
    if isinstance(value, list | dict):
        return "[...]" if isinstance(value, list) else "{...}"
    return short(json.dumps(value, ensure_ascii=False, default=str))


def short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def meant(value: str, known: Iterable[str]) -> str | None:
    """The known id that comes nearest, its words in whatever order: `paris-dieppe` means `dieppe-paris-pink`.

    >>> meant("paris-dieppe", ["dieppe-paris-pink", "dieppe-london-gray"])
    'dieppe-paris-pink'
    """
    by_words = {_words(name): name for name in known}
    near = nearest(_words(value), tuple(by_words))
    return by_words[near] if near else None


def _words(name: str) -> str:
    return "-".join(sorted(name.lower().replace("_", "-").replace(" ", "-").split("-"))).strip("-")


def sentence(problems: Sequence[Message], most: int = 20) -> Message:
    """Several problems as one message; a long list ends with the number of the others."""
    if len(problems) > most:
        problems = [*problems[:most], message("position.more", n=len(problems) - most)]
    told = problems[-1]
    for problem in reversed(problems[:-1]):
        told = message("position.also", first=problem, rest=told)
    return told
