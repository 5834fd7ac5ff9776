"""The page of an evaluation: one file that needs nothing else, with every mistake enlarged.

It shows pieces of people's own photos, so it is written only where somebody asked for it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any  # Any: JSON, and what fills a sentence's gaps

from companion.cli.eval_text import thing
from companion.cli.tables import percent
from companion.lang import say
from companion.words import route
from maps import Trouble, load
from maps.drawing.palette import WAGONS

if TYPE_CHECKING:
    from vision.evaluation import Row
    from vision.recordings import Answer

# Enlarged spots at most, of one photo and on the page: one takes about 12 kB, and more than that nobody looks at.
MOST_SPOTS, MOST_ON_PAGE = 24, 500
_STAGES = ("decode", "locate", "read", "total")
# Columns of words; all others hold numbers and stand to the right.
_WORDS = ("photo", "board", "light", "session", "found")
_FIGURES = (
    "perfect_part",
    "one_mistake_part",
    "routes_right",
    "spaces_right",
    "stations_right",
    "cards_right",
    "tickets_right",
    "technologies_right",
    "shares_right",
)


def page(rows: Sequence[Row], told: Mapping[str, Any], language: str = "en") -> str:
    """The whole page; `told` is the evaluation's document."""
    write = _Writer(language)
    blocks = [
        write.summary(told["totals"]["source"]),
        write.photos(told["rows"]),
        *(write.totals(group, told["totals"][group]) for group in ("board", "light", "session")),
        write.by_group("confusion-title", told["totals"], write.confusions),
        write.by_group("reliability-title", told["totals"], write.reliabilities),
        write.mistakes(rows),
    ]
    title = escape(say("eval.title", language))
    return _PAGE.format(language=language, title=title, style=_STYLE, body="\n".join(blocks), script=_SCRIPT)


