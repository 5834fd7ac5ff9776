"""Stands in for Java: records every call, and refuses what Android's classes don't have on that API.

What they have is told by package/platform.json, which is made from a description of the platform: nothing is told here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any  # Any: Java's classes come by their names

import pytest

from package.platform import FACTS

CLASSES: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))["classes"]


class JavaException(Exception):
    """As pyjnius throws it."""


class Thing:
    """A Java object or class: what it is, what it was made with, and what was called on it."""

    def __init__(self, java: str, *made_with: Any, api: int = 36, answers: dict[str, Any] | None = None) -> None:
        self.java, self.made_with, self.api = java, made_with, api
        self.calls: list[tuple[Any, ...]] = []
        self._answers = answers or {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        told = CLASSES[self.java]["members"].get(name)
        if told is None:
            raise AttributeError(f"{self.java} has no {name}, or package/platform.json doesn't know it")
        if "arguments" not in told:
            assert told["since"] <= self.api, f"{self.java}.{name} came with API {told['since']}"
            return told["value"]

        def call(*arguments: Any) -> Any:
            since = told["arguments"].get(str(len(arguments)))
            assert since is not None, f"{self.java}.{name} takes other arguments than {arguments}"
            assert since <= self.api, f"{self.java}.{name} came with API {since}"
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

    def __init__(self, java: str, api: int, **answers: Any) -> None:
        assert CLASSES[java]["since"] <= api, f"{java} came with API {CLASSES[java]['since']}"
        super().__init__(java, api=api, answers=answers)
        self.objects: list[Thing] = []

    def __call__(self, *arguments: Any) -> Thing:
        told = CLASSES[self.java]["members"].get("new", {"arguments": {}})
        assert told["arguments"].get(str(len(arguments)), 99) <= self.api, f"{self.java}{arguments}"
        made = Thing(self.java, *arguments, api=self.api)
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
        self.todo: list[Callable[[], object]] = []
        self.shared: int = -1
        self.type = "image/jpeg"
        self.insets: Any = None
        self._listeners: list[Callable[[int, int, Any], None]] = []
        self.classes: dict[str, Any] = {
            "android.content.Intent": Class(
                "android.content.Intent", api, createChooser=lambda intent, title: ("chooser", intent, title)
            ),
            "android.provider.MediaStore": Class("android.provider.MediaStore", api),
            "java.io.File": Class("java.io.File", api),
            "java.lang.String": Class("java.lang.String", api),
            "androidx.core.content.FileProvider": Class(
                "androidx.core.content.FileProvider",
                api,
                getUriForFile=lambda _activity, name, file: f"content://{name}/{file.made_with[0]}",
            ),
            "android.os.Build$VERSION": Fields(SDK_INT=api),
            "java.util.Locale": Class(
                "java.util.Locale", api, getDefault=Thing("java.util.Locale", api=api, answers={"getLanguage": "fr"})
            ),
            "android.content.res.Configuration": Class("android.content.res.Configuration", api),
            "android.content.Context": Class("android.content.Context", api),
            "android.hardware.Camera": Class("android.hardware.Camera", api, getCameraInfo=self._info),
            "android.hardware.Camera$CameraInfo": lambda: Fields(orientation=0),
        }
        if api >= 26:
            self.classes["android.os.VibrationEffect"] = Class(
                "android.os.VibrationEffect", api, createOneShot=lambda *told: ("shake", *told)
            )
        if api >= 30:
            self.classes["android.view.WindowInsets$Type"] = Class(
                "android.view.WindowInsets$Type", api, systemBars=7, displayCutout=128
            )
        resolver = Thing("android.content.ContentResolver", api=api, answers={
            "openFileDescriptor": self._open, "getType": lambda _: self.type,
        })  # fmt: skip
        view = Thing("android.view.View", api=api, answers={"getRootWindowInsets": lambda: self.insets})
        display = Thing("android.view.Display", api=api, answers={"getRotation": lambda: 0})
        self.looks = Fields(uiMode=0x11)
        resources = Thing("android.content.res.Resources", api=api, answers={"getConfiguration": lambda: self.looks})
        self.shaker = Thing("android.os.Vibrator", api=api, answers={"hasVibrator": True})
        self.answers: dict[str, Any] = {
            "getSystemService": lambda _name: self.shaker,
            "getResources": resources,
            "getPackageName": "org.boardcompanion.companion",
            "getContentResolver": resolver,
            "getWindow": Thing("android.view.Window", api=api, answers={"getDecorView": view}),
            "getWindowManager": Thing("android.view.WindowManager", api=api, answers={"getDefaultDisplay": display}),
        }
        self.activity = Thing("android.app.Activity", api=api, answers=self.answers)

    def _open(self, _uri: object, mode: str) -> Thing:
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
