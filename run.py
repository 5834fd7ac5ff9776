#!/usr/bin/env python3
"""Starts the companion on a fresh machine: makes .venv, installs what is missing, passes the arguments on.

    python3 run.py score          reads and scores the practice photo that comes with the program
    python3 run.py test           lint, types, import rules and all tests, with the versions of requirements/dev.txt
    python3 run.py test --fast    rules, table, maps and words only, in less than a minute
    python3 run.py test --checks  only lint, types and import rules; --tests: only the tests
    python3 run.py attack         the attacks of tests/attack, long: --minutes N
    python3 run.py lock           writes these versions anew
    python3 run.py ARGS...        the same as `companion ARGS...`

Only the standard library is used here, and only syntax that older Pythons can read, so that they get a plain message.
"""

import ctypes.util
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

OLDEST, NEWEST = (3, 10), (3, 13)
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "installed.txt"
LOCK = ROOT / "requirements" / "dev.txt"
# One list for every Python and system, with hashes and without the name of a server.
LOCKING = (
    "--extra dev --extra android --extra cluster --constraint requirements/same.txt --output-file requirements/dev.txt "
    "--universal --python-version 3.10 --fork-strategy fewest --generate-hashes --no-emit-index-url "
    "--no-header --no-annotate --quiet"
)

# What to look for, the Debian package that brings it, and what it is for.
LIBRARIES = (
    ("GL", "libgl1", "pictures and the app"),
    ("EGL", "libegl1", "the app"),
    ("zbar", "libzbar0", "QR codes and barcodes"),
)
TEST_PROGRAMS = (("Xvfb", "xvfb", "the tests of the app"),)

CHECKS = (
    ("lint", ["ruff", "check", "."]),
    ("format", ["ruff", "format", "--check", "."]),
    ("types", ["mypy"]),
    ("import rules", ["lint-imports"]),
)

# Parts of the tests: all of them, those without photos and screens, those without a screen.
PARTS = {
    "--tests": (),
    "--fast": (
        *("tests/rules", "tests/games", "tests/table", "tests/maps", "tests/lang"),
        *("maps", "companion/rules", "companion/table", "companion/lang"),
    ),
    "--no-screen": ("--ignore=tests/ui", "--ignore=tests/android", "--ignore=companion/ui"),
}


def say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def right_python() -> bool:
    """Whether this Python can run the program; says what to do where it can't."""
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        return True
    say(
        "The companion needs Python {}.{} to {}.{}; this is Python {}.{}. Start it with another one, for instance: "
        "python3.12 run.py".format(*OLDEST, *NEWEST, *sys.version_info[:2])
    )
    return False


def missing_packages(for_tests: bool) -> "list[tuple[str, str]]":
    """Debian packages that are not there, with what they are for; elsewhere the libraries come with the wheels."""
    if not sys.platform.startswith("linux"):
        return []
    missing = [(package, use) for name, package, use in LIBRARIES if not ctypes.util.find_library(name)]
    if for_tests:
        missing += [(package, use) for name, package, use in TEST_PROGRAMS if not shutil.which(name)]
    return missing


def system_packages(for_tests: bool) -> None:
    """Installs missing system packages where that is allowed, names them where it isn't."""
    if sys.platform == "darwin" and not ctypes.util.find_library("zbar"):
        say("QR codes need zbar: brew install zbar (everything else works without it).")
    missing = missing_packages(for_tests)
    if not missing:
        return
    names = [package for package, _ in missing]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"Installing system packages: {' '.join(names)}")
        quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", *names]):
            subprocess.call(command, env=quiet, stdout=subprocess.DEVNULL)
        missing = missing_packages(for_tests)
    for package, use in missing:
        say(f"Missing on this system: {package} (for {use}). On Debian or Ubuntu: sudo apt-get install {package}")


def wanted_stamp(for_tests: bool) -> str:
    """Changes whenever something else has to be installed."""
    files = [ROOT / "pyproject.toml", *([LOCK] if for_tests else [])]
    digest = hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()[:16]
    return f"{digest} {sys.version_info[0]}.{sys.version_info[1]} {ROOT} {'tests' if for_tests else ''}"


