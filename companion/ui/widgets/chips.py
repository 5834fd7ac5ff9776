"""A ticket that somebody holds: done or missed, its cities, its points."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kivy.lang import Builder
from kivy.properties import StringProperty

from companion.ui.models.finish import Chip
from companion.ui.widgets.base import IconTap, Row

_SIGNS = {"done": "✓", "missed": "✕", "": "•"}


class TicketChip(Row):
    """Green where it is done, red where it is missed, and a sign that says the same; the cross takes it away."""

    kind = StringProperty("panel")
    sign = StringProperty("")
    words = StringProperty("")
    points = StringProperty("")

    def __init__(self, chip: Chip, drop: Callable[[], object]) -> None:
        kinds = {"done": "good", "missed": "bad", "": "panel"}
        super().__init__(kind=kinds[chip.state], sign=_SIGNS[chip.state], words=chip.words, points=chip.points)
        self.ids.room.add_widget(IconTap("✕", f"drop-{chip.at}", drop))


Builder.load_file(str(Path(__file__).with_name("chips.kv")))
