"""A moment above the screen: the winner's colours come down, or a shutter goes. Nothing here takes a tap."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, Rotate, Translate
from kivy.graphics.instructions import InstructionGroup
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.ui.feel import Feel
from companion.ui.theme import rgba
from maps.drawing.palette import paint_of

_PIECES = 60
_FALL_SECONDS = 1.6
_FLASH_SECONDS = 0.22


def celebrate(shell: Widget, colors: Sequence[str], feel: Feel) -> None:
    """Small wagons of the winners' colours fall across the screen, once."""
    if not colors or not feel.moves:
        return
    drawn, chance = InstructionGroup(), random.Random(7)
    pieces = [_piece(drawn, colors[i % len(colors)], chance) for i in range(_PIECES)]

    def step(share: float) -> None:
        if share >= 1:
            shell.canvas.after.remove(drawn)
            return
        for place, turn, ink, x, late, spin in pieces:
            come = max(0.0, share * 1.4 - late)
            place.xy = (x * shell.width, shell.height * (1.08 - 1.3 * come))
            turn.angle = spin * come
            ink.a = min(1.0, 4 * (1 - share))

    shell.canvas.after.add(drawn)
    feel.run(step, _FALL_SECONDS)


def _piece(
    into: InstructionGroup, color: str, chance: random.Random
) -> tuple[Translate, Rotate, Color, float, float, float]:
    place, turn, ink = Translate(0, 0), Rotate(angle=0, axis=(0, 0, 1)), Color(*rgba(paint_of(color).fill))
    wide, high = dp(chance.uniform(10, 18)), dp(chance.uniform(5, 8))
    for step in (PushMatrix(), place, turn, ink, Rectangle(pos=(-wide / 2, -high / 2), size=(wide, high)), PopMatrix()):
        into.add(step)
    return place, turn, ink, chance.random(), 0.4 * chance.random(), chance.uniform(-540, 540)


def flash(shell: Widget, feel: Feel) -> None:
    """White for a moment, as a camera's shutter."""
    if not feel.moves:
        return
    ink = Color(1, 1, 1, 0)
    drawn = InstructionGroup()
    drawn.add(ink)
    drawn.add(Rectangle(pos=shell.pos, size=shell.size))

    def step(share: float) -> None:
        ink.a = 0.85 * (1 - share)
        if share >= 1:
            shell.canvas.after.remove(drawn)

    shell.canvas.after.add(drawn)
    feel.run(step, _FLASH_SECONDS)