class _Writer:
    """Turns the parts of an evaluation into HTML in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def say(self, key: str, **values: Any) -> str:
        return escape(say(f"eval.{key}", self.language, **values))

    def summary(self, sources: Mapping[str, Mapping[str, Any]]) -> str:
        boxes = []
        for source, t in sources.items():
            figures = [
                f"<div><b>{percent(t[figure])}</b><span>{self.say(figure.replace('_', '-'))}</span></div>"
                for figure in _FIGURES
                if t[figure] is not None
            ]
            figures.append(f"<div><b>{t['silent']}</b><span>{self.say('silent')}</span></div>")
            head = self.say("source-photos", source=say(f"eval.source-{source}", self.language), n=t["boards"])
            boxes.append(f"<section class=box><h2>{head}</h2><div class=figures>{''.join(figures)}</div></section>")
        return "".join(boxes)

    def photos(self, rows: Sequence[Mapping[str, Any]]) -> str:
        kinds = ("routes", "stations", "spaces", "cards", "tickets", "technologies", "shares")
        shown = [kind for kind in kinds if any(row[kind] for row in rows)]
        heads = [
            "photo",
            "board",
            "light",
            "session",
            "found",
            "corner",
            *shown,
            "flagged",
            "silent",
            "doubtful",
            *(f"stage-{stage}" for stage in _STAGES),
        ]
        lines = []
        for i, row in enumerate(rows):
            name = (
                f"<a href='#p{i}'>{escape(row['name'])}</a>"
                if row["problem"] or row["mistakes"]
                else escape(row["name"])
            )
            cells = [_cell(name, row["name"]), *(_cell(escape(row[k])) for k in ("board", "light", "session"))]
            cells.append(_cell(self.say("yes" if row["found"] else "no"), "0" if row["found"] else "1"))
            cells.append(_number(row["corner_error"], "{:.2f} %"))
            cells += [_number(row[f"{k}_wrong"] if row[k] else None, f"{{}}/{row[k]}") for k in shown]
            cells += [_number(row[k], "{}") for k in ("flagged", "silent", "doubtful")]
            cells += [_number(row["seconds"].get(stage), "{:.2f}") for stage in _STAGES]
            lines.append((_state(row), cells))
        return f"<section><h2>{self.say('every-photo')}</h2>{self.table(heads, lines)}</section>"

    def totals(self, group: str, totals: Mapping[str, Mapping[str, Any]]) -> str:
        shares = [f for f in _FIGURES if any(t[f] is not None for t in totals.values())]
        heads = [
            f"by-{group}",
            "photos",
            *(f.replace("_", "-") for f in shares),
            "failed",
            "silent",
            "corner",
            "stage-total",
        ]
        lines = []
        for name, t in totals.items():
            cells = [_cell(escape(name)), _number(t["boards"], "{}")]
            cells += [_number(None if t[f] is None else 100 * t[f], "{:.1f} %") for f in shares]
            cells += [_number(t["failed"], "{}"), _number(t["silent"], "{}")]
            cells += [_number(t["corner_error"], "{:.2f} %"), _number(t["seconds"], "{:.2f}")]
            lines.append(("", cells))
        return f"<section><h2>{self.say(f'totals-{group}')}</h2>{self.table(heads, lines)}</section>"

    def table(self, heads: Iterable[str], lines: Iterable[tuple[str, Iterable[str]]]) -> str:
        """A table that sorts by the heading that is clicked."""
        top = "".join(
            f"<th{'' if h in _WORDS or h.startswith('by-') else ' class=n'}><button>{self.say(h)}</button></th>"
            for h in heads
        )
        body = "".join(f"<tr class='{state}'>{''.join(cells)}</tr>" for state, cells in lines)
        return f"<div class=wide><table class=sortable><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"

    def by_group(
        self, title: str, totals: Mapping[str, Any], figures: Callable[[str, Mapping[str, Any]], Iterable[str]]
    ) -> str:
        """Figures of each source in sight, those of each board, light and session to be opened."""
        blocks = []
        for group, names in totals.items():
            made = "".join(figure for name, total in names.items() for figure in figures(name, total))
            row = f"<div class=row>{made}</div>"
            head = f"<summary>{self.say(f'totals-{group}')}</summary>" if group != "source" else ""
            blocks.append(f"<details>{head}{row}</details>" if head else row)
        return f"<section><h2>{self.say(title)}</h2>{''.join(blocks)}</section>"

    def confusions(self, name: str, total: Mapping[str, Any]) -> Iterator[str]:
        for kind, rows in total["confusion"].items():
            head = self.say("confusion-of", kind=say(f"eval.kind-{kind}", self.language), source=self.group_name(name))
            yield f"<figure><figcaption>{head}</figcaption>{self.confusion(kind, rows)}</figure>"

    def confusion(self, kind: str, rows: Mapping[str, Mapping[str, int]]) -> str:
        """True colours down, what was read across."""
        colors = sorted({*rows, *(got for row in rows.values() for got in row)}, key=lambda c: (c != "empty", c))
        top = "".join(f"<th>{self.color(kind, c)}</th>" for c in colors)
        body = ""
        for true in colors:
            counts = [rows.get(true, {}).get(got, 0) for got in colors]
            cells = [
                f"<td class='{'right' if got == true else 'wrong' if n else ''}'>{n or ''}</td>"
                for got, n in zip(colors, counts, strict=True)
            ]
            body += f"<tr><th>{self.color(kind, true)}</th>{''.join(cells)}</tr>"
        corner = f"<th>{self.say('true-read')}</th>"
        return f"<table class=confusion><thead><tr>{corner}{top}</tr></thead><tbody>{body}</tbody></table>"

    def reliabilities(self, name: str, total: Mapping[str, Any]) -> Iterator[str]:
        told = total["reliability"]
        if told["bins"]:
            head = self.say("reliability-of", source=self.group_name(name), error=percent(told["error"]))
            yield f"<figure><figcaption>{head}</figcaption>{self.reliability(told['bins'])}</figure>"

    def reliability(self, bins: Sequence[Mapping[str, Any]]) -> str:
        lines = ""
        for b in bins:
            right, said = f"width:{100 * b['right']:.1f}%", f"left:{100 * b['confidence']:.1f}%"
            bar = f"<div class=bar><i style='{right}'></i><u style='{said}'></u></div>"
            span = f"{100 * b['from']:g}-{100 * b['to']:g} %"
            lines += f"<tr><th>{span}</th><td>{bar}</td><td>{percent(b['right'])}</td><td>{b['answers']}</td></tr>"
        heads = "".join(f"<th>{self.say(h)}</th>" for h in ("confidence", "bar-meaning", "truly-right", "answers"))
        return f"<table class=reliability><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"

    def mistakes(self, rows: Sequence[Row]) -> str:
        parts, left = [], MOST_ON_PAGE
        for i, row in enumerate(rows):
            if row.judged.problem or row.judged.mistakes:
                parts.append(self.photo(i, row, min(left, MOST_SPOTS)))
                left = max(0, left - len(row.judged.mistakes))
        head = f"<h2>{self.say('every-mistake')}</h2>"
        if not parts:
            return f"<section>{head}<p>{self.say('no-mistakes')}</p></section>"
        only = f"<label><input type=checkbox id=only> {self.say('only-silent')}</label>"
        return f"<section>{head}{only}{''.join(parts)}</section>"

    def photo(self, i: int, row: Row, most: int) -> str:
        """A photo's mistakes, each with its spot; of a photo that was not read, the reason and the whole."""
        judged = row.judged
        head = f"<h3 id=p{i}>{escape(judged.name)}</h3>"
        if judged.problem is not None:
            reason = escape(say(judged.problem.key, self.language, **judged.problem.values))
            return f"<article>{head}<p>{reason}</p>{_whole(row)}</article>"
        if not judged.board_right:
            return f"<article>{head}<p>{self.say('thing-other-board')}</p>{_whole(row)}</article>"
        spots = [self.mistake(row, m, data) for m, data in _spots(row, most)]
        more = len(judged.mistakes) - len(spots)
        rest = f"<p>{self.say('more', n=more)}</p>" if more > 0 else ""
        return f"<article>{head}<div class=spots>{''.join(spots)}</div>{rest}</article>"

    def mistake(self, row: Row, mistake: Answer, data: bytes | None) -> str:
        picture = f"<img loading=lazy alt='' src='{_embedded(data)}'>" if data else "<div class=nothing></div>"
        state = "flagged" if mistake.flagged else "silent"
        sure = f" ({round(100 * mistake.confidence)} %)" if mistake.confidence else ""
        return (
            f"<figure class='spot {state}'>{picture}<figcaption><b>{escape(self.name(row, mistake))}</b>"
            f"<span>{self.say('was-read')} {self.color(mistake.kind, mistake.got)}{sure}</span>"
            f"<span>{self.say('is-true')} {self.color(mistake.kind, mistake.expected)}</span>"
            f"<em>{self.say(f'{state}-one')}</em></figcaption></figure>"
        )

    def name(self, row: Row, mistake: Answer) -> str:
        if mistake.kind not in ("route", "station"):
            return say(f"eval.kind-{mistake.kind}", self.language) + f" {mistake.id}"
        board = load(row.judged.board)
        if mistake.kind == "route":
            return route(board, mistake.id, self.language)
        return board.place_name(mistake.id, self.language)

    def color(self, kind: str, name: str | None) -> str:
        """A colour's name with a dot of it; what has no colour has no dot."""
        told = escape(thing(kind, name, self.language))
        paint = WAGONS.get(name or "")
        dot = f"<i style='background:{paint.fill};border-color:{paint.edge}'></i>" if paint else ""
        return f"<span class=color>{dot}{told}</span>"

    def group_name(self, name: str) -> str:
        """A source in words, and what it is told apart by as it is: `render usa` is `renders, usa`."""
        source, _, rest = name.partition(" ")
        told = say(f"eval.source-{source}", self.language)
        return f"{told}, {rest}" if rest else told


