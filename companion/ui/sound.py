"""Short sounds, made here so that nothing has to be brought along: laid, wrong, shutter, a line shown, a win."""

from __future__ import annotations

import math
import wave
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any  # Any: Kivy has no types

_RATE = 22050
_LOUD = 9000
# Pitches in Hz, each for a share of a second.
_TONES = {
    "laid": ((660, 0.09), (880, 0.13)),
    "wrong": ((330, 0.18), (262, 0.26)),
    "line": ((523, 0.06),),
    "win": ((523, 0.11), (659, 0.11), (784, 0.11), (1047, 0.34)),
}
# A shutter is two clicks of noise: seconds of silence before each, and how long it fades.
_CLICKS = ((0.0, 0.018), (0.05, 0.03))
SOUNDS = (*_TONES, "shutter")
_loaded: dict[Path, Any] = {}


def _samples(name: str) -> Iterator[int]:
    if name == "shutter":
        yield from _clicks()
        return
    for pitch, seconds in _TONES[name]:
        count = round(seconds * _RATE)
        # It fades out: a tone that is cut off clicks.
        yield from (round(_LOUD * math.sin(2 * math.pi * pitch * n / _RATE) * (1 - n / count)) for n in range(count))


def _clicks() -> Iterator[int]:
    """Noise that is the same every time."""
    last = 1
    for silence, seconds in _CLICKS:
        yield from (0 for _ in range(round(silence * _RATE)))
        count = round(seconds * _RATE)
        for n in range(count):
            last = last * 1103515245 + 12345 & 0x7FFFFFFF
            yield round((last / 0x40000000 - 1) * _LOUD * (1 - n / count) ** 2)


def tone(file: Path, name: str) -> Path:
    """Writes the sound, if it is not there yet."""
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        with wave.open(str(file), "wb") as written:
            written.setnchannels(1)
            written.setsampwidth(2)
            written.setframerate(_RATE)
            written.writeframes(array("h", _samples(name)).tobytes())
    return file


def opened(file: Path) -> Any:
    """A sound that can be played; None where the system has none."""
    from kivy.core.audio import SoundLoader

    return SoundLoader.load(str(file))


def _load(folder: Path, name: str) -> Any:
    file = folder / "sounds" / f"{name}.wav"
    if file not in _loaded:
        try:
            _loaded[file] = opened(tone(file, name))
        except OSError:
            return None
    return _loaded[file]


def prepare(folder: Path) -> None:
    """Makes and loads all of them, so that the first one comes at once. Takes a moment: not for the screen's thread."""
    for name in SOUNDS:
        _load(folder, name)


def play(folder: Path, name: str) -> None:
    """Plays it, where the system has sound."""
    sound = _load(folder, name)
    if sound is not None:
        sound.play()
