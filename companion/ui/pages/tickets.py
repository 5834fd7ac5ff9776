"""Tickets: chosen in two taps on the map or in the list, and those in a photo that are not sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any  # Any: JSON

from kivy.metrics import dp, sp

from companion import words
from companion.ui import hits, theme
from companion.ui.layers import Pieces
from companion.ui.models.ticket_review import Asked, TicketReview
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.pages.tasks import Checking, ChecksTickets, Picking, TakesTickets
from companion.ui.widgets.base import Column, Grid, Heading, Quiet, Row
from companion.ui.widgets.chips import TicketChip
from companion.ui.widgets.photo_view import PhotoView

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# How much a ticket in question is enlarged: a hand of tickets fills the photo.
_TICKET_ZOOM = 2.5
# Cities that are laid out at once, which fills a phone, and then with every frame.
_AT_ONCE, _A_FRAME = 14, 8


class TicketPage(Page[Picking]):
    """A ticket in two taps: what was chosen before stands below, and the page stays for the next one."""

    title_key = "tickets.add"

    def __init__(self, app: CompanionApp, model: Picking) -> None:
        self.picker = model.picker
        super().__init__(app, model)
        self.ids.search.bind(text=self._typed, on_text_validate=self._entered)

    @property
    def title(self) -> str:
        finish = self.model.finish
        return self.say("tickets.of", player=finish.called(finish.draft)) if finish else self.say(self.title_key)

    @classmethod
    def kept(cls, model: Picking) -> dict[str, Any]:
        return {"first": model.picker.first}

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        if not isinstance(below, TakesTickets):
            return False
        below.app.go("ticket", below.picking(str(data["first"])))
        return True

    def fill(self) -> None:
        self.app.keep()
        picker, listed = self.picker, self.ids.listed
        self.one_by_one((), anew=True)
        listed.clear_widgets()
        self.ids.chips.clear_widgets()
        self.ids.bottom.clear_widgets()
        self._map()
        asks_points = bool(picker.second) and not picker.known
        # Points are no cities: there is nothing to search for.
        self.ids.search.disabled, self.ids.search.opacity = asks_points, 0 if asks_points else 1
        self.ids.search.height = 0 if asks_points else dp(theme.TOUCH)
        if asks_points:
            self.ids.asked.text = self.say("tickets.points")
            for n in picker.points():
                listed.add_widget(tap(str(n), partial(self.model.done, picker.told(n))))
        else:
            first = words.place(picker.board, picker.first, self.desk.language) if picker.first else ""
            self.ids.asked.text = self.say("tickets.second", city=first) if first else self.say("tickets.first")
            places = picker.places(self.desk.language)
            self._list(places[:_AT_ONCE])
            rest = [places[i : i + _A_FRAME] for i in range(_AT_ONCE, len(places), _A_FRAME)]
            self.one_by_one([partial(self._list, some) for some in rest])
        self.ids.asked.font_size = sp(theme.BODY if self.tight else theme.BIG)
        self._chosen()

    def _list(self, places: Sequence[tuple[str, str]]) -> None:
        for place, name in places:
            points = self.picker.points_to(place)
            text = two_lines(name, self.say("points-of", points=points)) if points else name
            self.ids.listed.add_widget(tap(text, partial(self._tap, place), halign="left"))

    def _map(self) -> None:
        board = self.picker.board
        marked = tuple(c for c in (self.picker.first, self.picker.second) if c in board.cities)
        finish = self.model.finish
        laid = finish.pieces(marked) if finish is not None else Pieces(highlight=marked)
        if not self.ids.map.children:
            self.ratio = 1 / board.geometry.aspect
            self.map = self.map_view(board.id, laid, played=finish is not None)
            self.map.bind(on_pick=self._picked)
            self.ids.map.add_widget(self.map)
        else:
            self.map.show(board.id, laid)

    def _chosen(self) -> None:
        """What this player has so far, with what is done and what is missed, and the way out."""
        finish = self.model.finish
        if finish is None:
            return
        if not self.picker.first:
            self.hint(self.ids.chips, "picker")
            self.ids.chips.add_widget(Quiet(text=finish.tickets_told))
            for chip in reversed(finish.chips()):
                self.ids.chips.add_widget(TicketChip(chip, partial(self.model.dropped, chip.at)))
        n, total = len(finish.draft.tickets), finish.ticket_sum
        # Where words are large the list needs the room: number and sum stand in it too.
        short = not n or ((self.tight or self.slim or self.app.low) and self.model.next is not None)
        text = self.say("tickets.none-yet") if short else self.say("tickets.done", n=n, points=total)
        if self.model.next is None or not n:
            self.ids.bottom.add_widget(tap(text, self.app.leave, "primary", bold=True))
            return
        on = tap(finish.next_told, self.model.next, "primary", bold=True)
        self.ids.bottom.add_widget(Row(tap(text, self.app.leave), on))

    def _typed(self, _: object, text: str) -> None:
        self.picker.text = text
        self.fill()

    def _entered(self, _: object) -> None:
        """Enter takes the only city that is left."""
        found = self.picker.places(self.desk.language)
        if len(found) == 1:
            self._tap(found[0][0])

    def _picked(self, _view: object, x: float, y: float, reach: float) -> None:
        board = self.picker.board
        allowed = {place for place, _ in self.picker.places(self.desk.language)}
        city = hits.city_at(board, x, y, reach, allowed)
        if city is not None:
            self._tap(city)

    def _tap(self, place: str) -> None:
        found = self.picker.tap(place)
        self.ids.search.text = ""
        if len(found) == 1:
            self.model.done(found[0].id)
        elif found:
            answers = [(self.say("points", n=t.points), partial(self.model.done, t.id), "button") for t in found]
            self.app.ask(self.say("tickets.which"), answers)
        else:
            self.fill()

    def left(self) -> bool:
        if self.picker.first:
            self.picker.reset()
            self.fill()
            return True
        return False


class TicketReviewPage(Page[Checking]):
    """A ticket in the photo that is not sure, enlarged, with what it may be."""

    title_key = "tickets.snap"

    def __init__(self, app: CompanionApp, model: Checking) -> None:
        self.review, self.finish = model.review, model.finish
        # Of the share that is asked about, once somebody has told it.
        self.company = ""
        self._position = self.finish.position()
        super().__init__(app, model)

    @classmethod
    def kept(cls, model: Checking) -> dict[str, Any]:
        return model.review.to_json()

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        if not isinstance(below, ChecksTickets):
            return False
        below.app.go("ticket-review", below.checking(TicketReview.from_json(data)))
        return True

    def fill(self) -> None:
        self.app.keep()
        review, board = self.review, self._position.board
        if not self.ids.photo.children:
            self.photo = PhotoView(self.desk.work)
            self.photo.load(review.picture, board)
            self.ids.photo.add_widget(self.photo)
        panel: Column = self.ids.panel
        panel.clear_widgets()
        item = review.item
        if item is None:
            return
        self.photo.point_at(item.quad, _TICKET_ZOOM)
        panel.add_widget(Quiet(text=self.say("review.nth", n=review.at + 1, all=len(review.items))))
        if item.whose is not None:
            panel.add_widget(Quiet(text=self.say("tickets.of", player=self._position.players[item.whose].name)))
        {"ticket": self._ask_ticket, "technology": self._ask_technology, "share": self._ask_share}[item.kind](
            panel, item
        )
        panel.add_widget(tap(self.say(f"tickets.none-{item.kind}"), partial(self._answer, None)))

    def _ask_ticket(self, panel: Column, item: Asked) -> None:
        if not item.choices:
            panel.add_widget(Heading(text=self.say("tickets.unread")))
            panel.add_widget(tap(self.say("tickets.choose"), self._pick, "soft"))
            return
        panel.add_widget(Heading(text=self.say("tickets.unsure")))
        for i, ticket in enumerate(self._position.tickets[t] for t in item.choices):
            text = words.ticket(self._position.board, ticket, self.desk.language)
            panel.add_widget(tap(text, partial(self._answer, ticket.id), "soft" if i == 0 else "button"))
        panel.add_widget(tap(self.say("tickets.other"), self._pick))

    def _ask_technology(self, panel: Column, item: Asked) -> None:
        panel.add_widget(Heading(text=self.say("tickets.unsure-technology")))
        board = self._position.board
        every = dict.fromkeys((*item.choices, *self._position.variant.technology_ids(board)))
        for i, tech in enumerate(every):
            text = board.technologies[tech].name(self.desk.language)
            panel.add_widget(tap(text, partial(self._answer, tech), "soft" if i == 0 else "button"))

    def _ask_share(self, panel: Column, item: Asked) -> None:
        """The company, where that isn't sure, then the number."""
        companies = self._position.board.companies
        company = self.company or (item.choices[0] if item.sure else "")
        if not company:
            panel.add_widget(Heading(text=self.say("tickets.unsure-share")))
            for i, one in enumerate(dict.fromkeys((*item.choices, *companies))):
                panel.add_widget(tap(companies[one].name, partial(self._of, one), "soft" if i == 0 else "button"))
            return
        panel.add_widget(Heading(text=self.say("tickets.unsure-number", company=companies[company].name)))
        grid = Grid(cols=5)
        panel.add_widget(grid)
        for number in range(1, companies[company].shares + 1):
            grid.add_widget(tap(str(number), partial(self._answer, company, number)))

    def _of(self, company: str) -> None:
        self.company = company
        self.fill()

    def _pick(self) -> None:
        self.app.go("ticket", self.picking())

    def picking(self, first: str = "") -> Picking:
        return Picking(self.finish.picker(first), self._picked)

    def _picked(self, ticket: str) -> None:
        self.app.leave()
        page = self.app.page
        if isinstance(page, TicketReviewPage):
            page._answer(ticket)

    def _answer(self, told: str | None, number: int = 0) -> None:
        self.review.answer(told, number)
        self.company = ""
        if self.review.item is None:
            self.model.done(self.review)
        else:
            self.fill()

    def left(self) -> bool:
        """Answers are not dropped without a word."""
        if not self.review.taken:
            return False
        answers = [(self.say("review.drop"), self.app.leave, "bad"), (self.say("review.stay"), None, "primary")]
        self.app.ask(self.say("tickets.drop-ask"), answers)
        return True


load_kv(__file__)
