"""Says sentences aloud, where the system can: the phone's own speech, or on a desktop what pyttsx3 finds installed."""

from __future__ import annotations

import contextlib
import io
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol  # Any: speech engines have no types

from companion.ui.system import on_android
from maps import Message, message

# So many sentences wait while one is said: what happened before them stands on the screen.
_WAITING = 2
# How a language is spoken where there is a choice: the first of these that is installed.
_ACCENTS = {"en": ("en-gb", "en-us", "en"), "fr": ("fr-fr", "fr")}
# Seconds until speech that is installed has to answer, and between two looks at whether it is done.
_WAKES = 5.0
_MOMENT = 0.05


class Voice(ABC):
    """Speaks without holding anybody up. `problem` says in one sentence why nothing is heard."""

    problem: Message | None = None

    @abstractmethod
    def say(self, text: str, language: str) -> None:
        """Says a sentence after the one that is being said."""

    def hush(self) -> None:
        """Stops in the middle of a word; what waits is not said either."""
        return

    def close(self) -> None:
        """No more is said."""
        self.hush()


class Mute(Voice):
    """Nobody can speak here."""

    def __init__(self, problem: Message | None = None) -> None:
        self.problem = problem or message("app.watch.no-voice")

    def say(self, _text: str, _language: str) -> None:
        return


class Speaker(Voice):
    """One sentence after the other on a thread of its own. When events come fast, the oldest that wait are left out."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, str]] = deque(maxlen=_WAITING)
        self._news = threading.Condition()
        self._hushed = threading.Event()
        self._closed = False
        threading.Thread(target=self._run, name="voice", daemon=True).start()

    @abstractmethod
    def _speak(self, text: str, language: str, hushed: threading.Event) -> None:
        """Says one sentence, and comes back when it was heard or `hushed` is set."""

    def _wake(self) -> None:
        """On the thread that speaks, before the first sentence."""
        return

    def say(self, text: str, language: str) -> None:
        with self._news:
            self._waiting.append((text, language))
            self._news.notify()

    def hush(self) -> None:
        with self._news:
            self._waiting.clear()
            self._hushed.set()

    def close(self) -> None:
        self.hush()
        with self._news:
            self._closed = True
            self._news.notify()

    def _run(self) -> None:
        try:
            self._wake()
            while (said := self._next()) is not None:
                self._speak(*said, self._hushed)
        except Exception:
            # Whatever speech that is installed raises, a sound card that goes away: the screen says it all.
            self.problem = message("app.watch.no-voice")

    def _next(self) -> tuple[str, str] | None:
        """The next sentence, once there is one; None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._waiting or self._closed)
            self._hushed.clear()
            return None if self._closed else self._waiting.popleft()


class Playing(Protocol):
    """A sound that is heard: Kivy's."""

    state: str
    length: float

    def play(self) -> Any: ...

    def stop(self) -> Any: ...

    def unload(self) -> Any: ...


# Opens a file with a sound; None where no sound goes out.
Player = Callable[[Path], Playing | None]


class DesktopVoice(Speaker):
    """Speech that is installed (SAPI, NSSpeech, eSpeak), through pyttsx3.

    pyttsx3 only makes the sound: its own player can't be stopped in the middle of a sentence, the app's can.
    """

    def __init__(self, engine: Callable[[], Any], load: Player) -> None:
        self._make, self._load = engine, load
        self._engine: Any = None
        self._awake = threading.Event()
        super().__init__()
        self._awake.wait(_WAKES)
        if self._engine is None:
            self.problem = message("app.watch.no-voice")

    def _wake(self) -> None:
        # On this thread: Windows wants speech to be used where it was made.
        try:
            self._engine = self._make()
        finally:
            self._awake.set()

    def _speak(self, text: str, language: str, hushed: threading.Event) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self._play(self.sound(text, language, Path(folder) / "said.wav"), hushed)

    def sound(self, text: str, language: str, file: Path) -> Path:
        """Writes what is heard to a file."""
        voice = _best(self._engine.getProperty("voices"), language)
        if voice is not None:
            self._engine.setProperty("voice", voice)
        # It tells everybody where it writes.
        with contextlib.redirect_stdout(io.StringIO()):
            self._engine.save_to_file(text, str(file))
            self._engine.runAndWait()
        return file

    def _play(self, file: Path, hushed: threading.Event) -> None:
        heard = self._load(file) if file.is_file() else None
        if heard is None:
            self.problem = message("app.watch.no-sound")
            return
        heard.play()
        # Kivy tells the end of a sound with the next frame of the screen, which may be dark.
        end = time.monotonic() + heard.length
        while heard.state == "play" and time.monotonic() < end and not hushed.wait(_MOMENT):
            pass
        heard.stop()
        heard.unload()


def _best(voices: Any, language: str) -> str | None:
    """The voice that speaks a language as most people know it; None where none does."""
    tongues = {str(v.id): [_plain(t) for t in v.languages or ()] or [_plain(v.id)] for v in voices}
    for accent in _ACCENTS.get(language, (language,)):
        for voice, spoken in tongues.items():
            if accent in spoken:
                return voice
    return next((v for v, spoken in tongues.items() if any(t.split("-")[0] == language for t in spoken)), None)


def _plain(tongue: str | bytes) -> str:
    """How a language is called everywhere: `en-us` for SAPI's `EN-US_ZIRA`, macOS's `en_US`, eSpeak's `\\x05en-us`."""
    text = tongue.decode(errors="ignore") if isinstance(tongue, bytes) else str(tongue)
    text = "".join(ch for ch in text if ch.isprintable())
    return text.rsplit("/", 1)[-1].removeprefix("TTS_MS_").lower().replace("_", "-")


def default_voice(load: Player) -> Voice:
    """The phone's voice, or the desktop's where pyttsx3 and some speech are installed; `load` plays what it makes."""
    if on_android():
        from companion.ui.android.voice import AndroidVoice

        return AndroidVoice()
    try:
        import pyttsx3
    except ImportError:
        return Mute()
    return DesktopVoice(pyttsx3.init, load)
