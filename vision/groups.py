"""Tracks side by side, weighed together: who holds them, and whose wagons lie between or beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import pairwise, product

import numpy as np

from maps import Board
from vision.arrays import Logs
from vision.config import DECIDE, LANES
from vision.lanes import Lanes, Side, lanes
from vision.spaces import Layout


def together(
    board: Board, chances: Logs, outside: Mapping[Side, Logs], limits: Mapping[str, int], spots: Layout
) -> tuple[Logs, dict[str, int]]:
    """Chances per track when all tracks of a group are weighed together, and how far (in half lanes) wagons were moved.

    Whole routes only, in one colour; nobody twice; no more tracks than the game allows (`limits`, by group); the fewest
    moves. `chances`: of every route by itself; `outside`: of what lies at places beside tracks.
    """
    chances = chances.copy()
    index = {route: i for i, route in enumerate(board.routes)}
    dark = 1 + board.wagon_colors.index("black") if "black" in board.wagon_colors else 0
    moves: dict[str, int] = {}
    parts = _to_weigh(board, outside, spots)
    allowed_in = {part: limits.get(board.routes[part.tracks[0]].group, len(part.tracks)) for part in parts}
    on_tracks = _on_tracks(chances, {part: [index[t] for t in part.tracks] for part in parts}, allowed_in, dark)
    for part, looked in parts.items():
        at = [index[t] for t in part.tracks]
        lying = {2 * i: chances[row] for i, row in enumerate(at)}
        lying |= looked
        looks = [int(chances[row].argmax()) for row in at]
        allowed = _allowed(len(at), chances.shape[1], allowed_in[part])
        sure, told, moved = on_tracks[part], on_tracks[part], [0] * len(at)
        if looked:
            told, moved = _together(lying, allowed, dark)
            whole = {place: seen for place, seen in lying.items() if not place % 2}
            sure = told if len(whole) == len(lying) else _together(whole, allowed, dark)[0]
        for track, row, now, before, shift in zip(part.tracks, at, told, sure, moved, strict=True):
            owner = int(before.argmax())
            if owner != now.argmax() and before[owner] >= DECIDE.doubt:
                # What lies on a track surely is not told otherwise by what lies half beside it, but it is asked about.
                chances[row] = less_sure(before, owner, DECIDE.too_many)
            else:
                chances[row] = now
                moves |= {track: shift} if shift else {}
        for row, like in zip(at, looks, strict=True):
            if like and not chances[row].argmax() and any(chances[other].argmax() == like for other in at):
                # Wagons between two tracks look like wagons on both.
                chances[row] = less_sure(chances[row], 0, DECIDE.held_twice)
        held = [int(chances[row].argmax()) for row in at]
        for i, row in enumerate(at):
            beside = [int(lying[p].argmax()) for p in (2 * i - 1, 2 * i + 1) if p in looked]
            if held[i] == dark and any(like not in (0, *held) for like in beside):
                # A wagon half beside its track throws its shadow there, and nobody else's is known to lie there.
                chances[row] = less_sure(chances[row], dark, DECIDE.held_twice)
    return chances, moves


def _to_weigh(board: Board, outside: Mapping[Side, Logs], spots: Layout) -> dict[Lanes, dict[int, Logs]]:
    """The groups of which more than a lone track was looked at, and what was seen beside their tracks."""
    found = {
        part: {at: outside[part.tracks[0], at] for at in part.beside if (part.tracks[0], at) in outside}
        for part in lanes(board, spots)
    }
    return {part: looked for part, looked in found.items() if looked or len(part.tracks) > 1}


def _on_tracks(
    chances: Logs, rows: Mapping[Lanes, list[int]], limits: Mapping[Lanes, int], dark: int
) -> dict[Lanes, list[Logs]]:
    """What `_together` tells of groups whose wagons all lie on their tracks; those of a kind in one go."""
    alike: dict[tuple[int, int], list[Lanes]] = {}
    for part, at in rows.items():
        alike.setdefault((len(at), limits[part]), []).append(part)
    found: dict[Lanes, list[Logs]] = {}
    for (tracks, limit), parts in alike.items():
        outcomes = chances.shape[1]
        joint = _allowed(tracks, outcomes, limit) + _shaded((0,) * tracks, outcomes, dark)
        joint = np.broadcast_to(joint, (len(parts), *joint.shape))
        for axis, own in enumerate(np.array([rows[part] for part in parts]).T):
            wide = [len(parts), *(outcomes if a == axis else 1 for a in range(tracks))]
            joint = joint + np.log(chances[own] + 1e-300).reshape(wide)
        every = tuple(range(1, 1 + tracks))
        total = np.exp(joint - joint.max(every, keepdims=True))
        total /= total.sum(every, keepdims=True)
        told = [total.sum(tuple(a for a in every if a != axis)) for axis in every]
        found |= {part: [own[i] for own in told] for i, part in enumerate(parts)}
    return found


def _together(lying: Mapping[int, Logs], allowed: Logs, dark: int) -> tuple[list[Logs], list[int]]:
    """Chances of each track of a group from what lies at all places, and how far its wagons lie beside it.

    `dark`: the outcome that a wagon's shadow on the track beside it looks like, 0 for none.
    """
    tracks, outcomes = allowed.ndim, len(allowed)
    found = [
        (shifts, allowed + _shaded(shifts, outcomes, dark) + _joint(lying, shifts))
        for shifts in _shifts(tracks, frozenset(lying))
    ]
    top = max(float(joint.max()) for _, joint in found)
    total = np.sum([np.exp(joint - top) for _, joint in found], axis=0)
    chances = [total.sum(tuple(a for a in range(tracks) if a != axis)) / total.sum() for axis in range(tracks)]
    best, joint = max(found, key=lambda f: float(f[1].max()))
    owners = np.unravel_index(int(joint.argmax()), joint.shape)
    return chances, [s if owner else 0 for s, owner in zip(best, owners, strict=True)]


@lru_cache(maxsize=32)
def _allowed(tracks: int, outcomes: int, limit: int) -> Logs:
    """What the game says to every way of holding the tracks of a group."""
    allowed = np.zeros((outcomes,) * tracks)
    for choice in product(range(outcomes), repeat=tracks):
        owners = [c for c in choice if c]
        allowed[choice] = DECIDE.both_tracks * (len(owners) - len(set(owners)))
        allowed[choice] += DECIDE.over_limit * max(len(owners) - limit, 0)
    return allowed


@lru_cache(maxsize=64)
def _shifts(tracks: int, places: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Ways in which the wagons of the tracks may lie beside them, in halves of a lane: in their order, none over
    another, and each where somebody looked."""
    found = []
    for shifts in product((0, -1, 1, -2, 2), repeat=tracks):
        at = [2 * i + s for i, s in enumerate(shifts)]
        if all(p in places for p in at) and all(b - a >= 2 for a, b in pairwise(at)):
            found.append(shifts)
    return tuple(found)


