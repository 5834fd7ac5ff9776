"""Stands in for Java: records every call, and refuses what Android's classes don't have.

Names, constants and numbers of arguments are those of Android's reference (API 24 to 36).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

# Constants by class.
CONSTANTS: dict[str, dict[str, Any]] = {
    "android.content.Intent": {
        "ACTION_SEND": "android.intent.action.SEND",
        "ACTION_GET_CONTENT": "android.intent.action.GET_CONTENT",
        "CATEGORY_OPENABLE": "android.intent.category.OPENABLE",
        "EXTRA_STREAM": "android.intent.extra.STREAM",
        "FLAG_GRANT_READ_URI_PERMISSION": 1,
        "FLAG_GRANT_WRITE_URI_PERMISSION": 2,
    },
    "android.provider.MediaStore": {
        "ACTION_IMAGE_CAPTURE": "android.media.action.IMAGE_CAPTURE",
        "ACTION_PICK_IMAGES": "android.provider.action.PICK_IMAGES",
        "EXTRA_OUTPUT": "output",
    },
}
# Methods by class, with how many arguments they take.
METHODS: dict[str, dict[str, int]] = {
    "android.content.Intent": {
        "putExtra": 2, "addFlags": 1, "addCategory": 1, "setType": 1, "createChooser": 2, "getData": 0,
    },
    "android.app.Activity": {
        "startActivity": 1, "startActivityForResult": 2, "getPackageName": 0, "getContentResolver": 0, "getWindow": 0,
        "getWindowManager": 0,
    },
    "android.content.ContentResolver": {"openFileDescriptor": 2, "getType": 1},
    "android.graphics.ImageDecoder": {"createSource": 2, "decodeBitmap": 1},
    "android.graphics.Bitmap": {"compress": 3},
    "java.io.FileOutputStream": {"close": 0},
    "android.os.ParcelFileDescriptor": {"detachFd": 0},
    "android.view.Window": {"getDecorView": 0},
    "android.view.View": {"getRootWindowInsets": 0},
    "android.view.WindowInsets": {"getInsets": 1},
    "android.view.WindowInsets$Type": {"systemBars": 0, "displayCutout": 0},
    "android.view.WindowManager": {"getDefaultDisplay": 0},
    "android.view.Display": {"getRotation": 0},
    "androidx.core.content.FileProvider": {"getUriForFile": 3},
    "android.hardware.Camera": {"getCameraInfo": 2},
    "java.util.Locale": {"getDefault": 0, "getLanguage": 0},
}  # fmt: skip


class JavaException(Exception):
    """As pyjnius throws it."""


class Thing:
    """A Java object or class: what it is, what it was made with, and what was called on it."""

    def __init__(self, java: str, *made_with: Any, answers: dict[str, Any] | None = None) -> None:
        self.java, self.made_with = java, made_with
        self.calls: list[tuple[Any, ...]] = []
        self._answers = answers or {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in CONSTANTS.get(self.java, {}):
            return CONSTANTS[self.java][name]
        if name not in METHODS.get(self.java, {}):
            raise AttributeError(f"{self.java} has no {name}")

        def call(*arguments: Any) -> Any:
            assert len(arguments) == METHODS[self.java][name], f"{self.java}.{name}{arguments}"
            self.calls.append((name, *arguments))
            answer = self._answers.get(name)
            if isinstance(answer, Exception):
                raise answer
            return answer(*arguments) if callable(answer) else answer

        return call

    def called(self, name: str) -> list[tuple[Any, ...]]:
        """The arguments of each call of a method."""
        return [call[1:] for call in self.calls if call[0] == name]


class Class(Thing):
    """A class: calling it makes an object."""

    def __init__(self, java: str, **answers: Any) -> None:
        super().__init__(java, answers=answers)
        self.objects: list[Thing] = []

    def __call__(self, *arguments: Any) -> Thing:
        made = Thing(self.java, *arguments)
        self.objects.append(made)
        return made


class Fields:
    """An object that is read only."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class Java:
    """A phone: its API, what is permitted, and what its apps answer."""

    def __init__(self, api: int = 34) -> None:
        self.permitted: bool | None = None
        self.questions: list[Callable[[list[str], list[bool]], None]] = []
        self.asked: list[list[str]] = []
        self.todo: list[Callable[[], Any]] = []
        self.shared: int = -1
        self.type = "image/jpeg"
        self.insets: Any = None
        self._listeners: list[Callable[[int, int, Any], None]] = []
        self.classes: dict[str, Any] = {
            "android.content.Intent": Class(
                "android.content.Intent", createChooser=lambda intent, title: ("chooser", intent, title)
            ),
            "android.provider.MediaStore": Class("android.provider.MediaStore"),
            "java.io.File": Class("java.io.File"),
            "java.lang.String": Class("java.lang.String"),
            "androidx.core.content.FileProvider": Class(
                "androidx.core.content.FileProvider",
                getUriForFile=lambda _activity, name, file: f"content://{name}/{file.made_with[0]}",
            ),
            "android.os.Build$VERSION": Fields(SDK_INT=api),
            "java.util.Locale": Class(
                "java.util.Locale", getDefault=Thing("java.util.Locale", answers={"getLanguage": "fr"})
            ),
            "android.hardware.Camera": Class("android.hardware.Camera", getCameraInfo=self._info),
            "android.hardware.Camera$CameraInfo": lambda: Fields(orientation=0),
        }
        if api >= 30:
            self.classes["android.view.WindowInsets$Type"] = Class(
                "android.view.WindowInsets$Type", systemBars=7, displayCutout=128
            )
        resolver = Thing("android.content.ContentResolver", answers={
            "openFileDescriptor": self._open, "getType": lambda _: self.type,
        })  # fmt: skip
        view = Thing("android.view.View", answers={"getRootWindowInsets": lambda: self.insets})
        display = Thing("android.view.Display", answers={"getRotation": lambda: 0})
        self.answers: dict[str, Any] = {
            "getPackageName": "org.boardcompanion.companion",
            "getContentResolver": resolver,
            "getWindow": Thing("android.view.Window", answers={"getDecorView": view}),
            "getWindowManager": Thing("android.view.WindowManager", answers={"getDefaultDisplay": display}),
        }
        self.activity = Thing("android.app.Activity", answers=self.answers)

    def _open(self, _uri: Any, mode: str) -> Thing:
        assert mode == "r"
        if self.shared < 0:
            raise JavaException("FileNotFoundException")
        return Thing("android.os.ParcelFileDescriptor", answers={"detachFd": self.shared})

    @staticmethod
    def _info(number: int, info: Any) -> None:
        assert number == 0
        info.orientation = 90

    def autoclass(self, name: str) -> Any:
        if name not in self.classes:
            raise JavaException(f"Class not found {name}")
        return self.classes[name]

    def request(self, permissions: list[str], answer: Callable[[list[str], list[bool]], None]) -> None:
        self.asked.append(permissions)
        self.questions.append(answer)

    def decide(self, allowed: bool) -> None:
        """A person answers the question for the permission."""
        self.permitted = allowed
        self.questions.pop()([], [allowed])
        self.run()

    def answer(self, code: int, result: int, data: Any = None) -> None:
        """Another app's screen ends."""
        for listener in self._listeners:
            listener(code, result, data)
        self.run()

    def _bind(self, on_activity_result: Callable[[int, int, Any], None]) -> None:
        self._listeners.append(on_activity_result)

    def run(self) -> None:
        """Whatever waits for the main thread."""
        while self.todo:
            self.todo.pop(0)()

    @property
    def intents(self) -> list[tuple[Thing, int]]:
        """What other apps were asked, with the code of each."""
        return [(intent, code) for intent, code in self.activity.called("startActivityForResult")]

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Makes it what `jnius` and `android` are."""

        def module(name: str, **fields: Any) -> ModuleType:
            made = ModuleType(name)
            made.__dict__.update(fields)
            monkeypatch.setitem(sys.modules, name, made)
            return made

        module("jnius", autoclass=self.autoclass, cast=lambda java, thing: (java, thing), JavaException=JavaException)
        activity = module(
            "android.activity", bind=lambda on_activity_result: self._listeners.append(on_activity_result)
        )
        permissions = module(
            "android.permissions", check_permission=lambda _: bool(self.permitted), request_permissions=self.request
        )
        module("android", mActivity=self.activity, activity=activity, permissions=permissions)
