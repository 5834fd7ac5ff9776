"""`companion eval`: how well recordings are read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.eval_text import stress_table, text
from companion.cli.inputs import json_file, positive, writable, write_text
from companion.cli.output import DONE, NO, Output
from companion.cli.progress import Bar
from companion.lang import tell
from maps import Trouble, load

if TYPE_CHECKING:
    from vision.evaluation import Row
    from vision.recordings import Recording


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--report", metavar="OUT.html")
    parser.add_argument("--csv", metavar="OUT.csv")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N")
    parser.add_argument("--against", metavar="OLD.json")
    parser.add_argument("--floor", metavar="FILE")
    parser.add_argument("--write-floor", metavar="FILE")
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("--stress", metavar="OUT_DIR")
    parser.add_argument("--sample", type=positive, metavar="N")


def run(args: argparse.Namespace, out: Output) -> int:
    # OpenCV and the models load only for the commands that look at pictures.
    from vision import evaluation

    if args.stress:
        return _stress(args, out)
    old = json_file(args.against) if args.against else None
    floors = json_file(args.floor) if args.floor else None
    # Reading takes minutes: what is wrong with other files is told before it begins.
    for wanted, check in ((old, evaluation.rows_of), (floors, evaluation.entries_of)):
        if wanted is not None:
            check(wanted)
    for path in (args.report, args.csv, args.write_floor):
        if path:
            writable(path)
    with Bar(out.say("eval.reading")) as bar:
        rows = evaluation.evaluate(args.folders, jobs=args.jobs, blind=args.blind, progress=bar)
    if not rows:
        raise Trouble("no-recordings", folders=[str(f) for f in args.folders])
    told = evaluation.document(rows, lambda problem: tell(problem, out.language))
    changes = evaluation.against(old, told) if old is not None else None
    kept = evaluation.against_floors(told["totals"], floors) if floors is not None else []
    if changes is not None:
        told["against"] = changes.to_json()
    if floors is not None:
        told["floors"] = [floor.to_json() for floor in kept]
    _write_files(args, rows, told, out)
    if out.as_json:
        out.document(told)
    else:
        out.text(text(told, changes, kept, out))
    return DONE if all(floor.held for floor in kept) else NO


def _write_files(args: argparse.Namespace, rows: Sequence[Row], told: Mapping[str, Any], out: Output) -> None:
    from vision.evaluation import recorded, to_csv

    if args.csv:
        write_text(args.csv, to_csv(rows, lambda problem: tell(problem, out.language)))
    if args.write_floor:
        write_text(args.write_floor, json.dumps(recorded(told["totals"]), indent=1) + "\n")
    if args.report:
        from companion.cli.report import page

        write_text(args.report, page(rows, told, out.language))
        out.note(out.say("eval.report-written", file=args.report))


def _stress(args: argparse.Namespace, out: Output) -> int:
    """Reads photos made worse step by step; writes a plot for each board."""
    from vision.evaluation import gather, sweep
    from vision.evaluation.plots import plot
    from vision.evaluation.rows import source_of

    folder = Path(args.stress)
    found = _sampled(gather(args.folders), args.sample)
    if not found:
        raise Trouble("no-recordings", folders=[str(f) for f in args.folders])
    with Bar(out.say("eval.stressing")) as bar:
        curves = sweep(found, jobs=args.jobs, progress=bar)
    pictures = []
    for board in sorted({c.board for c in curves}):
        mine = [c for c in curves if c.board == board]
        sources = {source_of(r.truth) for r in found if r.truth.get("board") == board}
        told = [out.say(f"eval.source-{source}") for source in sorted(sources)]
        title = out.say("eval.stress-title", board=load(board).name, n=mine[0].points[0].photos, source=told)
        picture = folder / f"stress-{board}.png"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            plot(mine, title, lambda key: out.say(f"eval.{key}")).save(picture, optimize=True)
        except OSError as error:
            raise Trouble("picture-not-written", file=str(picture), reason=error.strerror or str(error)) from error
        pictures.append(str(picture))
    if out.as_json:
        out.document({"curves": [c.to_json() for c in curves], "plots": pictures})
    else:
        out.text("\n".join([stress_table(curves, out), "", *pictures]))
    return DONE


def _sampled(found: Sequence[Recording], most: int | None) -> list[Recording]:
    """At most that many recordings of each board, spread evenly over them all."""
    boards: dict[str, list[Recording]] = {}
    for recording in found:
        if recording.of_board and recording.problem is None:
            boards.setdefault(str(recording.truth["board"]), []).append(recording)
    chosen = []
    for mine in boards.values():
        n = min(most or len(mine), len(mine))
        chosen += [mine[round((i + 0.5) * len(mine) / n - 0.5)] for i in range(n)]
    return chosen
