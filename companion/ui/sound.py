"""Two short sounds: something was laid, and something is wrong. Made here, so that nothing has to be brought along."""

from __future__ import annotations

import math
import wave
from array import array
from pathlib import Path
from typing import Any

_RATE = 22050
# Pitches in Hz, each for a share of a second.
_TONES = {True: ((660, 0.09), (880, 0.13)), False: ((330, 0.18), (262, 0.26))}
_loaded: dict[Path, Any] = {}


def tone(file: Path, fine: bool) -> Path:
    """Writes the sound, if it is not there yet."""
    if not file.is_file():
        samples = array("h")
        for pitch, seconds in _TONES[fine]:
            count = round(seconds * _RATE)
            # It fades out: a tone that is cut off clicks.
            samples.extend(
                round(9000 * math.sin(2 * math.pi * pitch * n / _RATE) * (1 - n / count)) for n in range(count)
            )
        file.parent.mkdir(parents=True, exist_ok=True)
        with wave.open(str(file), "wb") as written:
            written.setnchannels(1)
            written.setsampwidth(2)
            written.setframerate(_RATE)
            written.writeframes(samples.tobytes())
    return file


def play(folder: Path, fine: bool) -> None:
    """Plays it, where the system has sound."""
    from kivy.core.audio import SoundLoader

    file = folder / "sounds" / f"{'laid' if fine else 'wrong'}.wav"
    try:
        if file not in _loaded:
            _loaded[file] = SoundLoader.load(str(tone(file, fine)))
    except OSError:
        return
    if _loaded[file] is not None:
        _loaded[file].play()