def _cell(told: str, sort: str | None = None) -> str:
    return f"<td>{told}</td>" if sort is None else f"<td data-sort='{escape(sort)}'>{told}</td>"


def _number(value: float | None, form: str) -> str:
    return (
        "<td class=n data-sort=-1>-</td>"
        if value is None
        else f"<td class=n data-sort={value}>{form.format(value)}</td>"
    )


def _state(row: Mapping[str, Any]) -> str:
    if row["problem"] or not row["found"]:
        return "failed"
    return "silent" if row["silent"] else "flagged" if row["mistakes"] else "perfect"


def _spots(row: Row, most: int) -> Iterator[tuple[Answer, bytes | None]]:
    """Mistakes with their enlarged spots, silent ones first."""
    from vision.evaluation.spots import spot
    from vision.photo import load as load_photo

    some = sorted(row.judged.mistakes, key=lambda m: m.flagged)[:most]
    try:
        photo = load_photo(row.recording.photo, full=True)
    except Trouble:
        yield from ((mistake, None) for mistake in some)
        return
    for mistake in some:
        yield mistake, spot(photo, row, mistake)


def _whole(row: Row) -> str:
    from vision.evaluation.spots import thumbnail
    from vision.photo import load as load_photo

    try:
        return f"<img class=whole loading=lazy alt='' src='{_embedded(thumbnail(load_photo(row.recording.photo)))}'>"
    except Trouble:
        return ""