@lru_cache(maxsize=256)
def _shaded(shifts: tuple[int, ...], outcomes: int, dark: int) -> Logs:
    """What is black on a track beside other wagons may be their shadow; not where it lies off its track as they do."""
    tracks = len(shifts)
    shaded = np.zeros((outcomes,) * tracks)
    for choice in product(range(outcomes), repeat=tracks):
        for (one, at), (two, there) in pairwise(zip(choice, shifts, strict=True)):
            shadow = (one == dark and not at) or (two == dark and not there)
            shaded[choice] += LANES.shadow * (dark > 0 and one > 0 and two > 0 and one != two and shadow)
    return shaded


def _joint(lying: Mapping[int, Logs], shifts: tuple[int, ...]) -> Logs:
    """How well every way of holding the tracks fits, when their wagons lie so many halves of a lane beside them.

    `lying`: the chances of what lies at each place. Whatever is seen there has to belong to somebody.
    """
    tracks, outcomes = len(shifts), len(lying[0])
    # One push moves what lies side by side: the second wagon costs less than the first.
    cost = sum(LANES.half_move if abs(s) == 1 else LANES.move for s in {*shifts} - {0})
    joint = np.full((outcomes,) * tracks, cost)
    on = {2 * i + s: i for i, s in enumerate(shifts)}
    for place, chances in lying.items():
        shift = shifts[on[place]] if place in on else 0
        # A wagon half a lane away is seen here, too.
        near = [_along(_wagon(chances), on[p], tracks) for p in (place - 1, place + 1) if p in on]
        if place in on and not shift and not near:
            joint = joint + _along(np.log(chances + 1e-300), on[place], tracks)
            continue
        free = chances[0] + sum(near, start=np.zeros((1,) * tracks))
        if place % 2 or not 0 <= place < 2 * tracks:
            # Beside tracks also something may lie that is no wagon of these; on a track only nothing.
            free = free + np.exp(LANES.something_else) * chances[1:].max()
        free = np.log(free + 1e-300)
        if place not in on:
            joint = joint + free
            continue
        own = _along(np.log(chances + 1e-300), on[place], tracks)
        # An empty track has nothing that could lie elsewhere.
        held = _along((np.arange(outcomes) > 0).astype(np.float64), on[place], tracks) > 0
        joint = joint + np.where(held, own + (LANES.each if shift else 0), -np.inf if shift else free)
    return np.asarray(joint)