def installed(for_tests: bool) -> bool:
    """Whether .venv holds everything; what the tests need includes what the program needs."""
    if not (PYTHON.exists() and STAMP.exists()):
        return False
    return STAMP.read_text(encoding="utf-8").strip("\n") in {wanted_stamp(for_tests), wanted_stamp(True)}


def install(for_tests: bool) -> bool:
    """Makes .venv and installs the project into it; the stamp is written last, so a torn install is done again.

    Players get what fits, tests run with the locked versions.
    """
    say("Installing the companion into .venv (once, a minute or two)...")
    if STAMP.exists():
        STAMP.unlink()
    uv = shutil.which("uv")
    if not _python_works(needs_pip=not uv):
        shutil.rmtree(str(VENV), ignore_errors=True)
        if uv:
            subprocess.call([uv, "venv", "--quiet", "--python", sys.executable, str(VENV)])
        else:
            venv.create(str(VENV), with_pip=True)
    if uv:
        pip = [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
    else:
        pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = [["--editable", str(ROOT)]]
    if for_tests:
        # The lock names everything: looking for more, the pip of Python 3.12.1 stumbles over `coverage[toml]`.
        steps = [
            ["--no-deps", "--require-hashes", "-r", str(LOCK)],
            ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)],
        ]
    for step in steps:
        done = subprocess.run([*pip, *step], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            say(done.stdout.decode("utf-8", "replace"))
            say("The installation failed: see the lines above. Is there a network? Try again with the same command.")
            return False
    STAMP.write_text(wanted_stamp(for_tests) + "\n", encoding="utf-8")
    return True


def _python_works(needs_pip: bool) -> bool:
    modules = "sys, pip" if needs_pip else "sys"
    check = f"import {modules}; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
    try:
        return subprocess.call([str(PYTHON), "-c", check], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def test(arguments: "list[str]") -> int:
    """All checks, then all tests; with arguments only the tests that they choose."""
    # Each worker begins with its own folders; whoever is done first takes over what another has not begun.
    everywhere = ["-n", str(min(os.cpu_count() or 1, 8)), "--dist", "worksteal", "-q"]
    first, rest = (arguments[0] if arguments else ""), arguments[1:]
    if first in PARTS:
        arguments = [*everywhere, *PARTS[first], *rest]
    if first == "--checks":
        return 0 if checked() else 1
    passed = bool(arguments) or checked()
    say("== tests")
    command = [str(PYTHON), "-m", "pytest", *(arguments or everywhere)]
    code = subprocess.call(command, cwd=str(ROOT), env=dict(os.environ, KIVY_NO_ARGS="1"))
    return code or (0 if passed else 1)


def checked() -> bool:
    """Lint, types and import rules, all of them even where one fails."""
    failed = []
    for name, command in CHECKS:
        say(f"== {name}")
        if subprocess.call([str(BIN / command[0]), *command[1:]], cwd=str(ROOT)) != 0:
            failed.append(name)
    if failed:
        say(f"Failed: {', '.join(failed)}")
    return not failed


def lock(arguments: "list[str]") -> int:
    """Writes requirements/dev.txt; what is locked stays while it fits, `--upgrade` takes the newest."""
    uv = shutil.which("uv")
    if not uv:
        say("The lock is made by uv: pip install uv")
        return 2
    return subprocess.call([uv, "pip", "compile", "pyproject.toml", *LOCKING.split(), *arguments], cwd=str(ROOT))


def main(arguments: "list[str]") -> int:
    if not right_python():
        return 2
    if arguments[:1] == ["lock"]:
        return lock(arguments[1:])
    testing = arguments[:1] in (["test"], ["attack"])
    if not installed(testing):
        system_packages(testing)
        if not install(testing):
            return 2
    if arguments[:1] == ["attack"]:
        return subprocess.call([str(PYTHON), "-m", "tests.attack", *arguments[1:]], cwd=str(ROOT))
    if testing:
        return test(arguments[1:])
    # The console script, not `-m`: that would look for modules in the player's own folder first.
    return subprocess.call([str(BIN / "companion"), *arguments])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
