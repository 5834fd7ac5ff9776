"""The phone's own speech."""

from __future__ import annotations

import threading
from typing import Any  # Any: Java's classes come by their names

from companion.ui.voice import Speaker
from maps import message

# Seconds between two looks at whether a sentence is done, and how long it may take to begin.
_MOMENT = 0.1
_BEGINS = 3.0


class AndroidVoice(Speaker):
    """Android's text to speech: it takes a moment to wake up, and what is said meanwhile waits."""

    def __init__(self) -> None:
        from android import mActivity
        from jnius import PythonJavaClass, autoclass, java_method

        self._locale = autoclass("java.util.Locale")
        speech = autoclass("android.speech.tts.TextToSpeech")
        self._flush = speech.QUEUE_FLUSH
        self._woken = threading.Event()
        voice = self

        class Woken(PythonJavaClass):
            __javainterfaces__ = ("android/speech/tts/TextToSpeech$OnInitListener",)
            __javacontext__ = "app"

            @java_method("(I)V")  # type: ignore[untyped-decorator]
            def onInit(self, status: int) -> None:  # noqa: N802 - Java's name
                voice._wakes(status == speech.SUCCESS)

        # Kept as long as the voice: Java holds it weakly.
        self._listener = Woken()
        self._speech: Any = speech(mActivity, self._listener)
        super().__init__()

    def _wakes(self, well: bool) -> None:
        if not well:
            self.problem = message("app.watch.no-voice-phone")
        self._woken.set()

    def _wake(self) -> None:
        self._woken.wait()

    def _speak(self, text: str, language: str, hushed: threading.Event) -> None:
        if self.problem is not None:
            return
        self._speech.setLanguage(self._locale.forLanguageTag(language))
        self._speech.speak(text, self._flush, None, text)
        waited = 0.0
        while not self._speech.isSpeaking() and waited < _BEGINS and not hushed.wait(_MOMENT):
            waited += _MOMENT
        while self._speech.isSpeaking() and not hushed.wait(_MOMENT):
            pass
        if hushed.is_set():
            self._speech.stop()

    def close(self) -> None:
        super().close()
        self._speech.shutdown()
