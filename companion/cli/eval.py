"""`companion eval`: how well recordings are read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.cli.eval_text import films_table, mistake_lines, stress_table, text
from companion.cli.inputs import json_file, make_folder, positive, writable, write_text
from companion.cli.output import BAD_INPUT, DONE, NO, STOPPED, Output
from companion.cli.pictures import write_picture
from companion.cli.progress import Bar
from companion.lang import tell
from maps import Trouble, load

if TYPE_CHECKING:
    from vision.evaluation import Curve, FilmRow, Pool, Row
    from vision.recordings import Recording


# As many of the worst photos as are drawn if nobody says how many.
_WORST = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--report", metavar="OUT.html")
    parser.add_argument("--csv", metavar="OUT.csv")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N")
    parser.add_argument("--cluster", metavar="ADDRESS")
    parser.add_argument("--against", metavar="OLD.json")
    parser.add_argument("--floor", metavar="FILE")
    parser.add_argument("--write-floor", metavar="FILE")
    parser.add_argument("--blind", action="store_true")
    parser.add_argument("--stress", metavar="OUT_DIR")
    parser.add_argument("--worst", metavar="OUT_DIR")
    parser.add_argument("--sample", type=positive, metavar="N")


def run(args: argparse.Namespace, out: Output) -> int:
    # OpenCV and the models load only for the commands that look at pictures.
    from vision import evaluation

    if args.stress:
        return _stress(args, out)
    old, floors = _checked(args)
    watched = _films(args, out)
    rows, of = _rows(args, out)
    if not rows:
        return STOPPED if of else _only_films(watched, args, out)
    told = evaluation.document(rows, lambda problem: tell(problem, out.language))
    changes = evaluation.against(old, told) if old is not None else None
    kept = evaluation.against_floors(told["totals"], floors) if floors is not None else []
    if of:
        told["stopped"] = {"read": len(rows), "of": of}
    told |= {"films": [row.to_json() for row in watched]} if watched else {}
    if changes is not None:
        told["against"] = changes.to_json()
    if floors is not None:
        told["floors"] = [floor.to_json() for floor in kept]
    _write_files(args, rows, told, out)
    if args.worst:
        told["worst"] = _worst(args, rows, out)
    if out.as_json:
        out.document(told)
    else:
        out.text(text(told, changes, kept, out))
    if of:
        return STOPPED
    return _code(rows, all(floor.held for floor in kept))


def _films(args: argparse.Namespace, out: Output) -> list[FilmRow]:
    """Every film with truth, watched."""
    from vision.evaluation import films, judge
    from vision.studio import drawn_print

    found = []
    for path in (path for folder in args.folders if Path(folder).is_dir() for path in films(folder)):
        with Bar(f"{out.say('watch.watching')} {path.name}") as bar:
            found.append(judge(path, progress=bar, drawn=drawn_print))
    return found


def _only_films(watched: Sequence[FilmRow], args: argparse.Namespace, out: Output) -> int:
    if not watched:
        raise Trouble("no-recordings", folders=[str(f) for f in args.folders])
    if out.as_json:
        out.document({"films": [row.to_json() for row in watched]})
    else:
        out.text(films_table([row.to_json() for row in watched], out))
    return DONE


def _rows(args: argparse.Namespace, out: Output) -> tuple[list[Row], int]:
    """What was read; and, where somebody stopped it, of how many."""
    from vision import evaluation

    with _pool(args) as pool, Bar(out.say("eval.reading")) as bar:
        try:
            return evaluation.evaluate(args.folders, pool=pool, blind=args.blind, progress=bar), 0
        except evaluation.Stopped as stopped:
            told = stopped
    out.note(out.say("eval.stopped", n=len(told.rows), of=told.of))
    return told.rows, told.of


def _code(rows: Sequence[Row], floors_held: bool) -> int:
    """A photo that nothing is wrong with and that was not read is our fault: nobody may take the rest for a whole."""
    from vision.evaluation import OUR_FAULT

    if any(row.judged.problem is not None and row.judged.problem.key == OUR_FAULT for row in rows):
        return BAD_INPUT
    return DONE if floors_held else NO


@contextmanager
def _pool(args: argparse.Namespace) -> Iterator[Pool]:
    """Who reads: this machine, or the cluster that was named, for as long as it takes."""
    from vision.evaluation import Local

    if not args.cluster:
        yield Local(args.jobs)
        return
    from vision.evaluation.cluster import Cluster

    with Cluster(args.cluster) as cluster:
        yield cluster


def _checked(args: argparse.Namespace) -> tuple[Any, Any]:
    """The older answer and the floors. Reading takes minutes: what is wrong with files is told before it begins."""
    from vision.evaluation import entries_of, rows_of

    old = json_file(args.against) if args.against else None
    floors = json_file(args.floor) if args.floor else None
    if old is not None:
        rows_of(old)
    for told in (floors, _floors_before(args)):
        if told is not None:
            entries_of(told)
    for path in (args.report, args.csv, args.write_floor):
        if path:
            writable(path)
    return old, floors


def _floors_before(args: argparse.Namespace) -> Any:
    """The floors that a file already holds before new ones are written into it."""
    return json_file(args.write_floor) if args.write_floor and Path(args.write_floor).is_file() else None


def _write_files(args: argparse.Namespace, rows: Sequence[Row], told: Mapping[str, Any], out: Output) -> None:
    from vision.evaluation import recorded, to_csv

    if args.csv:
        write_text(args.csv, to_csv(rows, lambda problem: tell(problem, out.language)))
    if args.write_floor:
        write_text(args.write_floor, json.dumps(recorded(told["totals"], _floors_before(args)), indent=1) + "\n")
    if args.report:
        from companion.cli.report import page

        write_text(args.report, page(rows, told, out.language))
        out.note(out.say("eval.report-written", file=args.report))


def _worst(args: argparse.Namespace, rows: Sequence[Row], out: Output) -> list[str]:
    """Draws the photos that are read worst, each with its mistakes; gives the pictures' names."""
    from vision.evaluation import page, worst

    folder, pictures = Path(args.worst), []
    chosen = worst(rows, args.sample or _WORST)
    with Bar(out.say("eval.drawing-worst")) as bar:
        for n, row in enumerate(chosen, 1):
            picture = folder / f"{n:02d}-{row.judged.name.replace('/', '-')}.jpg"
            try:
                drawn = page(row, lambda mistake: mistake_lines(mistake, out))
            except Trouble as trouble:
                out.note(trouble.message)
            else:
                make_folder(folder)
                write_picture(str(picture), drawn)
                pictures.append(str(picture))
            bar(n, len(chosen))
    return pictures


