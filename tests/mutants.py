"""Small mistakes made in the rules on purpose, one at a time: which of them does no test notice?

`python -m tests.mutants --sample 300` collects the tests of the rules, notes which of them run which line, then changes
one place of `companion/rules` at a time in a child process and runs the tests that come by there, the most particular
first. What survives is printed with its line; docs/testing-rules.md says what became of the last run.
"""

from __future__ import annotations

import argparse
import ast
import functools
import gc
import json
import os
import random
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any  # Any: only from Python 3.11 on

import coverage
import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).resolve().parent.parent
RULES = Path("companion/rules")
# What takes longer is asked only where nothing else noticed.
SLOW = ("tests/rules/test_offers.py", "tests/rules/test_against_naive.py")
LEFT_OUT = ("test_perft.py", "test_simulated_games.py", "test_claims_by_chance.py")
# Whole games, or positions counted by the second scorer, that have what a file is about.
GAMES = {
    "token": "tokens_laid[4]", "depot": "[usa-5", "team": "[asia-4", "share": "[pennsylvania-2", "scoring": "naive",
    "technology": "[united-kingdom-advanced-2", "mountain": "[legendary-asia-5", "supply": "[san-francisco-4",
}  # fmt: skip
# Seconds after which the tests of a mutant are taken to hang, which is noticed too.
HANGS = 300

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
    end: int
    place: int
    what: str


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mistake that can be made in what a file's functions do; its data have tests of their own."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    inside = {id(node) for function in ast.walk(tree) for part in _body(function) for node in ast.walk(part)}
    for place, node in enumerate(ast.walk(tree)):
        what = _what(node)
        if what and id(node) in inside:
            line = getattr(node, "lineno", 0)
            end = getattr(node.test if isinstance(node, ast.If) else node, "end_lineno", line)
            yield Mutant(path.as_posix(), line, end, place, what)


