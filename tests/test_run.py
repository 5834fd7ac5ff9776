"""The starter: plain messages on other Pythons, system packages named, nothing installed twice."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any  # Any: stands in for subprocess

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def starter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("starter", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    venv = tmp_path / ".venv"
    monkeypatch.setattr(module, "VENV", venv)
    monkeypatch.setattr(module, "BIN", venv / "bin")
    monkeypatch.setattr(module, "PYTHON", venv / "bin" / "python")
    monkeypatch.setattr(module, "STAMP", venv / "installed.txt")
    return module


class Calls:
    """Stands in for subprocess: notes what was started and answers 0."""

    PIPE = STDOUT = DEVNULL = -1

    def __init__(self, code: int = 0) -> None:
        self.made: list[list[str]] = []
        self.code = code

    def call(self, command: list[str], **_: object) -> int:
        self.made.append(command)
        return self.code

    def run(self, command: list[str], **_: object) -> Any:
        self.made.append(command)
        return type("Done", (), {"returncode": self.code, "stdout": b"no network"})()


def test_only_the_standard_library_is_imported() -> None:
    tree = ast.parse((ROOT / "run.py").read_text(encoding="utf-8"))
    names = {n.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for n in node.names}
    names |= {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert names <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("version", [(3, 8), (3, 9), (3, 14), (4, 0)])
def test_other_pythons_get_a_plain_message(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], version: tuple[int, int]
) -> None:
    monkeypatch.setattr(starter.sys, "version_info", (*version, 0))
    assert starter.main(["score"]) == 2
    assert f"this is Python {version[0]}.{version[1]}" in capsys.readouterr().err


def test_the_file_can_be_read_by_older_pythons() -> None:
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 7))


@pytest.mark.parametrize("uv", [None, "/usr/bin/uv"])
def test_first_start_installs_then_passes_the_arguments_on(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, uv: str | None
) -> None:
    calls = Calls()
    monkeypatch.setattr(starter, "subprocess", calls)
    monkeypatch.setattr(starter.shutil, "which", lambda name: uv if name == "uv" else f"/usr/bin/{name}")
    monkeypatch.setattr(starter.ctypes.util, "find_library", lambda name: name)
    starter.VENV.mkdir()
    assert starter.main(["maps", "--check"]) == 0
    assert any("--editable" in c for c in calls.made)
    assert any(c[0] == uv for c in calls.made) == (uv is not None)
    assert calls.made[-1] == [str(starter.BIN / "companion"), "maps", "--check"]
    # Second start: nothing left to install.
    starter.BIN.mkdir()
    starter.PYTHON.touch()
    calls.made.clear()
    assert starter.main(["maps"]) == 0
    assert calls.made == [[str(starter.BIN / "companion"), "maps"]]


def test_what_the_tests_need_covers_what_the_program_needs(starter: ModuleType) -> None:
    starter.BIN.mkdir(parents=True)
    starter.PYTHON.touch()
    starter.STAMP.write_text(starter.wanted_stamp(True) + "\n", encoding="utf-8")
    assert starter.installed(False)
    starter.STAMP.write_text(starter.wanted_stamp(False) + "\n", encoding="utf-8")
    assert starter.installed(False)
    assert not starter.installed(True)


@pytest.mark.parametrize("uv", [None, "/usr/bin/uv"])
def test_tests_get_the_locked_versions_and_players_what_fits(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, uv: str | None
) -> None:
    calls = Calls()
    monkeypatch.setattr(starter, "subprocess", calls)
    monkeypatch.setattr(starter, "_python_works", lambda **_: True)
    monkeypatch.setattr(starter.shutil, "which", lambda name: uv if name == "uv" else f"/usr/bin/{name}")
    starter.VENV.mkdir()
    assert starter.install(True)
    locked, project = calls.made
    assert locked[-4:] == ["--no-deps", "--require-hashes", "-r", str(ROOT / "requirements" / "dev.txt")]
    assert project[-4:] == ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    calls.made.clear()
    assert starter.install(False)
    assert [c[-2:] for c in calls.made] == [["--editable", str(ROOT)]]


def test_the_fast_tests_need_no_photo_and_no_screen(starter: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls()
    monkeypatch.setattr(starter, "subprocess", calls)
    assert starter.test(["--fast", "-k", "tunnel"]) == 0
    (command,) = calls.made
    assert "tests/rules" in command
    assert command[-2:] == ["-k", "tunnel"]
    paths = [ROOT / path for path in starter.PARTS["--fast"]]
    assert all(path.is_dir() for path in paths)
    assert not any(name in str(path) for path in paths for name in ("vision", "ui", "android"))


@pytest.mark.parametrize(
    ("arguments", "checks", "tests"),
    [([], True, True), (["--checks"], True, False), (["--tests"], False, True), (["tests/rules"], False, True)],
)
def test_checks_and_tests_run_together_or_alone(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, arguments: list[str], checks: bool, tests: bool
) -> None:
    calls = Calls()
    monkeypatch.setattr(starter, "subprocess", calls)
    assert starter.test(arguments) == 0
    started = [Path(command[0]).name for command in calls.made]
    assert ("mypy" in started) == checks
    assert ("python" in started) == tests
    calls.code = 1
    assert starter.test(arguments) == 1


def test_the_lock_names_one_version_of_each_package_and_no_server() -> None:
    text = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    names = re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE)
    assert len(names) == len(set(names))
    # Every one can be checked: a line with a version goes on with hashes.
    assert len(re.findall(r"^[a-z0-9-]+==.*\\\n +--hash=sha256:", text, re.MULTILINE)) == len(names)


def test_the_lock_fits_what_the_project_asks_for() -> None:
    lines = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8").splitlines()
    locked = {line.split("==")[0]: line.split("==")[1].split()[0] for line in lines if "==" in line and line[0] != " "}
    asked = [Requirement(text) for text in importlib.metadata.requires("companion") or ()]
    extras = {"extra == 'train'", 'extra == "train"'}
    for needed in asked:
        if any(extra in str(needed.marker) for extra in extras):
            continue
        assert needed.specifier.contains(locked[needed.name]), f"run `python3 run.py lock`: {needed}"


def test_a_failed_installation_says_so_and_is_tried_again(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(starter, "subprocess", Calls(code=1))
    monkeypatch.setattr(starter, "system_packages", lambda _: None)
    monkeypatch.setattr(starter.venv, "create", lambda *_, **__: starter.VENV.mkdir())
    assert starter.main(["score"]) == 2
    assert "no network" in capsys.readouterr().err
    assert not starter.installed(False)


def test_missing_system_packages_are_named(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(starter.sys, "platform", "linux")
    monkeypatch.setattr(starter.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(starter.ctypes.util, "find_library", lambda _: None)
    monkeypatch.setattr(starter.shutil, "which", lambda _: None)
    starter.system_packages(True)
    err = capsys.readouterr().err
    assert all(package in err for package in ("libgl1", "libegl1", "libzbar0", "xvfb"))
