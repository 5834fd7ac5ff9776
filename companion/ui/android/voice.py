"""The phone's own speech."""

from __future__ import annotations

from typing import Any  # Any: Java's classes come by their names

from companion.ui.voice import Voice


class AndroidVoice(Voice):
    """Android's text to speech: it takes a moment to wake up, and what is said meanwhile waits."""

    def __init__(self) -> None:
        from android import mActivity
        from jnius import PythonJavaClass, autoclass, java_method

        self._locale = autoclass("java.util.Locale")
        speech = autoclass("android.speech.tts.TextToSpeech")
        self._queue = speech.QUEUE_ADD
        self._ready = False
        self._waiting: list[tuple[str, str]] = []
        voice = self

        class Woken(PythonJavaClass):
            __javainterfaces__ = ("android/speech/tts/TextToSpeech$OnInitListener",)
            __javacontext__ = "app"

            @java_method("(I)V")  # type: ignore[untyped-decorator]
            def onInit(self, status: int) -> None:  # noqa: N802 - Java's name
                voice._woken(status == speech.SUCCESS)

        # Kept as long as the voice: Java holds it weakly.
        self._listener = Woken()
        self._speech: Any = speech(mActivity, self._listener)

    def _woken(self, well: bool) -> None:
        self.there = well
        self._ready = well
        waiting, self._waiting = self._waiting, []
        for text, language in waiting if well else ():
            self.say(text, language)

    def say(self, text: str, language: str) -> None:
        if not self._ready:
            self._waiting.append((text, language))
            return
        self._speech.setLanguage(self._locale.forLanguageTag(language))
        self._speech.speak(text, self._queue, None, text)

    def close(self) -> None:
        self._speech.shutdown()
