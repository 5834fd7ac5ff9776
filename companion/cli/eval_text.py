"""An evaluation for a terminal: photos, totals, what is mixed up, how far confidences hold, floors and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any  # Any: JSON

from companion.cli.output import Output
from companion.cli.tables import aligned, percent, shown
from companion.lang import catalogue, say

if TYPE_CHECKING:
    from vision.evaluation import Changes, Curve, Floor
    from vision.recordings import Answer

_STAGES = ("decode", "locate", "read", "total")
_SHARES = ("routes", "spaces", "stations", "cards", "tickets", "technologies", "shares")
_SHEETS = ("cards", "tickets", "technologies", "shares")


def text(told: Mapping[str, Any], changes: Changes | None, floors: Sequence[Floor], out: Output) -> str:
    """All of it, block by block."""
    blocks = [photos_table(told["rows"], out)]
    blocks += [totals_table(group, told["totals"][group], out) for group in told["totals"]]
    blocks += _confusions(told["confusion"], out)
    blocks += _reliabilities(told["reliability"], out)
    if told["seconds"]:
        stages = ", ".join(f"{out.say(f'eval.time-{s}')} {v:.2f} s" for s, v in told["seconds"].items())
        blocks.append(out.say("eval.seconds", stages=stages))
    if changes is not None:
        blocks.append(_changes(changes, out))
    if floors:
        blocks.append(_floors(floors, out))
    if told.get("films"):
        blocks.append(films_table(told["films"], out))
    if told.get("worst"):
        blocks.append("\n".join([out.say("eval.worst"), *(f"  {picture}" for picture in told["worst"])]))
    return "\n\n".join(blocks)


def films_table(rows: Sequence[Mapping[str, Any]], out: Output) -> str:
    """A line for each film, with what was missed and made up below it."""
    cells = [[out.say(f"eval.{head}") for head in ("film", "board", "told", "made-up", "start-wrong", "late")]]
    below: list[list[str]] = [[]]
    for row in rows:
        late = f"{row['late']['median']:.1f} - {row['late']['most']:.1f} s" if row["late"] else "-"
        told = f"{row['told']}/{row['claims']}"
        cells.append([row["name"], row["board"], told, str(len(row["made_up"])), str(len(row["start_wrong"])), late])
        below.append(
            [f"    - {m}" for m in row["missed"]] + [f"    + {m}" for m in (*row["made_up"], *row["start_wrong"])]
        )
    return aligned(cells, below, left=2)


def photos_table(rows: Sequence[Mapping[str, Any]], out: Output) -> str:
    """A line for each photo, with its mistakes below it."""
    heads = ("photo", "board", "found", "corner", "routes", "stations", "spaces", "sheets", "flagged", "silent")
    cells = [[out.say(f"eval.{head}") for head in (*heads, *(f"stage-{s}" for s in _STAGES))]]
    below: list[list[str]] = [[]]
    for row in rows:
        cells.append(_photo(row, out))
        below.append(
            [f"    {row['problem']}"] if row["problem"] else [f"    {_mistake(m, out)}" for m in row["mistakes"]]
        )
    return aligned(shown(cells), below, left=2)


def _photo(row: Mapping[str, Any], out: Output) -> list[str]:
    def of(kind: str) -> str:
        return f"{row[f'{kind}_wrong']}/{row[kind]}" if row[kind] else "-"

    sheets, wrong = (sum(row[f"{kind}{end}"] for kind in _SHEETS) for end in ("", "_wrong"))
    corner = "-" if row["corner_error"] is None else f"{row['corner_error']:.2f} %"
    times = [f"{row['seconds'][s]:.2f}" if s in row["seconds"] else "-" for s in _STAGES]
    return [
        row["name"], row["board"] or row["kind"], out.say("eval.yes" if row["found"] else "eval.no"), corner,
        of("routes"), of("stations"), of("spaces"),
        f"{wrong}/{sheets}" if sheets else "-",
        str(row["flagged"]), str(row["silent"]), *times,
    ]  # fmt: skip


def _mistake(mistake: Mapping[str, Any], out: Output) -> str:
    return out.say(
        "eval.mistake" if mistake["flagged"] else "eval.mistake-silent", name=mistake["id"],
        got=_thing(mistake["kind"], mistake["got"], out), true=_thing(mistake["kind"], mistake["expected"], out),
        sure=round(100 * mistake["confidence"]),
    )  # fmt: skip


def mistake_lines(mistake: Answer, out: Output) -> str:
    """A mistake in two short lines: which it is, then what was read and what is true."""
    read = out.say(
        "eval.read-true",
        got=_thing(mistake.kind, mistake.got, out),
        true=_thing(mistake.kind, mistake.expected, out),
        sure=round(100 * mistake.confidence),
    )
    silent = "" if mistake.flagged else f" ({out.say('eval.silent-one')})"
    return f"{mistake.id}{silent}\n{read}"


def _thing(kind: str, name: str | None, out: Output) -> str:
    """A colour, a locomotive, nothing, another board: in words; a ticket by its id."""
    return thing(kind, name, out.language)


def thing(kind: str, name: str | None, language: str) -> str:
    """What was read or is true, in words."""
    if name is not None and name.startswith("depot-"):
        return say("eval.thing-depot", language, color=say(f"words.{name.removeprefix('depot-')}", language))
    key = thing_key(kind, name)
    return say(key, language) if key in catalogue(language) else str(name)


def thing_key(kind: str, name: str | None) -> str:
    """The catalogue's key for what was read or is true; where no card lies nothing is empty."""
    if name in (None, "empty"):
        return "eval.thing-empty" if kind in ("route", "station") else "eval.thing-nothing"
    return f"eval.thing-{name}" if name in ("unread", "other-board") else f"words.{name}"


