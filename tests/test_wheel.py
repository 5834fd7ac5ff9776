"""What players install: the wheel holds the program and its data, no training code, and works in an empty folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: what an earlier build left in the checkout must not get in."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for room in ("companion", "maps", "models", "vision"):
        shutil.copytree(ROOT / room, source / room, ignore=unwanted)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    subprocess.run([sys.executable, "-c", BUILD, str(made)], cwd=source, check=True, capture_output=True)
    (file,) = made.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment with the wheel in it; libraries are borrowed from this one."""
    home = tmp_path_factory.mktemp("fresh")
    venv.create(home, with_pip=True)
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    command = [str(folder / "python"), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(command, check=True)
    told = [str(folder / "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(told, check=True, capture_output=True, text=True).stdout.strip()
    # Only this folder: its own path files, the editable project among them, are not followed.
    Path(packages, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def test_the_wheel_holds_the_program_and_its_data_only(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = {name for name in file.namelist() if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in names} == {"companion", "maps", "models", "vision"}
    assert not [name for name in names if "training" in name or "tests" in name]
    rooms = [(ROOT / room).rglob("*") for room in ("companion", "maps", "models")]
    data = [p for room in rooms for p in room if ROOT / "models" / "training" not in p.parents]
    kept = {p.relative_to(ROOT).as_posix() for p in data if p.suffix in {".json", ".kv", ".npz", ".onnx", ".ttf"}}
    assert kept <= names


def test_the_installed_program_scores_in_an_empty_folder(programs: Path, tmp_path: Path) -> None:
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    env = {**os.environ, "COMPANION_HOME": str(home), "PYTHONPATH": "", "KIVY_NO_ARGS": "1"}
    done = subprocess.run(
        [programs / "companion", "score"], cwd=here, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    checkout = subprocess.run(
        [sys.executable, "-m", "companion", "score"], cwd=home, env=env, capture_output=True, text=True, check=True
    )
    points = [line for line in checkout.stdout.splitlines() if any(c.isdigit() for c in line) and str(ROOT) not in line]
    assert points
    assert [line for line in points if line not in done.stdout] == []
    where = [str(programs / "python"), "-c", "import companion, maps, vision; print(companion.__file__)"]
    told = subprocess.run(where, cwd=here, env=env, capture_output=True, text=True, check=True).stdout
    assert Path(told.strip()).is_relative_to(programs.parent)
