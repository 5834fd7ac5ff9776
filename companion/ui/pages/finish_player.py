"""One player's tickets, and what no camera can see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any  # Any: JSON of what a player has, and every page has a model of its own

from kivy.uix.widget import Widget

from companion.ui.models.finish import SUMS, Draft, FinishModel
from companion.ui.models.sheet import SheetModel
from companion.ui.models.snap import SnapModel
from companion.ui.models.ticket_review import PaperSighting, Sighting, TicketReview
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.pages.tasks import Checking, Picking
from companion.ui.widgets.base import CAMERA, Column, Entry, Grid, Heading, IconTap, PartTitle, Quiet, Row, Tap, Text
from companion.ui.widgets.chips import TicketChip
from companion.ui.widgets.pieces import Swatch
from maps.board import Company

Seen = Iterable[Sighting | PaperSighting]


class FinishPlayerPage(Page[FinishModel]):
    title_key = "finish.tickets"

    @property
    def help(self) -> str:
        return "score"

    @classmethod
    def kept(cls, model: FinishModel) -> dict[str, Any]:
        return model.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        model = below.model
        if not isinstance(model, FinishModel):
            if below.desk.game is None:
                return False
            model = FinishModel(below.desk, below.desk.game)
            model.resume(data)
        if not model.drafts:
            return False
        below.app.go("finish-player", model)
        return True

    @property
    def _asked(self) -> Mapping[str, Callable[[Column, Draft], None]]:
        """How each question is asked."""
        return {
            "marked_points": self._marked_points,
            "technologies": self._technologies,
            "shares": self._shares,
            "tourists": self._tourists,
            "depots_left": self._depots_left,
        }

    def fill(self) -> None:
        self.app.keep()
        model, panel = self.model, self.ids.panel
        model.keep()
        panel.clear_widgets()
        draft = model.draft
        head = Row()
        head.add_widget(Swatch(draft.color))
        head.add_widget(Heading(text=model.called(draft), pos_hint={"center_y": 0.5}))
        nth = self.say("finish.nth", n=model.at + 1, all=len(model.drafts))
        head.add_widget(Quiet(text=nth, halign="right", size_hint_x=0.5, pos_hint={"center_y": 0.5}))
        panel.add_widget(head)
        self.ids.next.text = model.next_told
        self._tickets(panel)
        for question in model.questions():
            panel.add_widget(PartTitle(text=self.say(f"ask.{question}")))
            self._asked[question](panel, draft)
        if model.is_last and model.asks_neutral:
            panel.add_widget(PartTitle(text=self.say("ask.neutral")))
            if model.neutral_half:
                panel.add_widget(Text(text=self.say("ask.neutral-half", n=model.neutral_half)))
            self._share_numbers(panel, model.neutral, model.neutral_pile)

    def _tickets(self, panel: Column) -> None:
        model = self.model
        told = Heading(text=model.tickets_told)
        panel.add_widget(told)
        for chip in model.chips():
            panel.add_widget(TicketChip(chip, partial(self._drop, chip.at)))
        panel.add_widget(tap(self.say("tickets.add"), self._pick, "soft", sign="✚"))
        panel.add_widget(tap(self.say("tickets.snap"), partial(self.open_camera, "tickets"), sign=CAMERA))
        if model.at == 0 and len(model.drafts) > 1:
            panel.add_widget(tap(self.say("tickets.snap-all"), partial(self.open_camera, "all-tickets"), sign=CAMERA))
            panel.add_widget(
                Quiet(text=self.say("tickets.snap-all-how", players=", ".join(model.called(d) for d in model.drafts)))
            )
        if not model.draft.tickets:
            panel.add_widget(Quiet(text=self.say("finish.only-sum")))
            for key in model.sums:
                field = self._number(panel, model.draft, key, negative=key == SUMS[0])
                field.bind(text=lambda *_: setattr(told, "text", model.tickets_told))

    def _drop(self, at: int) -> None:
        del self.model.draft.tickets[at]
        self.fill()

    def _pick(self) -> None:
        self.app.go("ticket", self.picking())

    def picking(self, first: str = "") -> Picking:
        following = None if self.model.questions() else self._all_picked
        return Picking(self.model.picker(first), self._picked, self.model, self._dropped, following)

    def _all_picked(self) -> None:
        """From one player's tickets straight to those of the next, and from the last one's to the sheet."""
        self.app.leave()
        page = self.app.page
        if isinstance(page, FinishPlayerPage):
            page._next()
        page = self.app.page
        if isinstance(page, FinishPlayerPage) and not page.model.has_tickets:
            page._pick()

    def _picked(self, ticket: Any) -> None:
        self.model.add_tickets(ticket)
        # Most players have more than one: the picker stays for the next.
        self.app.replace("ticket", self.picking())

    def _dropped(self, at: int) -> None:
        del self.model.draft.tickets[at]
        self.app.replace("ticket", self.picking())

    @property
    def drops(self) -> str:
        return "tickets"

    def camera(self, purpose: str, /) -> SnapModel | None:
        """Tickets by photo, of the player at hand or of all in rows; what is not sure is asked."""
        if purpose not in ("tickets", "all-tickets"):
            return None
        snap = SnapModel(self.desk, "tickets", board=self.model.position().board.id)
        read = self.model.tickets_seen if purpose == "tickets" else self.model.all_tickets_seen
        snap.done = lambda seen: self._snapped(read, seen, snap)
        return snap

    def _snapped(
        self, read: Callable[[Path, Seen], TicketReview], seen: list[Sighting | PaperSighting], snap: SnapModel
    ) -> None:
        if snap.picture is None:
            return
        review = read(snap.picture, seen)
        if review.item is None:
            self._take(review)
        else:
            self.app.replace("ticket-review", self.checking(review))

    def checking(self, review: TicketReview) -> Checking:
        return Checking(review, self.model, self._take)

    def _take(self, review: TicketReview) -> None:
        self.model.take(review)
        self.app.leave()

    def _number(self, panel: Column, draft: Draft, key: str, negative: bool = False) -> Entry:
        """A number to write; missed tickets may weigh more than those done, so one of them has a sign to tap."""
        value = draft.told.get(key)
        field = Entry(text="" if value is None else str(value), input_filter="int", hint_text=self.say(f"hint.{key}"))

        def told(_: object, text: str) -> None:
            if text.removeprefix("-").isdecimal():
                draft.told[key] = int(text)
            else:
                draft.told.pop(key, None)
            self.app.keep()
            self.model.keep()

        field.bind(text=told)
        sign = IconTap("±", f"sign-{key}", lambda: setattr(field, "text", _turned(field.text)))
        panel.add_widget(Row(field, sign) if negative else field)
        return field

    def _marked_points(self, panel: Column, draft: Draft) -> None:
        self._number(panel, draft, "marked_points")

    def _grid(self, panel: Column, cols: int) -> Grid:
        grid = Grid(cols=cols)
        panel.add_widget(grid)
        return grid

    def _toggles(self, panel: Column, names: dict[Any, str], chosen: list[Any], cols: int) -> None:
        """Buttons that are in or out of a list."""
        grid = self._grid(panel, cols)
        for value, name in names.items():
            # Numbers stand in the middle, names with what they do begin at the left.
            kind, begins = "chosen" if value in chosen else "button", "left" if "\n" in name else "center"
            button = Tap(name, kind=kind, halign=begins)
            button.bind(on_release=partial(self._toggle, chosen, value))
            grid.add_widget(button)
        # Short rows keep the width of long ones.
        for _ in range(cols - len(names)):
            grid.add_widget(Widget())

    def _toggle(self, chosen: list[Any], value: Any, button: Tap) -> None:
        chosen.remove(value) if value in chosen else chosen.append(value)
        button.kind = "chosen" if value in chosen else "button"
        self.app.keep()
        self.model.keep()

    def _technologies(self, panel: Column, draft: Draft) -> None:
        names = {tech.id: two_lines(tech.name, tech.about) for tech in self.model.technologies}
        self._toggles(panel, names, draft.told.setdefault("technologies", []), 3 if self.wide else 1)

    def _shares(self, panel: Column, draft: Draft) -> None:
        self._share_numbers(panel, draft.told.setdefault("shares", {}))

    def _share_numbers(
        self, panel: Column, held: dict[str, list[int]], pile: Mapping[str, list[int]] | None = None
    ) -> None:
        """Shares by their numbers; of a pile that is known only those in it."""
        listed = Column()
        panel.add_widget(listed)
        every = [c for c in self.model.position().board.companies.values() if not pile or c.id in pile]
        self.one_by_one([partial(self._company, listed, c, held, (pile or {}).get(c.id)) for c in every])

    def _company(
        self, into: Column, company: Company, held: dict[str, list[int]], there: list[int] | None = None
    ) -> None:
        into.add_widget(Quiet(text=company.name))
        numbers = {n: str(n) for n in there or range(1, company.shares + 1)}
        self._toggles(into, numbers, held.setdefault(company.id, []), 10 if self.wide else 5)

    def _tourists(self, panel: Column, draft: Draft) -> None:
        board = self.model.position().board
        kinds = board.tourist_tokens.kinds if board.tourist_tokens else 0
        names = {str(k): str(k) for k in range(1, kinds + 1)}
        self._toggles(panel, names, draft.told.setdefault("tourists", []), 5)

    def _depots_left(self, panel: Column, draft: Draft) -> None:
        placed = [self.model.position().board.place_name(c, self.desk.language) for c in draft.told.get("depots", ())]
        if placed:
            panel.add_widget(Quiet(text=self.say("finish.depots", cities=placed)))
        numbers = range(self.model.depots_most(draft) + 1)
        # Up to four stand in one row on a phone too.
        grid = self._grid(panel, len(numbers) if self.wide or len(numbers) < 5 else 3)
        for n in numbers:
            kind = "chosen" if draft.told.get("depots_left") == n else "button"
            grid.add_widget(tap(str(n), partial(self._depots, draft, n), kind))

    def _depots(self, draft: Draft, n: int) -> None:
        draft.told["depots_left"] = n
        self.fill()

    def next(self) -> None:
        """On to the next player; what was left out is asked for once more."""
        model = self.model
        untold = [self.say(f"ask.{question}") for question in model.untold()]
        player = model.called(model.draft)
        if not untold and model.has_tickets:
            self._next()
        elif untold:
            self._ask(self.say("finish.untold", player=player, what=untold), "finish.tell-it")
        else:
            self._ask(self.say("finish.no-tickets-ask", player=player), "finish.add-tickets")

    def _ask(self, question: str, stay: str) -> None:
        # What goes on without an answer is never where "next" was.
        answers = [(self.say("finish.go-on"), self._next, "button"), (self.say(stay), None, "primary")]
        self.app.ask(question, answers)

    def _next(self) -> None:
        if self.model.next():
            self.app.show()
        else:
            self.model.count(self._counted, self.app.tell)

    def _counted(self, sheet: SheetModel) -> None:
        self.app.go("sheet", sheet)

    def left(self) -> bool:
        if self.model.back():
            self.app.show()
            return True
        return False


def _turned(number: str) -> str:
    """The same with the other sign."""
    return number[1:] if number.startswith("-") else f"-{number}"


load_kv(__file__)