def _embedded(data: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(data).decode("ascii")


_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}
<script>{script}</script>
</body>
</html>
"""  # noqa: E501

_STYLE = """
:root { color-scheme: light dark; --paper: #f4f6f8; --card: #fff; --ink: #1f2933; --quiet: #5d6873; --line: #dde2e7;
  --good: #1d7f3a; --doubt: #b26a00; --bad: #c62828; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181c; --card: #1e242a; --ink: #e8ecf0; --quiet: #9aa5b0;
  --line: #333c45; --good: #58c274; --doubt: #f0a73c; --bad: #ff7b72; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1700px; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 26px; margin: 0 0 16px; }
h2 { font-size: 19px; margin: 0 0 12px; }
h3 { font-size: 16px; margin: 18px 0 8px; overflow-wrap: anywhere; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 16px 18px; margin: 0 0 18px; }
.figures { display: flex; flex-wrap: wrap; gap: 10px 30px; }
.figures b { display: block; font-size: 24px; font-variant-numeric: tabular-nums; }
.figures span { color: var(--quiet); font-size: 13px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.sortable { width: 100%; font-size: 14px; }
th, td { padding: 4px 7px; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
tbody tr:hover td { background: color-mix(in srgb, var(--line) 45%, transparent); }
h3:target { background: var(--line); }
th { color: var(--quiet); font-weight: 600; white-space: normal; vertical-align: bottom; }
td.n, th.n { text-align: right; }
th button { all: unset; cursor: pointer; font: inherit; }
th button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
th[aria-sort] button { color: var(--ink); }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
tr.perfect td:first-child { border-left: 4px solid var(--good); }
tr.flagged td:first-child { border-left: 4px solid var(--doubt); }
tr.silent td:first-child, tr.failed td:first-child { border-left: 4px solid var(--bad); }
a { color: inherit; }
.row { display: flex; flex-wrap: wrap; gap: 28px; }
details { margin-top: 14px; }
summary { cursor: pointer; color: var(--quiet); margin-bottom: 10px; }
figure { margin: 0; }
figcaption { margin-bottom: 6px; color: var(--quiet); }
.confusion { font-size: 13px; }
.confusion td { text-align: center; min-width: 44px; }
.confusion .right { color: var(--good); }
.confusion .wrong { background: var(--bad); color: var(--card); font-weight: 700; }
.color { display: inline-flex; align-items: center; gap: 5px; }
.color i { width: 13px; height: 13px; border-radius: 50%; border: 1.5px solid; display: inline-block; }
.bar { position: relative; width: 240px; height: 14px; background: var(--line); border-radius: 4px; }
.bar i { position: absolute; inset: 0 auto 0 0; background: #1c62c4; border-radius: 4px; }
.bar u { position: absolute; top: -3px; bottom: -3px; width: 3px; margin-left: -1px; background: var(--doubt); }
.spots { display: flex; flex-wrap: wrap; gap: 14px; }
.spot { width: 300px; border: 1px solid var(--line); border-left: 4px solid var(--doubt);
  border-radius: 8px; overflow: hidden; }
.spot.silent { border-left-color: var(--bad); }
.spot img { display: block; width: 100%; height: 220px; object-fit: contain; background: #20262c; }
.spot figcaption { display: grid; gap: 2px; padding: 8px 10px; margin: 0; color: var(--ink); }
.spot em { font-style: normal; font-size: 13px; color: var(--doubt); }
.spot.silent em { color: var(--bad); }
.whole { max-width: 100%; border-radius: 8px; }
body.only .spot.flagged { display: none; }
"""

_SCRIPT = """
document.querySelectorAll("table.sortable").forEach(table => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => row.cells[column].dataset.sort ?? row.cells[column].textContent;
    const sorted = [...table.tBodies[0].rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return x !== "" && y !== "" && !isNaN(x) && !isNaN(y) ? x - y : x.localeCompare(y, undefined, {numeric: true});
    });
    table.tBodies[0].append(...(down ? sorted.reverse() : sorted));
  }));
});
const only = document.getElementById("only");
if (only) only.addEventListener("change", () => document.body.classList.toggle("only", only.checked));
"""
