"""The phone's camera: frames to aim by, and stills in full size from the camera app that its owner knows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.ui.android.asked import Asked
from companion.ui.android.phone import CAMERA, NobodyThere, Phone, later, phone
from companion.ui.android.viewfinder import Viewfinder
from companion.ui.camera import Camera, Frame
from maps import Trouble, message

CODE = 4301


class AndroidCamera(Camera):
    """Asks for the permission when a picture is first wanted, not when the app starts."""

    # A still opens another app: it must not start by itself.
    instant = False

    def __init__(self, stills: Path, on: Phone | None = None) -> None:
        self._stills, self._phone = stills, on or phone()
        self._asked = Asked(stills)
        self._asked.tidy()
        self._viewfinder: Viewfinder | None = None
        self._opening = False

    def frame(self) -> Frame | None:
        if self._viewfinder is not None:
            return self._viewfinder.frame()
        if self.live and self.problem is None and not self._opening:
            self._opening = True
            later(lambda: self._phone.permit(CAMERA, self._open))
        return None

    def _open(self, allowed: bool) -> None:
        # The screen may have gone while the question was asked.
        wanted, self._opening = self._opening, False
        if not allowed:
            self.problem = message("app.camera.refused")
        elif wanted:
            try:
                self._viewfinder = Viewfinder(self._phone.quarter_turns())
            except Exception:
                # Old cameras and rare phones: the camera app works all the same.
                self.live = False

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        later(lambda: self._phone.permit(CAMERA, lambda allowed: self._take(allowed, done)))

    def _take(self, allowed: bool, done: Callable[[Path | Trouble], None]) -> None:
        if not allowed:
            self.problem = message("app.camera.refused")
            done(Trouble("camera-refused"))
            return
        self._close()
        self._stills.mkdir(parents=True, exist_ok=True)
        photo = self._stills / time.strftime("%Y%m%d-%H%M%S.jpg")
        self._asked.remember(photo)
        intent = self._phone.intent(self._phone.media.ACTION_IMAGE_CAPTURE)
        writes = self._phone.intent.FLAG_GRANT_WRITE_URI_PERMISSION
        self._phone.attach(intent, self._phone.media.EXTRA_OUTPUT, photo, writes)
        try:
            self._phone.ask(intent, CODE, lambda taken, _: self._taken(photo, taken, done))
        except NobodyThere:
            self._asked.forget()
            done(Trouble("no-camera"))

    def _taken(self, photo: Path, taken: bool, done: Callable[[Path | Trouble], None]) -> None:
        self._asked.forget()
        if taken and photo.is_file() and photo.stat().st_size:
            done(photo)
            return
        photo.unlink(missing_ok=True)
        done(Trouble("no-picture-taken"))

    def left_over(self) -> Path | None:
        return self._asked.answered()

    def stop(self) -> None:
        self._opening = False
        # Whoever refused may be asked again when a picture is wanted again.
        self.problem = None
        if self._viewfinder is not None:
            later(self._close)

    def _close(self) -> None:
        if self._viewfinder is not None:
            self._viewfinder.close()
            self._viewfinder = None
