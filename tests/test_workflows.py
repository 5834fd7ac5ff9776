"""The files that strangers meet on GitHub: valid, without holes, and true to what the project says of itself."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any  # Any: YAML

import pytest
import yaml

from companion import __version__

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def starter() -> ModuleType:
    spec = importlib.util.spec_from_file_location("starter", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tool(*command: str) -> str:
    """What a tool beside this Python says; fails where it found something."""
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def checks() -> Any:
    return yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8"))


def test_workflows_are_what_github_expects() -> None:
    tool("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS))


def test_issue_forms_are_what_github_expects() -> None:
    forms = [str(f) for f in FORMS if f.name != "config.yml"]
    assert len(forms) >= 2
    tool("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", *forms)


def test_workflows_have_no_holes() -> None:
    tool("zizmor", "--offline", "--quiet", ".github")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.stem)
def test_actions_of_others_are_pinned_to_a_commit(path: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", path.read_text(encoding="utf-8"))
    assert used
    for action, rest in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", rest), f"{action}: say which version that is"


def test_linux_is_checked_with_every_python_that_the_starter_takes() -> None:
    run = starter()
    wanted = [f"3.{minor}" for minor in range(run.OLDEST[1], run.NEWEST[1] + 1)]
    linux = checks()["jobs"]["linux"]
    assert linux["strategy"]["matrix"]["python"] == wanted
    assert [s["run"] for s in linux["steps"] if ".ci/run" in s.get("run", "")] == [".ci/run --tests"]
    assert f"Python {wanted[0]} to {wanted[-1]}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def released(tmp_path: Path) -> Callable[[str, str], subprocess.CompletedProcess[str]]:
    """Runs a step of the release by its name, in a fresh clone, with a GitHub that writes down what it is asked."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a clone: this is a copy without its history")
    here = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(here)], check=True)
    # What is being changed counts, committed or not.
    for name in ("companion/__init__.py", "CHANGELOG.md", "pyproject.toml"):
        (here / name).write_bytes((ROOT / name).read_bytes())
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gh").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    (programs / "gh").chmod(0o755)
    (here / ".venv" / "bin").mkdir(parents=True)
    (here / ".venv" / "bin" / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    (here / ".venv" / "bin" / "python").chmod(0o755)
    steps = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    scripts = {s["name"]: s["run"] for s in steps["jobs"]["wheel"]["steps"] if "run" in s and "name" in s}

    def step(name: str, tag: str) -> subprocess.CompletedProcess[str]:
        script = next(run for told, run in scripts.items() if told.startswith(name))
        env = {**os.environ, "GITHUB_REF_NAME": tag, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(command, cwd=here, env=env, capture_output=True, text=True, check=False)

    return step


@pytest.mark.skipif(os.name == "nt", reason="the release is made on Linux")
def test_the_steps_of_a_release_do_what_they_say(
    released: Callable[[str, str], subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    tag = f"v{__version__}"
    assert released("The tag is the version", tag).returncode == 0
    assert released("The tag is the version", f"{tag}.1").returncode != 0
    made = released("The wheel", tag)
    assert made.returncode == 0, made.stderr
    (wheel,) = (tmp_path / "clone" / "dist").glob("*.whl")
    assert wheel.name.startswith(f"companion-{__version__}-")
    draft = released("The draft", tag)
    assert draft.returncode == 0, draft.stderr
    assert draft.stdout.split()[:4] == ["release", "create", tag, f"dist/{wheel.name}"]
    notes = (tmp_path / "clone" / "notes.md").read_text(encoding="utf-8")
    assert "New features:" in notes
    assert not re.search("^## ", notes, re.M)


def test_workflows_ask_for_what_the_starter_knows() -> None:
    run = starter()
    commands = [s.get("run", "") for job in checks()["jobs"].values() for s in job["steps"]]
    options = {word for c in commands if "run" in c for word in c.split() if word in {"--checks", *run.PARTS}}
    assert options == {"--checks", "--tests", "--no-screen"}
    packages = [package for _, package, _ in (*run.LIBRARIES, *run.TEST_PROGRAMS)]
    installing = [c for c in commands if "apt-get install" in c]
    assert installing
    assert all(package in c for c in installing for package in packages)
