"""`companion studio`: draws practice photos of any board, with their truth."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from companion.cli.inputs import known_id, names, positive
from companion.cli.output import DONE, Output
from companion.cli.progress import Bar
from companion.rules import variants_of
from maps import Trouble, available

# Boards are drawn for these sizes; a larger picture shows no more.
_MOST_PIXELS = 4000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD")
    parser.add_argument("folder", metavar="OUT_DIR")
    parser.add_argument("--count", type=positive, default=10, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--taken", type=float, default=0.5, metavar="SHARE")
    parser.add_argument("--untidy", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--colors", metavar="C,C")
    parser.add_argument("--light", metavar="NAME")
    parser.add_argument("--surface", metavar="NAME")
    parser.add_argument("--size", default="1600x1200", metavar="WxH")
    parser.add_argument("--no-stations", action="store_true")
    parser.add_argument("--depots", action="store_true")
    parser.add_argument("--film", action="store_true")
    parser.add_argument("--claims", type=positive, default=5, metavar="N")


def run(args: argparse.Namespace, out: Output) -> int:
    from vision.studio import practice, write

    board = known_id("board", args.board, available())
    width, height = _size(args.size)
    for share in (args.taken, args.untidy):
        if not 0 <= share <= 1:
            raise Trouble("bad-share", value=f"{share:g}")
    if args.film:
        return _films(args, board, (width, height), out)
    stations = not args.no_stations and any(variant.stations for variant in variants_of(board))
    photos: list[str] = []
    with Bar(out.say("studio.drawing")) as bar:
        for seed in range(args.seed, args.seed + args.count):
            image, truth = practice(
                board, seed, taken=args.taken, colors=_colors(args.colors), stations=stations,
                untidy=args.untidy, depots=args.depots, size=(width, height), light=args.light, surface=args.surface,
            )  # fmt: skip
            try:
                photos.append(str(write(Path(args.folder), f"{board}-{seed:04d}", image, truth)))
            except OSError as error:
                reason = error.strerror or str(error)
                raise Trouble("picture-not-written", file=args.folder, reason=reason) from error
            bar(len(photos), args.count)
    if out.as_json:
        out.document({"board": board, "seed": args.seed, "photos": photos})
    else:
        out.text(out.say("studio.drawn", n=len(photos), folder=args.folder))
    return DONE


def _films(args: argparse.Namespace, board: str, size: tuple[int, int], out: Output) -> int:
    """Films of games being played, each with its truth."""
    from vision.studio import film, write_film

    made: list[str] = []
    with Bar(out.say("studio.drawing")) as bar:
        for seed in range(args.seed, args.seed + args.count):
            drawn = film(
                board, seed, claims=args.claims, colors=_colors(args.colors), size=size, taken_back=True,
                light=args.light or "neutral", surface=args.surface or "wood",
            )  # fmt: skip
            try:
                made.append(str(write_film(Path(args.folder), f"{board}-film-{seed:04d}", drawn)))
            except OSError as error:
                reason = error.strerror or str(error)
                raise Trouble("picture-not-written", file=args.folder, reason=reason) from error
            bar(len(made), args.count)
    if out.as_json:
        out.document({"board": board, "seed": args.seed, "films": made})
    else:
        out.text(out.say("studio.drawn-films", n=len(made), folder=args.folder))
    return DONE


def _colors(told: str | None) -> Sequence[str] | None:
    return names(told) if told else None


def _size(told: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)x(\d+)", told.lower())
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 200 <= min(width, height) <= max(width, height) <= _MOST_PIXELS:
        raise Trouble("bad-size", value=told, n=_MOST_PIXELS)
    return width, height
