"""Small mistakes made in the rules on purpose, one at a time: which of them does no test notice?

`python -m tests.mutants --sample 60` copies the project, changes one place of `companion/rules` at a time and runs the
tests of the rules, the likeliest first. What survives is printed with its line; docs/testing-rules.md says what became
of the last run.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULES = Path("companion/rules")
COPIED = ("companion", "maps", "tests", "vision", "pyproject.toml")
# Tests that look at a module first; all the others follow.
FIRST = {
    "claim": ("claims", "books"),
    "tunnel": ("tunnels",),
    "draw": ("draws", "books"),
    "tickets": ("ticket_actions", "books", "malformed_actions"),
    "team": ("books", "ticket_actions", "draws"),
    "technology": ("technologies", "books"),
    "position": ("position", "turns"),
    "fields": ("position", "malformed_actions"),
    "cards": ("claims", "technologies"),
    "turn": ("turns", "books"),
    "variant": ("variants",),
    "variants": ("variants", "books"),
    "final": ("scoring", "ties"),
    "ranking": ("ties",),
    "trails": ("trails",),
    "sweep": ("trails",),
    "connections": ("scoring", "against_naive"),
    "networks": ("scoring", "against_naive"),
}
QUICK = (
    "books", "turns", "extras", "problems", "claims", "draws", "ticket_actions", "technologies", "tunnels", "scoring",
    "ties", "trails", "position", "variants", "rulebook", "malformed_actions",
)  # fmt: skip
# What takes longer is asked only where nothing else noticed.
SLOW = ("tests/rules/test_offers.py", "tests/rules/test_against_naive.py", "tests/games", "tests/table/test_game.py")
SECONDS = 900

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv}


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, and what it does."""

    file: str
    line: int
    place: int
    what: str


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mistake that can be made in a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for place, node in enumerate(ast.walk(tree)):
        what = _what(node)
        if what:
            yield Mutant(path.as_posix(), getattr(node, "lineno", 0), place, what)


def _what(node: ast.AST) -> str:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
        return f"{type(node.ops[0]).__name__} becomes {_COMPARE[type(node.ops[0])].__name__}"
    if isinstance(node, ast.BoolOp):
        return "and becomes or" if isinstance(node.op, ast.And) else "or becomes and"
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC and not isinstance(node.left, ast.JoinedStr):
        return f"{type(node.op).__name__} becomes {_ARITHMETIC[type(node.op)].__name__}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "not is left out"
    if isinstance(node, ast.If):
        return "the condition is turned round"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return f"{node.value} becomes {not node.value}"
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return f"{node.value} becomes {node.value + 1}"
    return ""


def changed(source: str, mutant: Mutant) -> str:
    """The file with the mistake in it."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    node = list(ast.walk(tree))[mutant.place]
    if isinstance(node, ast.Compare):
        node.ops[0] = _COMPARE[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.BinOp):
        node.op = _ARITHMETIC[type(node.op)]()
    elif isinstance(node, ast.If):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1
    elif isinstance(node, ast.UnaryOp):
        parent = parents[node]
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, node.operand)
            elif isinstance(value, list) and node in value:
                value[value.index(node)] = node.operand
    return ast.unparse(ast.fix_missing_locations(tree))


def noticed(copy: Path, mutant: Mutant) -> str:
    """The stage at which some test fails; empty if none does."""
    first = FIRST.get(Path(mutant.file).stem, ("books", "turns"))
    stages = {
        "first": [f"tests/rules/test_{name}.py" for name in first],
        "quick": [f"tests/rules/test_{name}.py" for name in QUICK if name not in first],
        "slow": list(SLOW),
    }
    file = copy / mutant.file
    source = file.read_text(encoding="utf-8")
    try:
        file.write_text(changed(source, mutant), encoding="utf-8")
        return next((stage for stage, tests in stages.items() if not _passes(copy, tests)), "")
    finally:
        file.write_text(source, encoding="utf-8")


def _passes(copy: Path, tests: list[str]) -> bool:
    """Runs tests in a child that has the libraries already, and none of our modules."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    # The child never comes back here, whatever happens.
    code = 1
    try:
        os.chdir(copy)
        sys.path[0] = str(copy)
        signal.alarm(SECONDS)
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            code = int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))
    finally:
        os._exit(code)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, help="one JSON line for each mutant; those in it already are not tried again"
    )
    args = parser.parse_args()
    files = sorted(p.relative_to(ROOT) for p in (ROOT / RULES).rglob("*.py") if p.name != "__init__.py")
    every = [m for file in files for m in mutants(file)]
    chosen = random.Random(args.seed).sample(every, min(args.sample, len(every)))
    tried = set(args.out.read_text("utf-8").splitlines()) if args.out and args.out.exists() else set()
    known = {json.dumps(json.loads(line)["mutant"]) for line in tried}
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.onnx"))
            else:
                shutil.copy(source, copy / name)
        if not _passes(copy, [f"tests/rules/test_{name}.py" for name in ("ties", "books")]):
            sys.exit("the tests fail as it is")
        for mutant in chosen:
            if json.dumps(asdict(mutant)) in known:
                continue
            stage = noticed(copy, mutant)
            survivors += not stage
            print(f"{stage or 'SURVIVED':9} {mutant.file}:{mutant.line} {mutant.what}", flush=True)
            if args.out:
                with args.out.open("a", encoding="utf-8") as out:
                    out.write(json.dumps({"mutant": asdict(mutant), "noticed": stage}) + "\n")
    print(f"{len(chosen)} of {len(every)} tried, {survivors} survived")


if __name__ == "__main__":
    main()
