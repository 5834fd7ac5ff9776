"""What strangers wrote: files, JSON and cells of tables, read within limits before anything is built from them."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import stat
from pathlib import Path
from typing import Any  # Any: JSON until it is checked

# A whole evening's game is 40 kB; an export of a thousand finished ones some 10 MB.
MOST_BYTES = 20_000_000
MOST_THINGS = 2_000_000
MOST_DEPTH = 40
MOST_DIGITS = 15

_NO_BRACKET = bytes(c for c in range(256) if c not in b"[]{}")
_HALF_LETTER = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
# What a spreadsheet takes for the beginning of a formula, full-width signs and signs after white space included.
_FORMULA = re.compile(r"'*\s*[=+\-@\t\r\n＝＋－＠]|'*[\t\r\n]")


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file; OSError if it can't be read, is larger than `most`, or is a device, a pipe or a folder."""
    # Without waiting: a pipe that nobody writes into would hold us up for ever.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        told = os.fstat(handle)
        if stat.S_ISDIR(told.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(told.st_mode):
            raise OSError(errno.EINVAL, "it is no file but a device or a pipe")
        # Files of the system say that they are empty. Room for no more than there is: pages asked for anew take time.
        data = file.read((told.st_size or most) + 1) if told.st_size <= most else b""
    if told.st_size > most or len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def read_json(data: bytes | str, most: int = MOST_BYTES, things: int = MOST_THINGS) -> Any:
    """What a JSON text says; ValueError if it is none, or larger, deeper or with longer numbers than anything of ours.

    Halves of letters, which no screen can show, become the sign for an unreadable letter.

    >>> read_json('{"n": [1, 2.5], "name": "Zo\\\\u00eb \\\\ud83d"}')
    {'n': [1, 2.5], 'name': 'Zoë \ufffd'}
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(raw) > most:
        raise ValueError("too long")
    _measure(raw, things)
    text = data if isinstance(data, str) else data.decode("utf-8-sig")
    try:
        found = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_finite)
    except RecursionError:
        raise ValueError("too deep") from None
    return _with_whole_letters(found) if _HALF_LETTER.search(text) else found


def _measure(raw: bytes, things: int) -> None:
    """Counts brackets and commas outside of quotes; ValueError if there are too many, or too deep."""
    outside = b"".join(raw.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    brackets = outside.translate(None, _NO_BRACKET)
    if len(brackets) + outside.count(b",") > things:
        raise ValueError("too many things")
    depth = 0
    for bracket in brackets:
        depth += 1 if bracket in b"[{" else -1
        if depth > MOST_DEPTH:
            raise ValueError("too deep")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS + 1:
        raise ValueError("too many digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("not a number")
    return number


def _with_whole_letters(value: object) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_with_whole_letters(v) for v in value]
    if isinstance(value, dict):
        return {_with_whole_letters(k): _with_whole_letters(v) for k, v in value.items()}
    return value


def cell(text: str) -> str:
    """A text as a cell of a table that no spreadsheet takes for a formula; `from_cell` takes it back.

    >>> cell("=1+1"), cell("Ada"), from_cell(cell("'=1+1"))
    ("'=1+1", 'Ada', "'=1+1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def from_cell(text: str) -> str:
    return text[1:] if text[:1] == "'" and _FORMULA.match(text) else text
