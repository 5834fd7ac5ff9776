"""Every Java class, constant, method and number of arguments that the app reaches is Android's, from the lowest API on.

`package/platform.json` tells what Android has; `package/platform.py` makes it from a description of the platform.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.ui.android import phone
from package import platform
from tests.android.java import CLASSES

ROOT = Path(__file__).resolve().parents[2]
SPEC = (ROOT / "buildozer.spec").read_text(encoding="utf-8")
LOWEST, TARGET = (int(re.findall(rf"^android\.{name} = (\d+)", SPEC, re.MULTILINE)[0]) for name in ("minapi", "api"))
OURS = sorted((ROOT / "companion" / "ui" / "android").glob("*.py"))
# What came after the lowest API, and the API from which on the app uses it.
GUARDED = {
    "android.provider.MediaStore.ACTION_PICK_IMAGES": phone.PHOTO_PICKER,
    "android.view.WindowInsets.getInsets": phone.EDGE_TO_EDGE,
    "android.view.WindowInsets$Type": phone.EDGE_TO_EDGE,
    "android.graphics.Insets": phone.EDGE_TO_EDGE,
    # Older phones don't have the class, which is heard as an answer.
    "android.graphics.ImageDecoder": 28,
    # For phones that have it; older ones stay still.
    "android.os.VibrationEffect": 26,
    "android.os.Vibrator.vibrate": 26,
}
# Used although Android has something newer: docs/android.md says why.
OLD = {
    "android.hardware.Camera",
    "android.view.WindowManager.getDefaultDisplay",
    "android.content.Context.VIBRATOR_SERVICE",
}
# Which Java object a name of Kivy's camera holds.
KIVY_CAMERA = {
    "Camera": "android.hardware.Camera",
    "self._android_camera": "android.hardware.Camera",
    "params": "android.hardware.Camera$Parameters",
    "self._android_camera.getParameters()": "android.hardware.Camera$Parameters",
    "supported_focus_modes": "java.util.List",
    "ImageFormat": "android.graphics.ImageFormat",
    "self._surface_texture": "android.graphics.SurfaceTexture",
}


def kivy_camera() -> Path:
    spec = importlib.util.find_spec("kivy")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "core" / "camera" / "camera_android.py"


def strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def members() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for java, mine in CLASSES.items():
        for name, told in mine["members"].items():
            yield java, name, told


@pytest.mark.parametrize("path", [*OURS, kivy_camera()], ids=lambda p: p.stem)
def test_every_class_that_is_named_is_known(path: Path) -> None:
    named = {s for s in strings(path) if re.fullmatch(r"(android|androidx|java)(\.[a-z_]\w*)+\.[A-Z][\w$]*", s)}
    assert {name for name in named if not name.startswith("android.permission.")} <= set(CLASSES)


def test_the_permission_is_androids() -> None:
    assert CLASSES["android.Manifest$permission"]["members"]["CAMERA"]["value"] == phone.CAMERA
    assert CLASSES["android.app.Activity"]["members"]["RESULT_OK"]["value"] == phone._OK


def test_kivys_camera_calls_what_android_has() -> None:
    calls = [n for n in ast.walk(ast.parse(kivy_camera().read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    seen = 0
    for call in calls:
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in KIVY_CAMERA:
            java = KIVY_CAMERA[ast.unparse(call.func.value)]
            told = CLASSES[java]["members"][call.func.attr]
            assert told["arguments"][str(len(call.args))] <= LOWEST, call.func.attr
            seen += 1
    assert seen >= 15


def test_everything_is_there_from_the_lowest_api_or_from_where_it_is_used() -> None:
    for java, name, told in members():
        guard = GUARDED.get(f"{java}.{name}", GUARDED.get(java, LOWEST))
        since = min(told["arguments"].values()) if "arguments" in told else told["since"]
        assert max(since, CLASSES[java]["since"]) <= guard, f"{java}.{name} came with API {since}"
    assert [name for name in GUARDED if name not in platform.names({"classes": CLASSES})] == []


def test_nothing_is_gone_at_the_target() -> None:
    assert platform.NEWEST >= TARGET
    assert [java for java, mine in CLASSES.items() if "gone" in mine] == []
    assert [f"{java}.{name}" for java, name, told in members() if "gone" in told] == []


def test_what_android_calls_old_is_known_and_no_more_than_that() -> None:
    old = set()
    for java, name, told in members():
        forms = set(told.get("arguments", ()))
        ended = set(told.get("deprecated", ())) if forms else told.get("deprecated", TARGET + 1) <= TARGET
        if "deprecated" in CLASSES[java]:
            old.add(java.split("$")[0])
        elif (ended == forms) if forms else ended:
            old.add(f"{java}.{name}")
    assert old == OLD


def test_the_newer_camera_cannot_be_reached_from_python() -> None:
    # pyjnius implements interfaces only; camera2 answers to classes that have to be extended in Java.
    for name in ("CameraDevice$StateCallback", "CameraCaptureSession$StateCallback"):
        assert not CLASSES[f"android.hardware.camera2.{name}"]["interface"]
    assert CLASSES["android.hardware.Camera$PreviewCallback"]["interface"]


DESCRIPTION = """
declare module android {
    export module os {
        /** @since 26 */
        export class Effect extends java.lang.Object {
            public static class: java.lang.Class<android.os.Effect>;
            public static AMPLITUDE: -1;
            /** @since 28
            @deprecated Deprecated in API 30 */
            public static shake(length: number, how: java.util.Map<string, number>): void;
            /** @since 31 */
            public shake(): void;
            public constructor(size: number);
        }
        export module Effect {
            export class Listener extends android.os.Effect {
                public constructor(implementation: {
                    done(effect: android.os.Effect): void;
                });
                public constructor();
                public done(effect: android.os.Effect): void;
            }
        }
    }
}
"""


def test_a_description_is_read_as_it_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "types.d.ts"
    file.write_text(DESCRIPTION, encoding="utf-8")
    found = platform.read(file)
    effect, listener = found["android.os.Effect"], found["android.os.Effect$Listener"]
    assert (effect.since, effect.interface, listener.interface) == (26, False, True)
    assert effect.members["AMPLITUDE"].to_json() == {"since": 26, "value": -1}
    assert effect.members["shake"].to_json() == {"arguments": {"0": 31, "2": 28}, "deprecated": {"2": 30}}
    assert effect.members["new"].to_json() == {"arguments": {"1": 26}}
    assert listener.members["done"].to_json() == {"arguments": {"1": 21}}
    assert [name for name, _ in platform.lineage("android.os.Effect$Listener", found)] == [
        "android.os.Effect$Listener", "android.os.Effect",
    ]  # fmt: skip
