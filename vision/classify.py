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
        self._net.setInput(batch, "patches")
        return np.asarray(self._net.forward("scores"), np.float32).reshape(len(batch), -1)


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


def inputs(foot: Floats, middle: Floats, printed: Floats, lean: Floats) -> Floats:
    """What a net sees: the patch over the print and over a piece's middle, the colour printed there, and the lean."""
    n, high, wide = foot.shape[:3]
    batch = np.empty((n, 11, high, wide), np.float32)
    batch[:, :3] = foot.transpose(0, 3, 1, 2) / 255 - 0.5
    batch[:, 3:6] = middle.transpose(0, 3, 1, 2) / 255 - 0.5
    batch[:, 6:9] = (printed / 255)[:, :, None, None]
    batch[:, 9:] = lean[:, :, None, None]
    return batch


def mirrored(batch: Floats) -> Floats:
    """The same patches mirrored along the track, across it, and both, one after the other."""
    along, across = batch[:, :, :, ::-1].copy(), batch[:, :, ::-1].copy()
    along[:, 9] *= -1
    across[:, 10] *= -1
    both = across[:, :, :, ::-1].copy()
    both[:, 9] *= -1
    return np.concatenate([along, across, both])


def log_probabilities(scores: Floats, colors: tuple[str, ...], temperature: float) -> NDArray[np.float64]:
    """Log-probabilities of an empty space and of each of some colours; other colours don't play on this board."""
    columns = [0, *(CLASSES.index(color) for color in colors)]
    scaled = scores[:, columns].astype(np.float64) / temperature
    scaled -= scaled.max(1, keepdims=True)
    return np.asarray(scaled - np.log(np.exp(scaled).sum(1, keepdims=True)))
