"""Taking one picture and having it read: the board, cards, tickets, an empty board to learn, a box, or a game."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Literal  # Any: what is read depends on what is photographed

from companion.ui import services
from companion.ui.desk import Desk
from companion.ui.work import Job, Note
from maps import Message, Trouble

# What is photographed.
Purpose = Literal["board", "cards", "tickets", "enrol", "box", "game", "practice"]
# Troubles with an empty board that go away when somebody shows its corners.
_SHOW_IT = ("enrol-needs-corners", "enrol-needs-cities", "no-board", "no-such-board-here", "no-fingerprint")


def nobody() -> None:
    """No screen shows it."""


class SnapModel:
    """`state`: aim, working or failed. What was read goes to `done`; a board comes with the picture's file."""

    def __init__(
        self,
        desk: Desk,
        purpose: Purpose,
        done: Callable[[Any], object] = lambda _: None,
        *,
        board: str | None = None,
        colors: Collection[str] | None = None,
        known: Mapping[str, str] | None = None,
        depots: bool = False,
        limits: Mapping[str, int] | None = None,
    ) -> None:
        self.desk, self.purpose, self.done = desk, purpose, done
        self.board, self.colors, self.known, self.depots = board, colors, known, depots
        self.limits = limits
        self.state = "aim"
        self.share = 0.0
        self.problem: Message | None = None
        self.code = ""
        # Something to say while aiming, instead of how to aim.
        self.note = ""
        self.picture: Path | None = None
        # Who shows it: told of every change.
        self.changed: Callable[[], object] = nobody
        self._job: Job | None = None

    @property
    def watches(self) -> bool:
        """Codes are read from the live view itself: nobody has to press the shutter."""
        return self.purpose in ("box", "game")

    def watch(self, frame: Any) -> Any:
        """What a frame of the live view holds, None if nothing. Takes a moment: not for the screen's thread."""
        try:
            return services.box_in(frame) if self.purpose == "box" else services.game_codes_in(frame) or None
        except Trouble:
            return None

    def shoot(self) -> None:
        """Takes a still; the camera may answer later."""
        self._begin()
        camera = self.desk.camera

        def take(job: Job) -> Path:
            answers: list[Path | Trouble] = []
            camera.still(answers.append)
            while not answers:
                job.check()
                time.sleep(0.02)
            if isinstance(answers[0], Trouble):
                raise answers[0]
            return answers[0]

        self._job = self.desk.work.start("still", take, self._taken)
        self.changed()

    def _taken(self, note: Note) -> None:
        if note.kind == "done":
            self.load(note.value)
        elif note.kind == "failed":
            self._failed(note.value)

    def load(self, picture: Path) -> None:
        """Reads a picture that is there already."""
        self._begin()
        self.picture = picture
        self._job = self.desk.work.start("read", lambda job: self._read(job, picture), self._told)
        self.changed()

    def practise(self) -> None:
        """Reads the photo that comes with the program, as any other."""
        self._begin()
        self.picture = services.practice_photo()
        self._job = self.desk.work.start("read", services.read_practice, self._told)
        self.changed()

    def _begin(self) -> None:
        self.cancel()
        self.state, self.share, self.problem = "working", 0.0, None

    def _read(self, job: Job, picture: Path) -> Any:
        if self.purpose == "cards":
            return self.desk.reader.read_cards(job, picture, self.colors or ())
        if self.purpose == "tickets":
            return self.desk.reader.read_tickets(job, picture, self.board or "")
        if self.purpose == "enrol":
            return services.enrol(job, picture, self.board or "")
        if self.purpose == "box":
            return services.scan_box(job, picture)
        if self.purpose == "game":
            return services.scan_game(job, picture)
        return self.desk.reader.read_board(job, picture, self.board, self.colors, self.known, self.depots, self.limits)

    def _told(self, note: Note) -> None:
        if note.kind == "progress":
            self.share = note.value
            self.changed()
        elif note.kind == "failed":
            self._failed(note.value)
        else:
            self.state = "aim"
            self.done(note.value)

    def _failed(self, trouble: Trouble) -> None:
        self.state, self.problem, self.code = "failed", trouble.message, trouble.code
        self.changed()

    @property
    def needs_a_finger(self) -> bool:
        """The board can't be found by itself: somebody has to show where it lies."""
        return self.state == "failed" and self.purpose == "enrol" and self.code in _SHOW_IT

    def cancel(self) -> None:
        """Back to aiming; whatever is still read is not wanted any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.state = "aim"
