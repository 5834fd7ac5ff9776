"""A first evening: something to try without a board, and a short page on each way of using the app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON, and every page has a model of its own

from kivy.metrics import dp

from companion.ui import theme
from companion.ui.models.coach import Coach
from companion.ui.models.dispute import Dispute
from companion.ui.models.finish import FinishModel
from companion.ui.models.new_game import NewGame
from companion.ui.models.snap import SnapModel
from companion.ui.models.table import TableModel
from companion.ui.pages.finish import FinishPage
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.pages.table import TablePage
from companion.ui.services import Practice
from companion.ui.widgets.base import CAMERA, Column, Heading, Panel, Row, Tap, Text

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# The ways of using the app by the key of their words: their sign, and how many steps they take.
WAYS = {"score": (CAMERA, 4), "watched": ("◉", 4), "claims": ("track", 4), "turns": ("whistle", 4), "dispute": ("⚖", 3)}


class GuidePage(Page[None]):
    """What to try first, and how each way works."""

    title_key = "guide.title"

    @classmethod
    def kept(cls, _model: None) -> dict[str, Any]:
        return {}

    @classmethod
    def resume(cls, below: Page[Any], _data: Mapping[str, Any]) -> bool:
        below.app.go("guide")
        return True

    def fill(self) -> None:
        tries, ways = self.ids.tries, self.ids.ways
        tries.clear_widgets()
        ways.clear_widgets()
        tries.add_widget(self._tap("guide.photo", CAMERA, self.photo, "primary"))
        tries.add_widget(self._tap("guide.game", "whistle", self.game, "primary"))
        for way, (sign, _) in WAYS.items():
            ways.add_widget(tap(self.say(f"way.{way}"), partial(self.app.go, "way", way), halign="left", sign=sign))

    def _tap(self, key: str, sign: str, do: Callable[[], object], kind: str) -> Tap:
        return tap(two_lines(self.say(key), self.say(f"{key}-about")), do, kind, halign="left", sign=sign)

    def photo(self) -> None:
        """A finished game that comes with the program: read, shown and counted as one's own would be."""
        model = FinishModel(self.desk)
        snap = SnapModel(self.desk, "practice")

        def seen(found: Practice) -> None:
            self.app.home()
            self.app.go("finish", model)
            page = self.app.page
            model.practice(found)
            if isinstance(page, FinishPage) and model.review is not None:
                self.app.go("review", page.reviewing(model.review))

        snap.done = seen
        snap.practise()
        self.app.go("snap", snap)

    def game(self) -> None:
        """A game that is begun already, with a coach beside it."""
        self.app.go("practice", Coach.new(self.desk))


class WayPage(Page[str]):
    """One way of using the app, in a few steps."""

    @property
    def title(self) -> str:
        return self.say(f"way.{self.model}")

    def fill(self) -> None:
        steps: Column = self.ids.steps
        steps.clear_widgets()
        told = [self.say(f"way.{self.model}.{n}") for n in range(1, WAYS[self.model][1] + 1)]
        for n, text in enumerate(told, start=1):
            box = Panel()
            number = Heading(text=str(n), size_hint_x=None, width=dp(24), pos_hint={"center_y": 0.5})
            box.add_widget(Row(number, Text(text=text, pos_hint={"center_y": 0.5}), spacing=dp(theme.GAP)))
            steps.add_widget(box)
        self.ids.start.text = self.say("guide.start" if self._from_guide else "ok")

    @property
    def _from_guide(self) -> bool:
        return len(self.app.stack) > 1 and self.app.stack[-2][0] == "guide"

    def start(self) -> None:
        """Leaves the page and does it; where somebody came from the middle of it, they go on."""
        begins = self._from_guide
        self.app.leave()
        if begins:
            self._begin()

    def _begin(self) -> None:
        if self.model == "score":
            self.app.go("finish", FinishModel(self.desk))
        elif self.model == "dispute":
            self.app.go("dispute", Dispute(self.desk))
        else:
            model = NewGame(self.desk)
            model.keeping = self.model
            self.app.go("variant", model)

    @classmethod
    def kept(cls, model: str) -> dict[str, Any]:
        return {"way": model}

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        if data["way"] not in WAYS:
            return False
        below.app.go("way", str(data["way"]))
        return True


class PracticePage(TablePage):
    """The table of the practice game: the coach says what to try next."""

    model: Coach

    def __init__(self, app: CompanionApp, model: Coach) -> None:
        self._coached: str | None = None
        super().__init__(app, model)

    @property
    def title(self) -> str:
        return self.say("guide.game")

    @classmethod
    def kept(cls, _model: TableModel) -> dict[str, Any] | None:
        """Nothing is lost with it: it is begun anew."""
        return None

    @classmethod
    def resume(cls, _below: Page[Any], _data: Mapping[str, Any]) -> bool:
        return False

    def fill(self) -> None:
        lesson = self.model.lesson
        super().fill()
        box = Panel(kind="soft")
        box.add_widget(Text(text=self.model.told, ink_of="soft"))
        if lesson is None:
            box.add_widget(tap(self.say("coach.done"), self.app.home, "primary"))
        self.ids.panel.add_widget(box, index=len(self.ids.panel.children))
        look = lesson.look if lesson is not None and self.model.form is None else None
        if look != self._coached and self.model.form is None:
            self._coached = look
            if look:
                self.map.frame([look])
            else:
                self.map.show_whole()

    def _hints(self, panel: Column) -> None:
        """The coach says it all."""


load_kv(__file__)
