"""Technology cards and shares in a photo, by their names: lines that stand together are read as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board
from vision import lines as finder
from vision import names, outline, plates, sheets, tickets
from vision.config import PAPER, SHEET, TITLE, NamePlace
from vision.lines import Line
from vision.names import Lattice, Words
from vision.photo import Photo
from vision.reading import share_name, technology_name
from vision.sheets import Quad
from vision.tickets import Corners, Glimpse, TicketSeen

Scores = NDArray[np.float64]
# What stands behind the name of every company.
_KINDS = ("railroad", "railway", "system", "line", "lines", "company")


@dataclass(frozen=True)
class TechnologySeen:
    """A technology card on the table: the likeliest first, then what else it may be."""

    id: str
    confidence: float
    alternatives: tuple[str, ...]
    quad: Corners

    @property
    def sure(self) -> bool:
        return self.confidence >= PAPER.sure

    @property
    def choices(self) -> tuple[str, ...]:
        """What it may be, the likeliest first."""
        return (self.id, *self.alternatives)

    @property
    def name(self) -> str:
        return technology_name(self.id)

    def to_json(self) -> dict[str, Any]:
        told = {"id": self.id, "confidence": round(self.confidence, 4), "quad": _rounded(self.quad)}
        return told if self.sure else {**told, "suggestions": [self.id, *self.alternatives]}


@dataclass(frozen=True)
class ShareSeen:
    """A share on the table: its company, and its number where that could be read."""

    company: str
    number: int | None
    confidence: float
    alternatives: tuple[str, ...]
    quad: Corners

    @property
    def sure_company(self) -> bool:
        return self.confidence >= PAPER.sure

    @property
    def sure(self) -> bool:
        return self.sure_company and self.number is not None

    @property
    def choices(self) -> tuple[str, ...]:
        """Companies that it may be of, the likeliest first."""
        return (self.company, *self.alternatives)

    @property
    def name(self) -> str:
        return share_name(self.company, self.number)

    def to_json(self) -> dict[str, Any]:
        told = {
            "company": self.company,
            "number": self.number,
            "confidence": round(self.confidence, 4),
            "quad": _rounded(self.quad),
        }
        return told if self.sure else {**told, "suggestions": [self.company, *self.alternatives]}


@dataclass(frozen=True)
class Papers:
    """All that lies in a photo with names on it."""

    tickets: tuple[TicketSeen, ...]
    technologies: tuple[TechnologySeen, ...] = ()
    shares: tuple[ShareSeen, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tickets or self.technologies or self.shares)

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"tickets": [t.to_json() for t in self.tickets]}
        if self.technologies:
            told["technologies"] = [t.to_json() for t in self.technologies]
        if self.shares:
            told["shares"] = [s.to_json() for s in self.shares]
        return told


@dataclass(frozen=True, eq=False)
class _Block:
    """Lines that stand one below the other, read from top to bottom, and what the net saw in all of them."""

    lines: tuple[Line, ...]
    lattice: Lattice

    @property
    def line(self) -> Line:
        return max(self.lines, key=lambda one: one.long)

    @property
    def found(self) -> tuple[Line, ...]:
        """The lines as they were found, before they were read longer."""
        return tuple(line.longer(-PAPER.longer) for line in self.lines)

    @property
    def name(self) -> Line:
        """The longest of them."""
        return max(self.found, key=lambda one: one.long)


def read_papers(photo: Photo, board: Board) -> Papers:
    """The tickets of a board in a photo, and its technologies and shares where it has such."""
    seen = tickets.glimpse(photo)
    found = tuple(tickets.tickets_in(seen, photo, board))
    if not board.technologies and not board.companies:
        return Papers(found)
    up = np.asarray(np.linalg.inv(photo.shrink), np.float64)
    told = [np.array(t.quad) for t in found if t.sure]
    blocks = _blocks(seen, _lines(seen, told, up))
    technologies, shares = _technologies(seen, blocks, board, up), _shares(seen, blocks, board, up)
    named = [*(t.quad for t in technologies), *(s.quad for s in shares)]
    silent = _silent(seen, [*told, *map(np.array, named)], up)
    if silent:
        blocks += _blocks(seen, [line for quad in silent for line in _near(seen, quad)])
        technologies, shares = _technologies(seen, blocks, board, up), _shares(seen, blocks, board, up)
    others = [np.array(t.quad) for t in technologies if t.confidence >= PAPER.certain]
    others += [np.array(s.quad) for s in shares if s.confidence >= PAPER.certain]
    # A share is no ticket, though it names a city.
    kept = tuple(t for t in found if t.sure or all(sheets.overlap(np.array(t.quad), o) < SHEET.same for o in others))
    return Papers(kept, technologies, shares)


def _lines(seen: Glimpse, told: Sequence[Quad], up: NDArray[np.float64]) -> list[Line]:
    """All lines that are not on a ticket that is told."""
    # Titles are often light on dark, of which the finder sees the middle only, and not which way they read.
    found = finder.single([*seen.lines, *finder.inverted(seen.image, PAPER.inverted)])
    return [line for line in found if not any(_on(quad, _moved([line.middle], up)[0]) for quad in told)]


def _silent(seen: Glimpse, told: Sequence[Quad], up: NDArray[np.float64]) -> list[Quad]:
    """The largest sheets on which nothing was read, as many as are worth a look of their own."""
    quads = sorted((s.quad for s in seen.sheets), key=lambda q: -cv2.contourArea(q.astype(np.float32)))
    free = [q for q in quads if not any(_on(one, _moved([q.mean(0)], up)[0]) for one in told)]
    return free[: PAPER.looks]


def _near(seen: Glimpse, quad: Quad) -> list[Line]:
    """The lines on a sheet from near, dark ones and light ones."""
    negative = np.asarray(255 - seen.image, np.uint8)
    return finder.single([*finder.on(seen.image, quad), *finder.on(negative, quad)])


def _blocks(seen: Glimpse, found: Sequence[Line]) -> list[_Block]:
    """Every line, and every two or three that stand together."""
    found = [line for one in found for line in (one.longer(PAPER.longer), one.longer(PAPER.longer).turned)]
    lattices = names.read([seen.strip(line) for line in found])
    every = [(line, told) for line, told in zip(found, lattices, strict=True) if len(told.text) >= PAPER.letters]
    groups: list[list[int]] = [[n] for n in range(len(every))]
    for n, (line, _) in enumerate(every):
        near = [m for m, (other, _) in enumerate(every) if m != n and _below(line, other)]
        groups += [[n, m] for m in near]
        groups += [
            [n, m, k]
            for m in near
            for k, (other, _) in enumerate(every)
            if k not in (n, m) and _below(every[m][0], other)
        ]
    return [_block([every[n] for n in group]) for group in groups]


def _below(a: Line, b: Line) -> bool:
    """Whether the second line stands right under the first; it may be in smaller letters."""
    if float(a.way @ b.way) < TITLE.parallel or max(a.high, b.high) > PAPER.alike * min(a.high, b.high):
        return False
    step = b.middle - a.middle
    across, along = float(step @ a.down), abs(float(step @ a.way))
    return 0.6 * min(a.high, b.high) < across < PAPER.apart * max(a.high, b.high) and along < (a.long + b.long) / 2


def _block(rows: Sequence[tuple[Line, Lattice]]) -> _Block:
    gap = np.full((1, len(names.LETTERS) + 1), -9.0)
    gap[0, 0] = 0.0
    logs = [part for _, lattice in rows for part in (lattice.logs, gap)]
    return _Block(tuple(line for line, _ in rows), Lattice(np.concatenate(logs)))


def _fit(
    blocks: Sequence[_Block], spellings: Mapping[str, Sequence[str]], parts: Mapping[str, str]
) -> list[tuple[_Block, list[tuple[str, float]]]]:
    """For every block how likely it is each of some things, the likeliest first.

    `parts`: words that stand for a thing too, though less likely by themselves than its whole name.
    """
    rows = [
        (what, text) for what, every in spellings.items() for text in dict.fromkeys(map(names.folded, every)) if text
    ]
    rows += [(what, text) for text, what in parts.items()]
    words = Words(tuple(text for _, text in rows))
    things = tuple(spellings)
    owner = np.array([things.index(what) for what, _ in rows])
    likely = np.array([0.0 if text in parts else PAPER.none for _, text in rows])
    lengths = np.array([len(text) for _, text in rows])
    told = []
    fits = names.all_fits([block.lattice for block in blocks], words, PAPER.junk)
    for block, fit in zip(blocks, fits, strict=True):
        # Other words may stand beside a name; by chance its letters would be off a little, each that is clear.
        chance = likely + PAPER.none_per_letter * block.lattice.clear * lengths
        lifts = fit.alone + chance
        scores = np.full(len(things), -99.0)
        np.maximum.at(scores, owner, lifts)
        logs = np.append(scores, 0.0) * PAPER.sharpness
        odds = np.exp(logs - np.logaddexp.reduce(logs))
        order = np.argsort(-odds[:-1])[: PAPER.kept]
        told.append((block, [(things[k], float(odds[k])) for k in order]))
    return told


def _found(
    seen: Glimpse,
    blocks: Sequence[_Block],
    spellings: Mapping[str, Sequence[str]],
    parts: Mapping[str, str],
    where: NamePlace,
) -> list[tuple[Quad, list[tuple[str, float]], _Block]]:
    """Sheets that are named by a block, the surest first, each once; `where` their names stand on them."""
    kept: list[tuple[Quad, list[tuple[str, float]], _Block]] = []
    for block, odds in sorted(_fit(blocks, spellings, parts), key=lambda one: -one[1][0][1]):
        if odds[0][1] < PAPER.perhaps:
            break
        if any(_on(other, line.middle) for other, *_ in kept for line in block.lines) or any(
            finder.common(line, mine) > TITLE.same for *_, other in kept for line in block.lines for mine in other.lines
        ):
            continue
        quad = _sheet_of(seen, block, where)
        if all(sheets.overlap(quad, other) < SHEET.same for other, *_ in kept):
            kept.append((quad, odds, block))
    return kept


def _sheet_of(seen: Glimpse, block: _Block, where: NamePlace) -> Quad:
    """The card that a name stands on: a sheet that was found, if the name is where it should be; else by its edges."""
    name = block.name
    upright = [outline.upright(s.quad, name) for s in seen.sheets if _on(s.quad, name.middle)]
    off = {n: outline.misplaced(quad, name, where) for n, quad in enumerate(upright)}
    best = min(off, key=lambda n: off[n], default=None)
    if best is not None and off[best] < PAPER.misplaced:
        return upright[best]
    return outline.upright(outline.around(seen.gray, name, where), name)


def _on(quad: Quad, at: Sequence[float] | Quad) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), (float(at[0]), float(at[1])), False) >= 0


def _technologies(
    seen: Glimpse, blocks: Sequence[_Block], board: Board, up: NDArray[np.float64]
) -> tuple[TechnologySeen, ...]:
    if not board.technologies:
        return ()
    spellings = {t.id: (t.name.en, t.name.fr, t.name.en.rstrip("s")) for t in board.technologies.values()}
    found = _found(seen, blocks, spellings, _own_words(spellings, board), PAPER.technology)
    return tuple(
        TechnologySeen(
            odds[0][0], odds[0][1], tuple(w for w, o in odds[1:] if o > PAPER.worth_saying), _moved(quad, up)
        )
        for quad, odds, _ in found
    )


def _own_words(spellings: Mapping[str, Sequence[str]], board: Board) -> dict[str, str]:
    """Long words that one technology alone has in its names, and no place has: RIGHT stands in BRIGHTON."""
    places = {names.folded(s) for c in board.cities.values() for s in c.spellings}
    places |= {names.folded(s) for p in board.places.values() for s in (p.name.en, p.name.fr)}
    whole = {names.folded(name) for spelt in spellings.values() for name in spelt}
    owners: dict[str, set[str]] = {}
    for what, spelt in spellings.items():
        for word in (names.folded(w) for name in spelt for w in name.split()):
            owners.setdefault(word, set()).add(what)
    return {
        word: next(iter(of))
        for word, of in owners.items()
        if len(of) == 1 and len(word) >= PAPER.word and word not in whole and not any(word in place for place in places)
    }


def _shares(seen: Glimpse, blocks: Sequence[_Block], board: Board, up: NDArray[np.float64]) -> tuple[ShareSeen, ...]:
    """Shares by the names of their companies; the number stands beside, of how many there are."""
    if not board.companies:
        return ()
    spellings = {c.id: (c.name, *_short(c.name, board)) for c in board.companies.values()}
    told = []
    for quad, odds, block in _found(seen, blocks, spellings, {}, PAPER.share):
        number, place = _numbered(seen, block, board.companies[odds[0][0]].shares)
        others = tuple(w for w, o in odds[1:] if o > PAPER.worth_saying)
        told.append(ShareSeen(odds[0][0], number, odds[0][1], others, _moved(quad if place is None else place, up)))
    return tuple(one for one in told if not any(_within(one, other) for other in told))


def _within(one: ShareSeen, other: ShareSeen) -> bool:
    """Whether a share is only the name on another one."""
    if one is other or one.company != other.company:
        return False
    small, large = (np.array(share.quad, np.float32) for share in (one, other))
    x, y = map(float, small.mean(0))
    inside = cv2.pointPolygonTest(large, (x, y), False) >= 0
    return inside and cv2.contourArea(small) < cv2.contourArea(large)


def _numbered(seen: Glimpse, block: _Block, shares: int) -> tuple[int | None, Quad | None]:
    """The number on a share's plate, and where the share lies, which name and plate tell together."""
    for plate in plates.find(seen.image, block.found):
        number = plates.read(seen.fine, (plate + 0.5) * seen.zoom - 0.5, shares)
        if number is not None:
            return number, _share_around(plate, block.name)
    return None, None


