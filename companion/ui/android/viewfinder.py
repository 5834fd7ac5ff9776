"""Frames of the phone's camera, through Kivy's own part for it. For looking only: stills come from the camera app."""

from __future__ import annotations

from typing import Any  # Any: Kivy has no types

import cv2
import numpy as np

from companion.ui.camera import Frame

# Every camera that can film has this size.
SIZE = (1280, 720)
_BACK = 0
_TURNS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}


class Viewfinder:
    """Opened and closed on the main thread; frames may be asked for on any."""

    def __init__(self, turned: int) -> None:
        from jnius import autoclass
        from kivy.core.camera.camera_android import CameraAndroid

        info = autoclass("android.hardware.Camera$CameraInfo")()
        autoclass("android.hardware.Camera").getCameraInfo(_BACK, info)
        # The sensor is built in turned; what counts is how it stands against the screen now.
        self._turn = (info.orientation // 90 - turned) % 4
        self._camera: Any = CameraAndroid(index=_BACK, resolution=SIZE, stopped=True)
        self._camera.start()

    def frame(self) -> Frame | None:
        """The newest frame, upright; None until there is one."""
        bytes_ = self._camera.grab_frame()
        return None if bytes_ is None else upright(bytes_, self._turn)

    def close(self) -> None:
        """Lets go of the camera, so that another app can have it."""
        self._camera._release_camera()


def upright(nv21: bytes, turn: int) -> Frame:
    """A frame as cameras give it, in colours and turned clockwise by quarters."""
    wide, high = SIZE
    picture = cv2.cvtColor(np.frombuffer(nv21, np.uint8).reshape(high * 3 // 2, wide), cv2.COLOR_YUV2BGR_NV21)
    return np.asarray(cv2.rotate(picture, _TURNS[turn]) if turn else picture, np.uint8)
