"""The camera behind one interface: a folder of pictures or a video, a webcam, or the phone's own."""

from __future__ import annotations

import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: OpenCV's capture, without types in older versions

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.ui.system import on_android
from maps import Message, Trouble, message

Frame = NDArray[np.uint8]
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp")


class Camera(ABC):
    """Gives frames to look at and stills to read. `problem` says in one sentence why it can't."""

    problem: Message | None = None
    # A camera with its own screen (the phone's) shows no frames here.
    live = True
    # A still costs a moment only: the shutter may go by itself.
    instant = True

    @abstractmethod
    def frame(self) -> Frame | None:
        """The newest picture, BGR; None while there is none. May take a moment: not for the screen's thread."""

    @abstractmethod
    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        """Takes a picture in full size and hands over its file. May be called back on any thread."""

    def left_over(self) -> Path | None:
        """A still that was taken while the system had ended the app; it is told once."""
        return None

    def stop(self) -> None:
        """Lets go of the device until the next frame is asked for."""
        return

    def close(self) -> None:
        self.stop()


class NoCamera(Camera):
    """No camera or no permission: pictures come from the gallery."""

    live = False

    def __init__(self, problem: Message | None = None) -> None:
        self.problem = problem or message("app.camera.none")

    def frame(self) -> Frame | None:
        return None

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        done(Trouble("no-camera"))


class FolderCamera(Camera):
    """Pictures of a folder as if they were taken one after the other: for tests and demonstrations."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._next = 0

    def pictures(self) -> list[Path]:
        return sorted(p for p in self.folder.iterdir() if p.suffix.lower() in PICTURES)

    def _current(self) -> Path | None:
        found = self.pictures()
        return found[min(self._next, len(found) - 1)] if found else None

    def frame(self) -> Frame | None:
        path = self._current()
        if path is None:
            return None
        from vision.photo import load

        try:
            return load(path).image
        except Trouble:
            return None

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        path = self._current()
        self._next += 1
        done(path if path is not None else Trouble("no-camera"))


class VideoCamera(Camera):
    """A webcam by its number, or a video file. Stills are kept in a folder of their own."""

    def __init__(self, source: int | str, stills: Path) -> None:
        self._source, self._stills = source, stills
        self._capture: Any = None

    def _open(self) -> Any:
        if self._capture is None:
            capture = cv2.VideoCapture(self._source)
            if not capture.isOpened():
                self.problem = message("app.camera.none")
                return None
            if isinstance(self._source, int):
                # As large as it can: cameras take the nearest size they have.
                capture.set(cv2.CAP_PROP_FRAME_WIDTH, 4096)
                capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 2160)
            self._capture = capture
        return self._capture

    def frame(self) -> Frame | None:
        capture = self._open()
        if capture is None:
            return None
        good, image = capture.read()
        if not good and not isinstance(self._source, int):
            capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            good, image = capture.read()
        return np.asarray(image, np.uint8) if good else None

    def still(self, done: Callable[[Path | Trouble], None]) -> None:
        image = self.frame()
        if image is None:
            done(Trouble("no-camera"))
            return
        self._stills.mkdir(parents=True, exist_ok=True)
        path = self._stills / time.strftime("%Y%m%d-%H%M%S.jpg")
        cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        done(path)

    def stop(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def default_camera(home: Path) -> Camera:
    """`COMPANION_CAMERA` if set (a folder, a video, or a webcam's number), else the phone's or the first webcam."""
    wanted = os.environ.get("COMPANION_CAMERA", "")
    stills = home / "photos"
    if wanted.isdigit():
        return VideoCamera(int(wanted), stills)
    if wanted:
        return FolderCamera(Path(wanted)) if Path(wanted).is_dir() else VideoCamera(wanted, stills)
    if on_android():
        from companion.ui.android.camera import AndroidCamera

        return AndroidCamera(stills)
    if sys.platform.startswith("linux") and not any(Path("/dev").glob("video*")):
        return NoCamera()
    return VideoCamera(0, stills)