def totals_table(group: str, totals: Mapping[str, Mapping[str, Any]], out: Output) -> str:
    heads = ["photos", "perfect", "one", "failed", *(f"{k}-right" for k in _SHARES), "silent", "corner", "stage-total"]
    cells = [[out.say(f"eval.by-{group}"), *(out.say(f"eval.{h}") for h in heads)]]
    for name, t in totals.items():
        shares = [percent(t[f"{k}_right"]) for k in _SHARES]
        corner = "-" if t["corner_error"] is None else f"{t['corner_error']:.2f} %"
        seconds = "-" if t["seconds"] is None else f"{t['seconds']:.2f}"
        counts = [str(t[k]) for k in ("boards", "perfect", "one_mistake_at_most", "failed")]
        cells.append([name, *counts, *shares, str(t["silent"]), corner, seconds])
    return aligned(shown(cells))


def _confusions(confusion: Mapping[str, Any], out: Output) -> list[str]:
    """What was taken for what, the most frequent first; what is right is not listed."""
    blocks = []
    for source, kinds in confusion.items():
        mixed = [
            (
                n,
                out.say(
                    "eval.mixed",
                    n=n,
                    kind=out.say(f"eval.kind-{kind}"),
                    true=_thing(kind, true, out),
                    got=_thing(kind, got, out),
                ),
            )
            for kind, table in kinds.items()
            for true, row in table.items()
            for got, n in row.items()
            if got != true
        ]
        if mixed:
            lines = [f"  {line}" for _, line in sorted(mixed, key=lambda pair: -pair[0])]
            blocks.append("\n".join([out.say("eval.confusion", source=out.say(f"eval.source-{source}")), *lines]))
    return blocks


def _reliabilities(reliability: Mapping[str, Any], out: Output) -> list[str]:
    blocks = []
    for source, told in reliability.items():
        if told["bins"]:
            cells = [[out.say(f"eval.{head}") for head in ("confidence", "answers", "mean", "truly-right")]]
            cells += [
                [
                    f"{100 * b['from']:g}-{100 * b['to']:g} %",
                    str(b["answers"]),
                    percent(b["confidence"]),
                    percent(b["right"]),
                ]
                for b in told["bins"]
            ]
            head = out.say("eval.reliability", source=out.say(f"eval.source-{source}"), error=percent(told["error"]))
            blocks.append(f"{head}\n{aligned(cells)}")
    return blocks


def _changes(changes: Changes, out: Output) -> str:
    lines = [out.say("eval.against", better=len(changes.better), worse=len(changes.worse))]
    for sign, some in (("+", changes.better), ("-", changes.worse)):
        for c in some:
            before, now = ("?" if n is None else str(n) for n in (c.before, c.now))
            ids = " ".join([*(f"+{i}" for i in c.mended), *(f"-{i}" for i in c.broken)])
            lines.append(f"  {sign} " + out.say("eval.change", name=c.name, before=before, now=now, ids=ids).rstrip())
    for source, figures in changes.figures.items():
        moved = [f"{f} {was} > {now}" for f, (was, now) in figures.items() if was != now]
        if moved:
            lines.append(f"  {out.say(f'eval.source-{source}')}: {', '.join(moved)}")
    if changes.added or changes.gone:
        lines.append("  " + out.say("eval.not-in-both", added=len(changes.added), gone=len(changes.gone)))
    return "\n".join(lines)


def _floors(floors: Sequence[Floor], out: Output) -> str:
    """The floors that broke, and how many hold."""
    measured = [f for f in floors if f.measured is not None]
    below = [f for f in measured if not f.held]
    counted = out.say("eval.floors-counted", held=len(measured) - len(below), unmeasured=len(floors) - len(measured))
    if not below:
        return f"{out.say('eval.floors-held')} {counted}"
    cells = [[out.say(f"eval.{head}") for head in ("floor", "figure", "floor-at", "measured")]]
    cells += [[f"{f.group} {f.name}", f.figure, f"{f.floor:g}", f"{f.measured:g}"] for f in below]
    return f"{aligned(cells, left=2)}\n{out.say('eval.floors-broken', n=len(below))} {counted}"


def stress_table(curves: Sequence[tuple[str, Curve]], out: Output) -> str:
    cells = [[out.say(f"eval.{head}") for head in ("board", "by-source", "harm", "fails-from", "steps")]]
    for source, c in curves:
        fails = (
            "-" if c.fails_at is None else f"{c.fails_at:g} {out.say(f'eval.unit.{c.unit}') if c.unit else ''}".strip()
        )
        steps = "  ".join(f"{p.step:g}: {percent(p.right)}" for p in c.points)
        cells.append([c.board, out.say(f"eval.source-{source}"), out.say(f"eval.harm.{c.harm}"), fails, steps])
    return aligned(cells, left=5)
