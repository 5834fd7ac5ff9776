"""The phone's gallery, share sheet and bars."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any  # Any: Java's classes come by their names

from companion.ui.android.phone import PHOTO_PICKER, NobodyThere, Phone, phone
from companion.ui.system import Edges, Picked, System
from maps import LANGUAGES, Trouble

CODE = 4302
# Endings of what the gallery may hand over: files are known by them later.
_ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "application/json": ".json"}

# Kinds that no library on the phone decodes but its own.
_FOREIGN = ("image/heic", "image/heif", "image/avif")


class AndroidSystem(System):
    """Other apps get single files, and what they give is copied: their permission ends with the app."""

    shakes = True

    def __init__(self, home: Path, on: Phone | None = None) -> None:
        self._photos, self._phone = home / "photos", on or phone()
        self.language = self._phone.language if self._phone.language in LANGUAGES else LANGUAGES[0]

    def pick(self, kind: str, done: Picked) -> bool:
        try:
            self._phone.ask(self._choose(kind), CODE, lambda chosen, data: self._chosen(chosen, data, kind, done))
        except NobodyThere:
            return False
        return True

    def _choose(self, kind: str) -> Any:
        """The photo picker where the system has one, else any app that offers such files: no permission needed."""
        java = self._phone.intent
        if kind.startswith("image/") and self._phone.api >= PHOTO_PICKER:
            intent = java(self._phone.media.ACTION_PICK_IMAGES)
        else:
            intent = java(java.ACTION_GET_CONTENT)
            intent.addCategory(java.CATEGORY_OPENABLE)
        intent.setType(kind)
        return intent

    def _chosen(self, chosen: bool, data: Any, kind: str, done: Picked) -> None:
        uri = data.getData() if chosen and data is not None else None
        if uri is None:
            done(None)
            return
        self._photos.mkdir(parents=True, exist_ok=True)
        ending = _ENDINGS.get(self._phone.kind_of(uri), _ENDINGS.get(kind, ".jpg"))
        file = self._photos / (time.strftime("%Y%m%d-%H%M%S") + f"-picked{ending}")
        try:
            self._fetch(uri, file)
        except OSError as error:
            done(Trouble("unreadable-file", file=file.name, reason=error.strerror or str(error)))
            return
        done(file)

    def _fetch(self, uri: object, file: Path) -> None:
        """A copy; of a kind that only the phone itself can decode, as JPEG."""
        if self._phone.kind_of(uri) in _FOREIGN:
            with suppress(NobodyThere):
                self._phone.as_jpeg(uri, file)
                return
        self._phone.copy(uri, file)

    def share(self, file: Path, kind: str, title: str) -> bool:
        java = self._phone.intent
        intent = java(java.ACTION_SEND)
        intent.setType(kind)
        self._phone.attach(intent, java.EXTRA_STREAM, file, java.FLAG_GRANT_READ_URI_PERMISSION)
        try:
            self._phone.offer(intent, title)
        except NobodyThere:
            return False
        return True

    def shake(self, milliseconds: int) -> None:
        self._phone.shake(milliseconds)

    def look(self) -> str:
        return "dark" if self._phone.night() else "light"

    def edges(self) -> Edges:
        return self._phone.edges()
