"""The score sheet to give away: a picture, and a small page that needs nothing else."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from companion.ui.layers import Pieces
from companion.ui.models.sheet import SheetModel
from companion.ui.scripts import runs
from maps.disk import write_whole
from maps.drawing import LIGHT, scene, to_image, to_svg
from maps.drawing.fonts import Weight, font
from maps.drawing.palette import WAGONS, faded
from maps.drawing.scene import Scene

_WIDTH = 1200
_ROW = 52
_EDGE = 40

_STYLE = """
body { font-family: system-ui, sans-serif; background: #faf8f3; color: #1f2933; max-width: 60rem; margin: 1rem auto;
  padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid #d9d5ca; text-align: right; }
th { overflow-wrap: anywhere; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
@media (max-width: 40rem) {
  table { table-layout: fixed; font-size: .85rem; }
  th, td { padding: .4rem .15rem; }
  th:first-child { width: 26%; }
}
.dot { display: inline-block; width: .9em; height: .9em; border-radius: .2em; border: 1px solid #3c4650; }
svg { width: 100%; height: auto; }
tr.total td { font-weight: bold; }
"""


def _map(model: SheetModel) -> Scene:
    pieces: Pieces = model.pieces()
    return scene(
        model.position.board, theme=faded(LIGHT), language=model.desk.language, owners=pieces.owners,
        stations=pieces.stations, depots=pieces.depots,
    )  # fmt: skip


def rows(model: SheetModel) -> list[list[str]]:
    """The sheet as a table: names on top, the winner first, then each line, the totals last."""
    players = model.ranking
    wild = model.position.board.cards.wild
    head = ["", *(_named(p.name, model.desk.word(p.color, wild)) for p in players)]
    body = [[model.line_name(line), *(str(p.breakdown.get(line, 0)) for p in players)] for line in model.lines]
    return [head, *body, [model.desk.say("sheet.total"), *(str(p.total) for p in players)]]


def _named(name: str, color: str) -> str:
    """A player with the colour they played, once."""
    return name if name.casefold() == color.casefold() else f"{name} ({color})"


def as_html(model: SheetModel) -> str:
    """A whole page with the map drawn in it."""
    table = rows(model)
    dots = [WAGONS[p.color].fill if p.color in WAGONS else "#c3c8ce" for p in model.ranking]
    head = "".join(
        f'<th><span class="dot" style="background:{dot}"></span> {html.escape(name)}</th>'
        for dot, name in zip(dots, table[0][1:], strict=True)
    )
    lines = []
    for row in table[1:]:
        cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in row)
        mark = ' class="total"' if row is table[-1] else ""
        lines.append(f"<tr{mark}>{cells}</tr>")
    title = html.escape(model.position.variant.name(model.desk.language))
    return (
        f'<!DOCTYPE html>\n<html lang="{model.desk.language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n<style>{_STYLE}</style>\n'
        f"</head>\n<body>\n<h1>{title}</h1>\n<p>{html.escape(model.verdict)}</p>\n"
        f"<table>\n<tr><th></th>{head}</tr>\n" + "\n".join(lines) + "\n</table>\n"
        f"{to_svg(_map(model))}\n</body>\n</html>\n"
    )


def as_text(model: SheetModel) -> str:
    """A few lines to paste into a message."""
    head, *body = rows(model)
    told = [f"{name}: {total}" for name, total in zip(head[1:], body[-1][1:], strict=True)]
    detail = [
        f"{name}: " + ", ".join(f"{row[0]} {row[n]}" for row in body[:-1]) for n, name in enumerate(head[1:], start=1)
    ]
    title = model.position.variant.name(model.desk.language)
    return "\n".join([f"{title}. {model.verdict}", *told, "", *detail])


def as_picture(model: SheetModel) -> Image.Image:
    """The map with the table below it."""
    drawn = to_image(_map(model), _WIDTH).convert("RGB")
    table = rows(model)
    height = drawn.height + _ROW * (len(table) + 3) + _EDGE
    image = Image.new("RGB", (_WIDTH, height), LIGHT.paper)
    image.paste(drawn, (0, 0))
    pen = ImageDraw.Draw(image)
    y = drawn.height + _ROW // 2
    title = f"{model.position.variant.name(model.desk.language)}. {model.verdict}"
    y = _paragraph(pen, title, y)
    columns = (_WIDTH - 2 * _EDGE) / (len(table[0]) + 0.4)
    for i, player in enumerate(model.ranking):
        x = _EDGE + columns * (i + 2.4)
        fill = WAGONS[player.color].fill if player.color in WAGONS else "#c3c8ce"
        pen.rectangle((x - columns * 0.9, y + _ROW - 8, x, y + _ROW - 3), fill=fill)
    for row in table:
        bold: Weight = "bold" if row is table[0] or row is table[-1] else "medium"
        _row(pen, row, y, columns, bold)
        y += _ROW
    return image.crop((0, 0, _WIDTH, y + _EDGE))


def _paragraph(pen: ImageDraw.ImageDraw, text: str, y: int) -> int:
    """Words in lines that fit; where the next line goes."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if font("medium", 30).getlength(longer) > _WIDTH - 2 * _EDGE:
            pen.text((_EDGE, y), line, LIGHT.ink, font("medium", 30))
            y, line = y + 40, word
        else:
            line = longer
    pen.text((_EDGE, y), line, LIGHT.ink, font("medium", 30))
    return y + 50


def _row(pen: ImageDraw.ImageDraw, row: Sequence[str], y: int, columns: float, weight: Weight) -> None:
    _write(pen, row[0], (_EDGE, y), columns * 1.4, weight)
    for i, cell in enumerate(row[1:]):
        _write(pen, cell, (_EDGE + columns * (i + 2.4), y), columns * 0.95, weight, ends_there=True)


def _write(
    pen: ImageDraw.ImageDraw,
    text: str,
    place: tuple[float, float],
    width: float,
    weight: Weight,
    ends_there: bool = False,
) -> None:
    """A text that fits its column, each part in a font that has its letters; at that place it begins, or ends."""
    size = 28
    while size > 12 and sum(f.getlength(part) for part, f in _fonts(text, weight, size)) > width:
        size -= 1
    parts = _fonts(text, weight, size)
    x = place[0] - (sum(f.getlength(part) for part, f in parts) if ends_there else 0)
    base = place[1] + font(weight, size).getmetrics()[0]
    for part, f in parts:
        pen.text((x, base), part, LIGHT.ink, f, anchor="ls")
        x += f.getlength(part)


def _fonts(text: str, weight: Weight, size: int) -> list[tuple[str, FreeTypeFont]]:
    def of(file: str) -> FreeTypeFont:
        return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC) if file else font(weight, size)

    return [(part, of(file)) for part, file in runs(text)]


def save(model: SheetModel, folder: Path) -> tuple[Path, Path]:
    """Writes picture and page; where they are."""
    name = f"{model.position.variant.id}-{model.desk.clock():%Y%m%d-%H%M%S}"
    folder.mkdir(parents=True, exist_ok=True)
    picture, page = folder / f"{name}.png", folder / f"{name}.html"
    as_picture(model).save(picture)
    write_whole(page, as_html(model))
    return picture, page
