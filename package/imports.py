"""What the app imports, found by reading its source: which of our modules it needs, and what it uses of OpenCV."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ("companion", "maps", "models", "vision")
# Calls that load a module by name.
LOADERS = ("import_module",)


def file_of(module: str) -> Path | None:
    """The source of one of our modules, None if there is no such module."""
    path = ROOT.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    """Names of modules, and of what may be a module, that a source file imports; also those loaded by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Call):
            yield from _loaded(node)


def _loaded(call: ast.Call) -> Iterator[str]:
    name = getattr(call.func, "id", None) or getattr(call.func, "attr", "")
    if name not in LOADERS:
        return
    for argument in call.args:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def needed(start: Path = ROOT / "main.py") -> set[str]:
    """Our modules that the app needs, with the packages they lie in."""
    found: set[str] = set()
    files = [start]
    while files:
        for name in imported(_tree(files.pop())):
            parts = name.split(".")
            if parts[0] not in OURS:
                continue
            for i in range(1, len(parts) + 1):
                module = ".".join(parts[:i])
                file = file_of(module)
                if file is not None and module not in found:
                    found.add(module)
                    files.append(file)
    return found


def outside(modules: set[str]) -> set[str]:
    """The packages of others that these modules import anywhere."""
    trees = [_tree(file) for module in modules if (file := file_of(module))]
    return {name.split(".")[0] for tree in trees for name in imported(tree)} - set(OURS) - {"__future__"}


def opencv_names(modules: set[str]) -> set[str]:
    """Everything of cv2 that these modules use, as dotted names without the cv2 in front."""
    files = [file for module in modules if (file := file_of(module))]
    found = {name for file in files for name in _attributes(_tree(file))}
    return {name for name in found if not any(other.startswith(name + ".") for other in found)}


def _attributes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        names: list[str] = []
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        if names and isinstance(inner, ast.Name) and inner.id == "cv2":
            yield ".".join(reversed(names))
