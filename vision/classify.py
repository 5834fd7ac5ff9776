"""Runs the ONNX nets: one batch of patches in, scores out. By onnxruntime, or by cv2.dnn where that is missing."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Trouble
from vision.config import CLASSIFIER
from vision.light import FOLDER
from vision.spaces import Floats

Engine = Literal["onnxruntime", "opencv"]

# What the nets can answer, in the order of their outputs; the first is a space or city with nothing on it.
CLASSES = ("empty", "blue", "red", "green", "yellow", "black", "purple", "white", "pink")
# In a city stations stand, or depots.
CITY_CLASSES = (*CLASSES, *(f"depot-{color}" for color in CLASSES[1:]))


class Net(Protocol):
    """Something that turns a batch of patches into scores."""

    def __call__(self, batch: Floats) -> Floats: ...


class _OnnxRuntime:
    def __init__(self, path: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def __call__(self, batch: Floats) -> Floats:
        return np.asarray(self._session.run(["scores"], {"patches": batch})[0], np.float32)


class _OpenCv:
    def __init__(self, path: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(path))

    def __call__(self, batch: Floats) -> Floats:
        # In portions: what the layers hold in between would need more memory than a small phone has.
        size = CLASSIFIER.portion
        return np.concatenate([self._forward(batch[i : i + size]) for i in range(0, max(len(batch), 1), size)])

    def _forward(self, batch: Floats) -> Floats:
        self._net.setInput(batch, "patches")
        # A copy: the next portion is written to the same place.
        return np.array(self._net.forward("scores"), np.float32).reshape(len(batch), -1)


def engine() -> Engine:
    """The engine that runs the nets; `COMPANION_ENGINE` names one."""
    wanted = os.environ.get("COMPANION_ENGINE", "")
    if wanted == "opencv":
        return "opencv"
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        return "opencv"
    return "onnxruntime"


def net(name: str, by: Engine | None = None) -> Net:
    """The net of that name, checked once: its answer to a stored input has to be the stored answer."""
    return _load(FOLDER / f"{name}.onnx", by or engine())


@lru_cache(maxsize=8)
def _load(path: Path, by: Engine) -> Net:
    if not path.is_file():
        raise Trouble("model-missing", file=path.name)
    loaded: Net = _OnnxRuntime(path) if by == "onnxruntime" else _OpenCv(path)
    off = self_test(loaded, path)
    if off > CLASSIFIER.most_off:
        raise Trouble("model-broken", file=path.name, engine=by)
    return loaded


def self_test(loaded: Net, path: Path) -> float:
    """How far the scores for the stored input lie from the stored ones."""
    with np.load(path.with_suffix(".test.npz")) as stored:
        patches = stored["patches"].astype(np.float32)
        return float(np.abs(loaded(patches) - stored["scores"]).max())


def inputs(foot: Floats, middle: Floats, printed: Floats, lean: Floats, beside: Floats | None = None) -> Floats:
    """What a net sees: the patch over the print and over a piece's middle, and some numbers told with it.

    Told are the colour printed there, the lean, and for spaces the colours printed on the tracks beside.
    """
    n, high, wide = foot.shape[:3]
    sides = np.empty((n, 0), np.float32) if beside is None else beside
    numbers = np.concatenate([printed / 255, lean, sides / 255], axis=1)
    batch = np.empty((n, 6 + numbers.shape[1], high, wide), np.float32)
    batch[:, :3] = foot.transpose(0, 3, 1, 2) / 255 - 0.5
    batch[:, 3:6] = middle.transpose(0, 3, 1, 2) / 255 - 0.5
    batch[:, 6:] = numbers[:, :, None, None]
    return batch


def mirrored(batch: Floats) -> Floats:
    """The same patches mirrored along the track, across it, and both, one after the other."""
    along, across = batch[:, :, :, ::-1].copy(), batch[:, :, ::-1].copy()
    along[:, 9] *= -1
    across[:, 10] *= -1
    # What lay above the track lies below it now.
    across[:, 11:14], across[:, 14:17] = batch[:, 14:17, ::-1], batch[:, 11:14, ::-1]
    both = across[:, :, :, ::-1].copy()
    both[:, 9] *= -1
    return np.concatenate([along, across, both])


def log_probabilities(
    scores: Floats, names: tuple[str, ...], temperature: float, classes: tuple[str, ...] = CLASSES
) -> NDArray[np.float64]:
    """Log-probabilities of nothing and of each of some names; others can't be on this board."""
    columns = [0, *(classes.index(name) for name in names)]
    scaled = scores[:, columns].astype(np.float64) / temperature
    scaled -= scaled.max(1, keepdims=True)
    return np.asarray(scaled - np.log(np.exp(scaled).sum(1, keepdims=True)))
