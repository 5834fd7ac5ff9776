"""Packs the app as buildozer and python-for-android would, with their own code, up to the point where Gradle starts.

`python -m package.assemble FOLDER` leaves in FOLDER: `project`, the Android project; `app`, what the phone unpacks.
`python -m package.assemble --recipes` prints the recipes that buildozer.spec resolves to, in their order, as JSON.
"""

from __future__ import annotations

import json
import os
import py_compile
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: buildozer and python-for-android have no types

from buildozer import Buildozer
from pythonforandroid.bootstrap import Bootstrap, copy_files
from pythonforandroid.graph import get_recipe_order_and_bootstrap
from pythonforandroid.recipe import Recipe
from pythonforandroid.toolchain import ToolchainCL
from pythonforandroid.util import current_directory, load_source

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "buildozer.spec"
# Any version will do: the templates only write it down.
BUILD_TOOLS = "36.0.0"


class _Asked(Exception):
    """What buildozer would start python-for-android with."""


class _Toolchain(ToolchainCL):  # type: ignore[misc]
    """python-for-android that reads its arguments and then stops."""

    def create(self, args: Any) -> None:
        self.args = args

    apk = create


def _buildozer(work: Path) -> Any:
    """buildozer with our spec; whatever it writes goes to `work`, also what it keeps at home."""
    os.environ["HOME"] = str(work)
    buildozer = Buildozer(str(SPEC))
    buildozer.config.set("buildozer", "build_dir", str(work))
    buildozer.user_bin_dir = str(work / "bin")
    buildozer.set_target("android")
    return buildozer


def _toolchain(target: Any, ask: Callable[[], object]) -> _Toolchain:
    """python-for-android with the arguments that buildozer gives it for `ask`."""

    def asked(command: list[str], **_: object) -> None:
        raise _Asked(command)

    target._p4a = asked
    try:
        ask()
    except _Asked as told:
        sys.argv = ["p4a", *told.args[0], *target.extra_p4a_args]
        return _Toolchain()
    raise RuntimeError("buildozer did not start python-for-android")


def recipes(work: Path) -> dict[str, Any]:
    """The build order with each recipe's version, and the modules that come from PyPI."""
    target = _buildozer(work).target
    toolchain = _toolchain(target, target.compile_platform)
    context = toolchain.ctx
    bootstrap = Bootstrap.get_bootstrap(toolchain.args.bootstrap, context)
    asked = toolchain.args.requirements.split(",")
    order, modules, _ = get_recipe_order_and_bootstrap(context, asked, bootstrap)
    found = {name: Recipe.get_recipe(name, context) for name in order}
    return {
        "asked": asked,
        "order": [name.lower() for name in order],
        "versions": {name.lower(): recipe.version for name, recipe in found.items()},
        "folders": {name.lower(): recipe.get_recipe_dir() for name, recipe in found.items()},
        "modules": sorted(modules),
        "pinned": {name: os.environ[f"VERSION_{name}"] for name in asked if f"VERSION_{name}" in os.environ},
        "archs": toolchain._archs,
    }


def project(work: Path) -> Path:
    """The Android project as Gradle would find it."""
    buildozer = _buildozer(work)
    buildozer._copy_application_sources()
    buildozer._copy_application_libs()
    buildozer._add_sitecustomize()
    folder = Path(buildozer.target.get_dist_dir(buildozer.config.get("app", "package.name")))
    folder.mkdir(parents=True)
    toolchain = _toolchain(buildozer.target, buildozer.target.build_package)
    # buildozer tells it by the environment.
    toolchain.args.android_api = int(buildozer.target.android_api)
    _lay_out(folder, toolchain, work)
    toolchain._fix_args(toolchain.args)
    with current_directory(str(folder)):
        toolchain.hook("before_apk_build")
        build = load_source("build", str(folder / "build.py"))
        build.compile_py_file = _compiled
        build.parse_args_and_make_package(toolchain.args.unknown_args)
        toolchain.hook("after_apk_build")
        toolchain.hook("before_apk_assemble")
    return folder


def _compiled(file: str, optimize_python: bool = True) -> str:
    """What `python -OO -m compileall -b` makes of a module, without a new Python for every one of them."""
    target = str(Path(file).with_suffix(".pyc"))
    py_compile.compile(file, target, doraise=True, optimize=2 if optimize_python else 0)
    return target


def _lay_out(folder: Path, toolchain: _Toolchain, work: Path) -> None:
    """The empty project of the bootstrap, with what the recipes would have left there named, but not built."""
    sdk = work / "sdk"
    (sdk / "build-tools" / BUILD_TOOLS).mkdir(parents=True)
    bootstrap = Bootstrap.get_bootstrap(toolchain.args.bootstrap, toolchain.ctx)
    for part in bootstrap.get_bootstrap_dirs():
        copy_files(f"{part}/build", str(folder))
    # They are for SDL's sources, which are not here.
    shutil.rmtree(folder / "src" / "patches")
    (folder / "project.properties").write_text(f"target=android-{toolchain.args.android_api}", encoding="utf-8")
    (folder / "local.properties").write_text(f"sdk.dir={sdk}", encoding="utf-8")
    archs = toolchain._archs
    for arch in archs:
        (folder / f"_python_bundle__{arch}").mkdir()
        (folder / "libs" / arch).mkdir(parents=True)
    told = {
        "hostpython": sys.executable,
        "bootstrap": toolchain.args.bootstrap,
        "archs": archs,
        "ndk_api": int(toolchain.args.ndk_api),
        "use_setup_py": False,
    }
    (folder / "dist_info.json").write_text(json.dumps(told), encoding="utf-8")


def assemble(into: Path) -> None:
    """Packs the app and unpacks it again, as the phone does when it is first started."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, current_directory(str(ROOT)):
        made = project(Path(work))
        with tarfile.open(made / "src" / "main" / "assets" / "private.tar") as packed:
            # Python 3.11.2, which Debian 12 has, knows no filters yet; the archive is our own.
            if hasattr(tarfile, "data_filter"):
                packed.extractall(into / "app", filter="data")
            else:
                packed.extractall(into / "app")  # noqa: S202 - our own archive
        made.rename(into / "project")


def main(arguments: list[str]) -> int:
    if arguments == ["--recipes"]:
        with tempfile.TemporaryDirectory() as work, current_directory(str(ROOT)):
            told = recipes(Path(work))
        sys.stdout.write(json.dumps(told) + "\n")
        return 0
    if len(arguments) != 1:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    assemble(Path(arguments[0]).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
