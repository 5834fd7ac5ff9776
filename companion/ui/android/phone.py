"""Everything that speaks to Java: other apps asked by intents, their answers, permissions, the window's edges.

All of it runs on the main thread, the only one that finds the classes of an app.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: Java's classes come by their names

CAMERA = "android.permission.CAMERA"
# From this API on the photo picker is part of the system, and from the second on windows reach below its bars.
PHOTO_PICKER, EDGE_TO_EDGE = 33, 35
# From this API on a phone is told how to shake.
SHAKES = 26
_OK = -1
_JPEG_QUALITY = 95

Answer = Callable[[bool, Any], None]


class NobodyThere(Exception):
    """No app on this phone does what was asked."""


class Phone:
    """The activity, and what was asked of other apps and not yet answered."""

    def __init__(self) -> None:
        from android import activity, mActivity
        from jnius import JavaException, autoclass, cast

        self._activity, self._cast, self._problem = mActivity, cast, JavaException
        self._autoclass = autoclass
        self.intent = autoclass("android.content.Intent")
        self.media = autoclass("android.provider.MediaStore")
        self._file = autoclass("java.io.File")
        self._text = autoclass("java.lang.String")
        self._provider = autoclass("androidx.core.content.FileProvider")
        self.api = int(autoclass("android.os.Build$VERSION").SDK_INT)
        # Older phones don't have this class.
        self._insets: Any = autoclass("android.view.WindowInsets$Type") if self.api >= EDGE_TO_EDGE else None
        self._looks = autoclass("android.content.res.Configuration")
        self.language = str(autoclass("java.util.Locale").getDefault().getLanguage())
        self._waiting: dict[int, Answer] = {}
        activity.bind(on_activity_result=self._answered)

    def ask(self, intent: Any, code: int, answer: Answer) -> None:
        """Opens another app's screen; `answer` hears whether it went well, and its data, on the main thread."""
        self._waiting[code] = answer
        try:
            self._activity.startActivityForResult(intent, code)
        except self._problem as problem:
            del self._waiting[code]
            raise NobodyThere from problem

    def _answered(self, code: int, result: int, data: Any) -> None:
        """Comes on Java's thread."""
        answer = self._waiting.pop(code, None)
        if answer is not None:
            later(lambda: answer(result == _OK, data))

    def uri_of(self, path: Path) -> Any:
        """An address under which another app may open a file of ours, for as long as it was asked to."""
        name = f"{self._activity.getPackageName()}.files"
        return self._provider.getUriForFile(self._activity, name, self._file(str(path)))

    def attach(self, intent: Any, extra: str, path: Path, flags: int) -> None:
        """Hands a file over with an intent."""
        intent.putExtra(extra, self._cast("android.os.Parcelable", self.uri_of(path)))
        intent.addFlags(flags)

    def offer(self, intent: Any, title: str) -> None:
        """Lets a person choose the app that gets an intent."""
        words = self._cast("java.lang.CharSequence", self._text(title))
        try:
            self._activity.startActivity(self.intent.createChooser(intent, words))
        except self._problem as problem:
            raise NobodyThere from problem

    def copy(self, uri: Any, path: Path) -> None:
        """Writes what another app shares into a file of ours; OSError if it gives nothing."""
        try:
            number = self._activity.getContentResolver().openFileDescriptor(uri, "r").detachFd()
        except self._problem as problem:
            raise OSError(str(problem)) from problem
        with os.fdopen(number, "rb") as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)

    def as_jpeg(self, uri: Any, path: Path) -> None:
        """Decodes a picture that another app shares by the phone's own means, upright; NobodyThere if it can't."""
        try:
            decoder = self._autoclass("android.graphics.ImageDecoder")
            jpeg = self._autoclass("android.graphics.Bitmap$CompressFormat").JPEG
            bitmap = decoder.decodeBitmap(decoder.createSource(self._activity.getContentResolver(), uri))
            out = self._autoclass("java.io.FileOutputStream")(str(path))
            bitmap.compress(jpeg, _JPEG_QUALITY, out)
            out.close()
        except self._problem as problem:
            path.unlink(missing_ok=True)
            raise NobodyThere from problem

    def kind_of(self, uri: Any) -> str:
        """The media type of what another app shares."""
        return str(self._activity.getContentResolver().getType(uri) or "")

    def permit(self, permission: str, answer: Callable[[bool], None]) -> None:
        """Asks for a permission unless it is granted; `answer` hears it on the main thread."""
        from android.permissions import check_permission, request_permissions

        if check_permission(permission):
            answer(True)
            return
        request_permissions([permission], lambda _, granted: later(lambda: answer(bool(granted) and all(granted))))

    def edges(self) -> tuple[float, float, float, float]:
        """How much of the window lies below the system's bars."""
        insets = self._activity.getWindow().getDecorView().getRootWindowInsets() if self._insets else None
        if insets is None:
            return 0.0, 0.0, 0.0, 0.0
        bars = insets.getInsets(self._insets.systemBars() | self._insets.displayCutout())
        return float(bars.left), float(bars.top), float(bars.right), float(bars.bottom)

    def night(self) -> bool:
        """Whether the phone is set to look dark, now."""
        mode = int(self._activity.getResources().getConfiguration().uiMode)
        return mode & int(self._looks.UI_MODE_NIGHT_MASK) == int(self._looks.UI_MODE_NIGHT_YES)

    def shake(self, milliseconds: int) -> None:
        """One short shake; phones before API 26 stay still."""
        if self.api < SHAKES:
            return
        context, effect = self._autoclass("android.content.Context"), self._autoclass("android.os.VibrationEffect")
        shaker = self._activity.getSystemService(context.VIBRATOR_SERVICE)
        if shaker is not None and shaker.hasVibrator():
            shaker.vibrate(effect.createOneShot(milliseconds, effect.DEFAULT_AMPLITUDE))

    def quarter_turns(self) -> int:
        """How far the phone is turned, in quarters."""
        return int(self._activity.getWindowManager().getDefaultDisplay().getRotation())


def later(do: Callable[[], object]) -> None:
    """Soon, on the main thread."""
    from kivy.clock import Clock

    Clock.schedule_once(lambda _: do(), 0)


@lru_cache(maxsize=1)
def phone() -> Phone:
    """The phone that this is."""
    return Phone()