def _body(node: ast.AST) -> Sequence[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        return node.body
    return [node.body] if isinstance(node, ast.Lambda) else []


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


def changed(source: str, mutant: Mutant) -> ast.Module:
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
        node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1
    elif isinstance(node, ast.UnaryOp):
        parent = parents[node]
        for name, value in ast.iter_fields(parent):
            if value is node:
                setattr(parent, name, node.operand)
            elif isinstance(value, list) and node in value:
                value[value.index(node)] = node.operand
    return ast.fix_missing_locations(tree)


Code = tuple[str, int, tuple[object, ...]]


def _key(code: CodeType) -> Code:
    """What tells a function: its name and line, and for several lambdas of a line where they stand."""
    positions: Any = getattr(code, "co_positions", tuple)() if code.co_name == "<lambda>" else ()
    where = [(p[0], p[2]) for p in positions if p[2] is not None]
    return code.co_name, code.co_firstlineno, tuple(min(where, default=()))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def put_in(mutant: Mutant) -> None:
    """Every function of the file becomes the one with the mistake; what was counted before is forgotten."""
    file = ROOT / mutant.file
    compiled = compile(changed(file.read_text(encoding="utf-8"), mutant), str(file), "exec", dont_inherit=True)
    codes = {_key(code): code for code in _codes(compiled)}
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()
        elif isinstance(thing, FunctionType) and thing.__code__.co_filename == str(file):
            code = codes[_key(thing.__code__)]
            if code.co_freevars == thing.__code__.co_freevars:
                thing.__code__ = code


class Mutating:
    """A plugin: instead of running the tests once, runs those of each mutant in a child of its own."""

    def __init__(self, chosen: Sequence[Mutant], out: Path | None) -> None:
        self.chosen, self.out = chosen, out
        self.lines = out.read_text("utf-8").splitlines() if out and out.exists() else []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        late = [item for item in session.items if item.nodeid.startswith(SLOW)]
        quick = {item.nodeid: item for item in session.items if not item.nodeid.startswith(SLOW)}
        # Survivors of an earlier run are asked the slow ones only.
        coming = None if late else Coming(list(quick.values()))
        known = {json.dumps(json.loads(line)["mutant"]) for line in self.lines}
        for mutant in self.chosen:
            if json.dumps(asdict(mutant)) in known:
                continue
            near = [quick[test] for test in coming.by(mutant)] if coming else []
            far = GAMES.get(Path(mutant.file).stem, GAMES.get(Path(mutant.file).parent.name, "[europe-5"))
            stages = {"quick": near, "slow": [item for item in late if far in item.nodeid]}
            stage = next((name for name, items in stages.items() if items and not _child(mutant, items)), "")
            sys.__stdout__ and print(f"{stage or 'SURVIVED':9} {mutant.file}:{mutant.line} {mutant.what}", flush=True)
            self.lines.append(json.dumps({"mutant": asdict(mutant), "noticed": stage, "tests": len(near)}))
            if self.out:
                with self.out.open("a", encoding="utf-8") as out:
                    out.write(self.lines[-1] + "\n")
        return True


class Coming:
    """Which tests come by a line of the rules."""

    def __init__(self, items: Sequence[pytest.Item]) -> None:
        watch = coverage.Coverage(data_file=None, source=[str(ROOT / RULES)], config_file=False)
        watch.start()
        for item in items:
            watch.switch_context(item.nodeid)
            if not _run([item]):
                sys.exit(f"{item.nodeid} fails as it is")
        watch.stop()
        data = watch.get_data()
        self._tests: dict[str, Mapping[int, list[str]]] = {
            Path(file).relative_to(ROOT).as_posix(): data.contexts_by_lineno(file) for file in data.measured_files()
        }
        self._width = Counter(
            test for lines in self._tests.values() for tests in lines.values() for test in tests if test
        )

    def by(self, mutant: Mutant) -> list[str]:
        """The tests that run a mutant's lines, the most particular first."""
        lines = self._tests.get(mutant.file, {})
        tests = {test for n in range(mutant.line, mutant.end + 1) for test in lines.get(n, ()) if test}
        return sorted(tests, key=lambda test: (self._width[test], test))


def _run(items: Sequence[pytest.Item]) -> bool:
    """Whether tests pass; stops at the first that does not."""
    for item in items:
        reports = runtestprotocol(item, log=False, nextitem=None)
        if any(report.failed for report in reports):
            return False
    return True


def _child(mutant: Mutant, items: Sequence[pytest.Item]) -> bool:
    """Whether the tests pass with the mistake in."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    # The child never comes back here, whatever happens.
    code = 1
    try:
        signal.alarm(HANGS)
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            put_in(mutant)
            code = 0 if _run(items) else 1
    finally:
        os._exit(code)


def shares(every: Mapping[Path, Sequence[Mutant]], most: int, chance: random.Random) -> list[Mutant]:
    """So many mutants, every file with its share, in an order of which any beginning is a fair sample."""
    ranked = [
        ((i + chance.random()) / len(of_file), mutant)
        for of_file in every.values()
        for i, mutant in enumerate(chance.sample(of_file, len(of_file)))
    ]
    return [mutant for _, mutant in sorted(ranked, key=lambda pair: pair[0])][:most]


def table(results: Iterable[Mapping[str, Any]]) -> str:
    """Tried, noticed at which stage, and survivors, file by file."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        file = Path(result["mutant"]["file"]).relative_to(RULES).as_posix()
        counts[file][result["noticed"] or "survived"] += 1
    head = ("quick", "slow", "survived")
    total = sum(counts.values(), Counter[str]())
    found = [*sorted(counts.items()), ("all", total)]
    rows = [[name, str(n.total()), *(str(n[h]) for h in head)] for name, n in found]
    return "\n".join("| " + " | ".join(row) + " |" for row in [["file", "tried", *head], ["---"] * 5, *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("where", nargs="*", type=Path, default=[RULES], help="files or folders of the rules; else all")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", action="store_true", help="asks a whole game or the second scorer as well")
    parser.add_argument("--survivors", type=Path, help="tries those again that survived in this file")
    parser.add_argument("--out", type=Path, help="a JSON line for each mutant; those in it are not tried again")
    args = parser.parse_args()
    files = sorted(p.relative_to(ROOT) for p in (ROOT / RULES).rglob("*.py") if p.name != "__init__.py")
    files = [file for file in files if any(file.is_relative_to(where) for where in args.where)]
    every = {file: found for file in files if (found := list(mutants(file)))}
    chosen = shares(every, args.sample, random.Random(args.seed))
    if args.survivors:
        told = [json.loads(line) for line in args.survivors.read_text("utf-8").splitlines()]
        chosen = [Mutant(**line["mutant"]) for line in told if not line["noticed"]]
    plugin = Mutating(chosen, args.out)
    tests = [str(p) for p in sorted((ROOT / "tests/rules").glob("test_*.py")) if p.name not in LEFT_OUT]
    tests = [t for t in tests if args.slow or not t.endswith(SLOW)]
    # The pages of the rules hold every sentence of every variant.
    tests.append(str(ROOT / "tests/cli/test_rules.py"))
    os.chdir(ROOT)
    pytest.main(["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", *tests], plugins=[plugin])
    print(table(map(json.loads, plugin.lines)))
    print(f"of {sum(map(len, every.values()))} places")


if __name__ == "__main__":
    main()