def _stress(args: argparse.Namespace, out: Output) -> int:
    """Reads photos made worse step by step; writes a plot for each board, real photos apart from renders."""
    from vision.evaluation import gather, sweep

    by_source = _sampled(gather(args.folders), args.sample)
    if not by_source:
        raise Trouble("no-recordings", folders=[str(f) for f in args.folders])
    make_folder(Path(args.stress))
    curves, pictures = [], []
    with _pool(args) as pool:
        for source, found in by_source.items():
            with Bar(f"{out.say('eval.stressing')} ({out.say(f'eval.source-{source}')})") as bar:
                mine = sweep(found, pool=pool, progress=bar)
            by_board = [[c for c in mine if c.board == b] for b in _boards(mine)]
            pictures += [_plot(Path(args.stress), source, own, out) for own in by_board]
            curves += [(source, curve) for curve in mine]
    if out.as_json:
        out.document({"curves": [{"source": s, **c.to_json()} for s, c in curves], "plots": pictures})
    else:
        out.text("\n".join([stress_table(curves, out), "", *pictures]))
    return DONE


def _boards(curves: Sequence[Curve]) -> list[str]:
    return sorted({c.board for c in curves})


def _plot(folder: Path, source: str, curves: Sequence[Curve], out: Output) -> str:
    """Draws one board's curves; gives the picture's name."""
    from vision.evaluation.plots import plot

    board = curves[0].board
    title = out.say(
        "eval.stress-title",
        board=load(board).name,
        n=curves[0].points[0].photos,
        source=out.say(f"eval.source-{source}"),
    )
    picture = folder / (f"stress-{board}.png" if source == "photo" else f"stress-{board}-{source}.png")
    try:
        plot(curves, title, lambda key: out.say(f"eval.{key}")).save(picture, optimize=True)
    except OSError as error:
        raise Trouble("picture-not-written", file=str(picture), reason=error.strerror or str(error)) from error
    return str(picture)


def _sampled(found: Sequence[Recording], most: int | None) -> dict[str, list[Recording]]:
    """By source: at most that many recordings of each board, spread evenly over them all."""
    from vision.evaluation.rows import source_of

    groups: dict[tuple[str, str], list[Recording]] = {}
    for recording in found:
        if recording.of_board and recording.problem is None:
            groups.setdefault((source_of(recording.truth), str(recording.truth["board"])), []).append(recording)
    chosen: dict[str, list[Recording]] = {}
    for (source, _), mine in sorted(groups.items()):
        n = min(most or len(mine), len(mine))
        chosen.setdefault(source, []).extend(mine[round((i + 0.5) * len(mine) / n - 0.5)] for i in range(n))
    return chosen
