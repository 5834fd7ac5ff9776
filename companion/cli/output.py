"""How a command answers: people get text, programs get one JSON document, errors get one sentence."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar  # Any: JSON

from companion.lang import say, tell
from maps import Message, Trouble

Answer = TypeVar("Answer")

DONE, NO, BAD_INPUT, NOTHING_SEEN, STOPPED = 0, 1, 2, 3, 130


@dataclass(frozen=True)
class Output:
    """Where a command writes: the answer to standard output, everything else to standard error."""

    as_json: bool
    language: str

    def document(self, answer: object) -> None:
        """The one JSON document of this call."""
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")

    def text(self, text: str) -> None:
        """An answer for people."""
        sys.stdout.write(text + "\n")

    def note(self, told: Message | str) -> None:
        """Progress and side remarks, never part of the answer."""
        sys.stderr.write((told if isinstance(told, str) else tell(told, self.language)) + "\n")

    def say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def error(self, trouble: Trouble) -> dict[str, Any]:
        return {"error": {"code": trouble.code, "message": tell(trouble.message, self.language)}}

    def fail(self, trouble: Trouble) -> int:
        """Tells what is wrong, in the form that was asked for, and gives the exit code."""
        if self.as_json:
            self.document(self.error(trouble))
        else:
            self.note(trouble.message)
        return exit_code(trouble)


def exit_code(trouble: Trouble) -> int:
    return NOTHING_SEEN if trouble.nothing_seen else BAD_INPUT


def answer_each(
    out: Output,
    files: Iterable[str],
    answer: Callable[[str], Answer],
    to_json: Callable[[Answer], object],
    text: Callable[[Answer], str],
) -> int:
    """Answers one file as an object, several as an array in the same order; the highest exit code of all counts."""
    files = list(files)
    answers: list[Any] = []
    code = DONE
    for file in files:
        try:
            found = answer(file)
        except Trouble as trouble:
            if len(files) == 1:
                return out.fail(trouble)
            code = max(code, exit_code(trouble))
            if out.as_json:
                answers.append(out.error(trouble))
            else:
                out.note(f"{file}: {tell(trouble.message, out.language)}")
        else:
            if out.as_json:
                answers.append(to_json(found))
            else:
                out.text(text(found) if len(files) == 1 else f"{file}\n{text(found)}")
    if out.as_json:
        out.document(answers[0] if len(files) == 1 else answers)
    return code