def _wagon(chances: Logs) -> Logs:
    return np.concatenate([[0.0], chances[1:]])


def _along(values: Logs, axis: int, tracks: int) -> Logs:
    """One value for each outcome of one track."""
    return values.reshape([len(values) if a == axis else 1 for a in range(tracks)])


def second_owners(board: Board, chances: Logs, moved: Collection[str]) -> Logs:
    """A second owner in a group is doubted as far as this photo surely shows none: of two or three players nobody may.

    Only what is doubtful is told otherwise, and stays a question; not where wagons were `moved`, that are somebody's.
    """
    index = {route: i for i, route in enumerate(board.routes)}
    groups = [[index[t.id] for t in tracks] for tracks in board.groups.values() if len(tracks) > 1]
    sure = [rows for rows in groups if np.abs(chances[rows, 0] - 0.5).min() >= DECIDE.doubt - 0.5]
    held = Counter(min(int((chances[rows, 0] < 0.5).sum()), 2) for rows in sure)
    odds = (held[2] + DECIDE.second[0]) / (held[1] + DECIDE.second[1]) / DECIDE.second_usual
    odds = max(min(odds, 1.0), DECIDE.second_least)
    chances = chances.copy()
    at = {index[track] for track in moved}
    # Most groups are sure as a whole: nothing is told otherwise there.
    for rows in (rows for rows in groups if at.isdisjoint(rows) and chances[rows].max(1).min() < DECIDE.doubt):
        own = chances[rows]
        for row, before, now in zip(rows, own, _with_second(own, odds), strict=True):
            if before.argmax() != now.argmax() and before.max() < DECIDE.doubt:
                chances[row] = less_sure(now, int(now.argmax()), DECIDE.like_others)
    return chances


def _with_second(own: Logs, odds: float) -> Logs:
    """Chances of the tracks of a group, where more than one owner has only such odds."""
    bare, found = own[:, 0], own.copy()
    for i, track in enumerate(found):
        others = np.delete(bare, i)
        none = others.prod()
        one = sum((1 - others[j]) * np.delete(others, j).prod() for j in range(len(others)))
        track[0] *= odds + (1 - odds) * (none + one)
        track[1:] *= odds + (1 - odds) * none
    return np.asarray(found / found.sum(1, keepdims=True))


def less_sure(chances: Logs, i: int, limit: float) -> Logs:
    """A route that loses its certainty, not its colour: which of several is wrong nobody knows."""
    if chances[i] <= limit:
        return chances
    lowered = np.asarray(chances * (1 - limit) / max(1 - float(chances[i]), 1e-9))
    lowered[i] = limit
    return lowered