def _share_around(plate: Quad, name: Line) -> Quad | None:
    """The corners of a share whose name stands above its plate as on its banner; None if it is another line."""
    along = (plate[1] + plate[2] - plate[0] - plate[3]) / 2 / PAPER.plate_wide
    step = plate.mean(0) - name.middle
    down = (step - (PAPER.plate_at[0] - 0.5) * along) / (PAPER.plate_at[1] - PAPER.banner)
    sizes = float(np.linalg.norm(along)), float(np.linalg.norm(down))
    if not PAPER.share_shape[0] < sizes[1] / max(sizes[0], 1e-6) < PAPER.share_shape[1]:
        return None
    corner = name.middle - 0.5 * along - PAPER.banner * down
    return np.array([corner, corner + along, corner + along + down, corner + down])


def _short(name: str, board: Board) -> tuple[str, ...]:
    """A company's name without what all are called; none that is a city's or the board's."""
    words = [w for w in name.split() if w.lower() not in _KINDS]
    short = " ".join(words)
    cities = {names.folded(s) for c in board.cities.values() for s in c.spellings}
    return (short,) if names.folded(short) not in cities | {names.folded(board.name.en)} else ()


def _moved(quad: Quad | Sequence[Quad], by: NDArray[np.float64]) -> Corners:
    corners = cv2.perspectiveTransform(np.asarray(quad, np.float64)[None], by)[0]
    return tuple((float(x), float(y)) for x, y in corners)


def _rounded(quad: Corners) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in quad]
