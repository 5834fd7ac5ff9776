"""Says sentences aloud, where the system can: the phone's own speech, or on a desktop what pyttsx3 finds installed."""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from typing import Any  # Any: speech engines have no types

from companion.ui.system import on_android


class Voice(ABC):
    """Speaks without holding anybody up. `there` False: nothing on this system can speak."""

    there = True

    @abstractmethod
    def say(self, text: str, language: str) -> None:
        """Says a sentence after those before it."""

    def close(self) -> None:
        """No more is said."""
        return


class Mute(Voice):
    """Nobody can speak here."""

    there = False

    def say(self, _text: str, _language: str) -> None:
        return


class DesktopVoice(Voice):
    """Speech that is installed (SAPI, NSSpeech, eSpeak), through pyttsx3: an engine of its own thread."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._said: queue.Queue[tuple[str, str] | None] = queue.Queue()
        threading.Thread(target=self._speak, name="voice", daemon=True).start()

    def say(self, text: str, language: str) -> None:
        self._said.put((text, language))

    def close(self) -> None:
        self._said.put(None)

    def _speak(self) -> None:
        while (said := self._said.get()) is not None:
            text, language = said
            try:
                voice = next((v.id for v in self._engine.getProperty("voices") if _speaks(v, language)), None)
                if voice is not None:
                    self._engine.setProperty("voice", voice)
                self._engine.say(text)
                self._engine.runAndWait()
            except Exception:
                # A sound card that goes away must not stop the game: the screen says it all.
                return


def _speaks(voice: Any, language: str) -> bool:
    tongues = [t.decode(errors="ignore") if isinstance(t, bytes) else str(t) for t in voice.languages or ()]
    return any(language in tongue.lower() for tongue in tongues) or f"/{language}" in str(voice.id).lower()


def default_voice() -> Voice:
    """The phone's voice, or the desktop's where pyttsx3 and some speech are installed."""
    if on_android():
        from companion.ui.android.voice import AndroidVoice

        return AndroidVoice()
    try:
        import pyttsx3

        return DesktopVoice(pyttsx3.init())
    except Exception:
        # pyttsx3 raises whatever its driver does: no library, no eSpeak, no sound.
        return Mute()
