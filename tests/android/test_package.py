"""The Android package by the book: the spec resolves with the real tools, and the package holds what the app needs."""

from __future__ import annotations

import ast
import configparser
import re
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any  # Any: JSON, and a phone that answers in it
from xml.etree import ElementTree

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from PIL import Image

import companion
from maps import LANGUAGES, available
from package import drawings, hook, imports

ROOT = Path(__file__).resolve().parents[2]
RECIPE_OF = {"opencv-python": "opencv"}
DESKTOP_ONLY = {"crossfiledialog", "darkdetect", "onnxruntime", "pillow-heif", "pillow_heif", "pyttsx3"}
ANDROID = "{http://schemas.android.com/apk/res/android}"
# What the issue of small phones allows, in bytes.
MOST_CONTENTS, MOST_MODELS = 60_000_000, 7_000_000


def _spec() -> configparser.SectionProxy:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "buildozer.spec", encoding="utf-8")
    return parser["app"]


def _list(value: str) -> list[str]:
    return [v.strip() for v in value.replace("\n", "").split(",")]


def _dependencies(key: str) -> dict[str, Requirement]:
    """The requirements of a list in pyproject.toml by their names. Python 3.10 has no reader for TOML."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(rf"^{key} = (\[.*?^\])", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return {r.name: r for r in map(Requirement, ast.literal_eval(found[1]))}


def test_every_requirement_has_a_recipe_or_is_plain_python_with_its_version(resolved: dict[str, Any]) -> None:
    recipes, modules = set(resolved["order"]), set(resolved["modules"])
    asked = set(resolved["asked"])
    assert {"kivy", "numpy", "opencv", "pillow", "pyzbar", "libzbar", "pyjnius", "android"} <= recipes & asked
    assert asked - recipes <= modules
    # Nothing is left to whatever PyPI has newest on the day of the build.
    assert modules <= set(resolved["pinned"])
    assert not asked & DESKTOP_ONLY


def test_every_recipe_is_built_after_what_it_needs(resolved: dict[str, Any]) -> None:
    order = resolved["order"]
    for first, second in (
        ("hostpython3", "python3"), ("python3", "numpy"), ("numpy", "opencv"), ("libzbar", "pyzbar"), ("sdl2", "kivy"),
        ("pyjnius", "android"), ("android", "kivy"), ("freetype", "pillow"), ("jpeg", "pillow"),
    ):  # fmt: skip
        assert order.index(first) < order.index(second), (first, second)


def test_versions_agree_with_the_project(resolved: dict[str, Any]) -> None:
    versions = {**resolved["versions"], **resolved["pinned"]}
    for name, requirement in _dependencies("dependencies").items():
        if name not in DESKTOP_ONLY:
            version = versions[RECIPE_OF.get(name, name)].removeprefix("v")
            assert version in requirement.specifier, f"{name} {version}, the project wants {requirement.specifier}"
    wanted = re.search(r'requires-python = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert wanted is not None
    assert versions["python3"] in SpecifierSet(wanted[1])
    assert versions["hostpython3"] == versions["python3"]


def test_python_for_android_is_the_release_whose_recipes_were_checked() -> None:
    from pythonforandroid import __version__
    from pythonforandroid.recommendations import RECOMMENDED_NDK_VERSION

    spec, tools = _spec(), _dependencies("android")
    assert spec["p4a.commit"] == f"v{__version__}"
    assert __version__ in tools["python-for-android"].specifier
    assert spec["android.ndk"] == RECOMMENDED_NDK_VERSION == "28c"


def test_the_workflow_builds_with_the_tools_that_were_checked() -> None:
    workflow = (ROOT / ".github" / "workflows" / "android.yml").read_text(encoding="utf-8")
    tools = _dependencies("android")
    for name in ("buildozer", "python-for-android"):
        assert f"{name}{tools[name].specifier} " in workflow
    # buildozer takes values from the environment only where the spec names them.
    assert "APP_ANDROID_ACCEPT_SDK_LICENSE" in workflow
    assert "android.accept_sdk_license" in _spec()


def test_the_project_is_for_the_right_phones(packed: Path, resolved: dict[str, Any]) -> None:
    gradle = (packed / "project" / "build.gradle").read_text(encoding="utf-8")
    for line in ("compileSdkVersion 36", "targetSdkVersion 36", "minSdkVersion 24", "androidx.core:core:1.6.0"):
        assert line in gradle
    assert f"versionName '{companion.__version__}'" in gradle
    assert resolved["archs"] == ["arm64-v8a", "armeabi-v7a"]
    # The provider is an AndroidX class.
    assert "android.useAndroidX=true" in (packed / "project" / "gradle.properties").read_text(encoding="utf-8")


@pytest.fixture
def manifest(packed: Path) -> ElementTree.Element:
    return ElementTree.parse(packed / "project" / "src" / "main" / "AndroidManifest.xml").getroot()  # noqa: S314 our own


def test_the_camera_is_the_only_permission_that_is_asked_for(manifest: ElementTree.Element) -> None:
    """To shake is granted without a word; nothing else is wanted, no network least of all."""
    wanted = {p.get(f"{ANDROID}name") for p in manifest.iter("uses-permission")}
    assert wanted == {"android.permission.CAMERA", "android.permission.VIBRATE"}
    features = {f.get(f"{ANDROID}name"): f.get(f"{ANDROID}required") for f in manifest.iter("uses-feature")}
    # A phone without a camera may still keep score.
    assert features["android.hardware.camera"] == "false"


def test_back_stays_a_key(manifest: ElementTree.Element) -> None:
    application = manifest.find("application")
    assert application is not None
    # From API 36 on Android no longer sends the key that SDL and Kivy wait for, unless it is told to.
    assert application.get(f"{ANDROID}enableOnBackInvokedCallback") == "false"


def test_other_apps_get_files_through_the_provider_only(manifest: ElementTree.Element, packed: Path) -> None:
    (provider,) = manifest.iter("provider")
    assert provider.get(f"{ANDROID}name") == "androidx.core.content.FileProvider"
    assert provider.get(f"{ANDROID}exported") == "false"
    assert provider.get(f"{ANDROID}grantUriPermissions") == "true"
    (paths,) = provider.iter("meta-data")
    assert paths.get(f"{ANDROID}resource") == "@xml/file_paths"
    file = packed / "project" / "src" / "main" / "res" / "xml" / "file_paths.xml"
    granted = [p.get("path") for p in ElementTree.parse(file).getroot()]  # noqa: S314 our own
    assert granted == ["companion/photos/", "companion/shared/"]


def test_the_hook_stops_a_build_whose_template_changed() -> None:
    whole = "<manifest><application>\n</application></manifest>"
    once = hook.with_provider(whole)
    assert hook.with_provider(once) == once
    with pytest.raises(ValueError, match="changed its template"):
        hook.with_provider("<manifest/>")


@pytest.mark.parametrize("name", drawings.PICTURES)
def test_pictures_are_those_that_are_drawn(packed: Path, name: str) -> None:
    with Image.open(ROOT / "package" / f"{name}.png") as kept:
        drawn = drawings.PICTURES[name]()
        assert kept.size == drawn.size
        off = np.abs(np.asarray(kept, np.int16) - np.asarray(drawn, np.int16))
        # Other versions of the drawing library round edges a little differently.
        assert off.mean() < 1
    place = {"icon": "mipmap/icon.png", "presplash": "drawable/presplash.jpg"}.get(name, f"mipmap/{name}.png")
    resource = packed / "project" / "src" / "main" / "res" / place
    assert resource.read_bytes() == (ROOT / "package" / f"{name}.png").read_bytes()


def _modules(app: Path) -> set[str]:
    names = {".".join(p.relative_to(app).with_suffix("").parts) for p in app.rglob("*.pyc")}
    return {n.removesuffix(".__init__") for n in names}


def test_the_package_holds_the_modules_that_the_app_needs_and_no_others(packed: Path) -> None:
    # The last one is buildozer's own.
    assert _modules(packed / "app") == imports.needed() | {"main", "sitecustomize"}


def test_the_package_holds_all_data_and_nothing_else(packed: Path) -> None:
    app = packed / "app"
    files = {p.relative_to(app) for p in app.rglob("*") if p.is_file() and p.suffix != ".pyc"}
    wanted = {Path("LICENSE"), Path("p4a_env_vars.txt")}
    for board in available():
        wanted |= {Path("maps", board, f"{part}.json") for part in ("meta", "cities", "routes", "tickets")}
    sources = (
        ("maps/fonts", "*.ttf"), ("maps/fonts", "*.txt"), ("models", "**/*.onnx"), ("models", "**/*.npz"),
        ("models", "checksums.json"),
        ("companion/practice", "*.j*"), ("companion/ui", "**/*.kv"),
        *((f"companion/lang/{language}", "*.json") for language in LANGUAGES),
    )  # fmt: skip
    for folder, pattern in sources:
        wanted |= {p.relative_to(ROOT) for p in (ROOT / folder).glob(pattern)}
    assert files == wanted


@pytest.mark.parametrize("left", ["practice-annotated.jpg", "checked.jpg", "tickets.json", "models/old.json", "a.txt"])
def test_what_commands_left_beside_the_program_is_not_packed(left: str) -> None:
    spec = _spec()
    assert any(fnmatch(left, pattern) for pattern in _list(spec["source.exclude_patterns"]))
    assert not any(fnmatch(left, pattern) for pattern in _list(spec["source.include_patterns"]))


def test_the_package_is_small(packed: Path) -> None:
    app = packed / "app"
    sizes = {p: p.stat().st_size for p in app.rglob("*") if p.is_file()}
    assert sum(sizes.values()) < MOST_CONTENTS


def test_the_models_are_small(packed: Path) -> None:
    models = packed / "app" / "models"
    sizes = {str(p.relative_to(models)): p.stat().st_size for p in models.rglob("*") if p.is_file()}
    assert sum(sizes.values()) < MOST_MODELS, sorted(sizes.items(), key=lambda s: -s[1])[:8]


def test_every_module_is_importable_with_what_a_phone_has(packed: Path, phone: Any) -> None:
    told = phone("import_all.py")
    assert set(told["imported"]) == _modules(packed / "app") - {"main", "sitecustomize"}
    assert "onnxruntime" not in told["imported"]


def test_only_packages_of_the_phone_are_imported_anywhere() -> None:
    known = {"PIL", "android", "arabic_reshaper", "bidi", "cv2", "jnius", "kivy", "numpy", "platformdirs", "pyzbar"}
    assert imports.outside(imports.needed()) - set(sys.stdlib_module_names) <= known | DESKTOP_ONLY


def test_what_is_used_of_opencv_is_in_the_recipes_version(resolved: dict[str, Any]) -> None:
    """Against the names that this version has, written down from its wheel without contrib and without Python files."""
    known = Path(__file__).with_name(f"opencv-{resolved['versions']['opencv']}.txt").read_text(encoding="utf-8").split()
    names = imports.opencv_names(imports.needed())
    assert "dnn.readNetFromONNX" in names
    assert names <= set(known)
