"""Reads what people hand over: files and lists. Whatever is wrong with them is told in one sentence."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any  # Any: JSON

from maps import Trouble, nearest


def existing_file(path: str) -> Path:
    """The file of that name; Trouble if there is none."""
    file = Path(path)
    try:
        there, folder = bool(path) and file.exists(), file.is_dir()
    except (OSError, ValueError):
        # A name that is too long for any disk.
        there = folder = False
    if not there:
        raise Trouble("no-file", file=path)
    if folder:
        raise Trouble("is-folder", file=path)
    return file


def json_file(path: str) -> Any:
    """What a JSON file holds."""
    file = existing_file(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as e:
        raise Trouble("not-json", file=path) from e
    if not text.strip():
        raise Trouble("empty-file", file=path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as e:
        raise Trouble("bad-json", file=path, line=e.lineno, column=e.colno) from e
    except (RecursionError, ValueError) as e:
        raise Trouble("not-json", file=path) from e


def known_id(what: str, value: str, known: Sequence[str]) -> str:
    """The value if it is known; Trouble with the nearest known one if not. `what`: board, variant, color, ..."""
    if value in known:
        return value
    meant = nearest(value, known)
    if meant:
        raise Trouble(f"unknown-{what}", value=value, meant=meant)
    raise Trouble(f"no-such-{what}", value=value, known=", ".join(known))


def names(value: str) -> list[str]:
    """The parts of a list told with commas."""
    return [part for part in (p.strip() for p in value.split(",")) if part]


def corners(told: str) -> tuple[tuple[float, float], ...]:
    """Four corners told as x,y,x,y,...: top-left, top-right, bottom-right, bottom-left of the board."""
    try:
        numbers = [float(part) for part in names(told)]
    except ValueError:
        numbers = []
    if len(numbers) != 8:
        raise Trouble("bad-corners", value=told)
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def positive(value: str) -> int:
    """A number of things, at least one: for argparse."""
    number = int(value)
    if number < 1:
        raise ValueError(value)
    return number


def writable(path: str) -> None:
    """Trouble, if there is no folder in which such a file can be written."""
    if Path(path).is_dir() or not Path(path).resolve().parent.is_dir():
        raise Trouble("file-not-written", file=path, reason=os.strerror(errno.ENOENT))


def write_text(path: str, text: str) -> None:
    """Writes a file where somebody asked for it."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as e:
        raise Trouble("file-not-written", file=path, reason=e.strerror or str(e)) from e


def make_folder(folder: Path) -> None:
    """Makes a folder where somebody wants files to go, if there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise Trouble("file-not-written", file=str(folder), reason=e.strerror or str(e)) from e
