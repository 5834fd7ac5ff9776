"""A progress bar on standard error: it never mixes with the answer."""

from __future__ import annotations

import sys
from types import TracebackType

_WIDTH = 30


class Bar:
    """Called with how many of how many are done. On a screen it redraws one line, in a log it adds one now and then."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._drawn = False
        self._tenth = -1

    def __enter__(self) -> Bar:
        return self

    def __call__(self, done: int, of: int) -> None:
        if sys.stderr.isatty():
            full = round(_WIDTH * done / max(of, 1))
            sys.stderr.write(f"\r{self._label} [{'#' * full}{'.' * (_WIDTH - full)}] {done}/{of}")
            self._drawn = True
        elif 10 * done // max(of, 1) > self._tenth:
            self._tenth = 10 * done // max(of, 1)
            sys.stderr.write(f"{self._label} {done}/{of}\n")
        sys.stderr.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            sys.stderr.write("\n")
