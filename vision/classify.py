"""Runs the ONNX nets: one batch of patches in, scores out. By onnxruntime, or by cv2.dnn where that is missing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

import cv2
import numpy as np

from maps import Trouble
from vision import shipped
from vision.arrays import Floats, Logs
from vision.config import CLASSIFIER
from vision.light import FOLDER as FOLDER

Engine = Literal["onnxruntime", "opencv"]

# What the nets can answer, in the order of their outputs; the first is a space or city with nothing on it.
CLASSES = ("empty", "blue", "red", "green", "yellow", "black", "purple", "white", "pink")
# Over a space or a city also something that is no piece may lie: a hand, a paper, a glass.
SPACE_CLASSES = (*CLASSES, "covered")
# In a city stations stand, or depots.
CITY_CLASSES = (*CLASSES, *(f"depot-{color}" for color in CLASSES[1:]))


class Net(Protocol):
    """Something that turns a batch of patches, and what is told of them where it asks for that, into scores."""

    def __call__(self, batch: Floats, told: Floats | None = None) -> Floats: ...


class _OnnxRuntime:
    def __init__(self, model: bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # Threads that wait by spinning took half as much processor time again, and no less time by the clock.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def __call__(self, batch: Floats, told: Floats | None = None) -> Floats:
        given = {"patches": batch} if told is None else {"patches": batch, "told": told}
        return np.asarray(self._session.run(["scores"], given)[0], np.float32)


class _OpenCv:
    def __init__(self, model: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model, np.uint8))

    def __call__(self, batch: Floats, told: Floats | None = None) -> Floats:
        # In portions: what the layers hold in between would need more memory than a small phone has.
        parts = [slice(i, i + CLASSIFIER.portion) for i in range(0, max(len(batch), 1), CLASSIFIER.portion)]
        return np.concatenate([self._forward(batch[p], None if told is None else told[p]) for p in parts])

    def _forward(self, batch: Floats, told: Floats | None) -> Floats:
        self._net.setInput(batch, "patches")
        if told is not None:
            self._net.setInput(told, "told")
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


MODELS = shipped.MODELS


@dataclass(frozen=True)
class Nets:
    """Where the nets are taken from, and what runs them (None: what is at hand). Named by folder: `board/spaces`."""

    folder: Path = MODELS
    by: Engine | None = None

    def __call__(self, name: str) -> Net:
        """The net of that name, checked once: its answer to a stored input has to be the stored answer."""
        return _load(self.folder / f"{name}.onnx", self.by or engine())


def net(name: str, by: Engine | None = None) -> Net:
    """The net of that name that comes with the program; without a folder one of `board`."""
    # One that was just trained has a whole path.
    return Nets(by=by)(name if Path(name).is_absolute() else f"board/{name}")


@lru_cache(maxsize=8)
def _load(path: Path, by: Engine) -> Net:
    model = shipped.contents(path)
    try:
        loaded: Net = _OnnxRuntime(model) if by == "onnxruntime" else _OpenCv(model)
    except Exception:
        # A net of somebody's own that is cut or empty; each engine has its own way to say so.
        raise Trouble("model-damaged", file=path.name) from None
    off = self_test(loaded, path)
    if off > CLASSIFIER.most_off:
        raise Trouble("model-broken", file=path.name, engine=by)
    return loaded


def self_test(loaded: Net, path: Path) -> float:
    """How far the scores for the stored input lie from the stored ones."""
    tests = path.with_suffix(".test.npz")
    try:
        stored = shipped.arrays(shipped.contents(tests))
        patches, scores = stored["patches"].astype(np.float32), stored["scores"]
        told = stored["told"].astype(np.float32) if "told" in stored else None
    except (ValueError, KeyError) as error:
        raise error if isinstance(error, Trouble) else Trouble("model-damaged", file=tests.name) from None
    return float(np.abs(loaded(patches, told) - scores).max())


def log_probabilities(
    scores: Floats, names: tuple[str, ...], temperature: float, classes: tuple[str, ...] = CLASSES
) -> Logs:
    """Log-probabilities of nothing and of each of some names; others can't be on this board."""
    columns = [0, *(classes.index(name) for name in names)]
    scaled = scores[:, columns].astype(np.float64) / temperature
    scaled -= scaled.max(1, keepdims=True)
    return np.asarray(scaled - np.log(np.exp(scaled).sum(1, keepdims=True)))


def chance_covered(scores: Floats, names: tuple[str, ...]) -> Floats:
    """How likely something lies over each space that is no wagon of one of these colours."""
    known = [SPACE_CLASSES.index(name) for name in ("empty", *names)]
    hidden = scores[:, SPACE_CLASSES.index("covered")]
    top = np.maximum(scores[:, known].max(1), hidden)
    seen = np.exp(scores[:, known] - top[:, None]).sum(1)
    return np.asarray(np.exp(hidden - top) / (seen + np.exp(hidden - top)), np.float32)
