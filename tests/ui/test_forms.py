"""Actions told step by step, in every variant: what the screen offers can always be played to its end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.rules import ACTIONS, VARIANTS, read_action
from companion.table.game import Game
from companion.ui.demo import deal
from companion.ui.desk import Desk
from companion.ui.models.forms import Form, try_verdict
from companion.ui.models.new_game import NewGame
from companion.ui.models.table import TableModel
from maps import LOCOMOTIVE


def _desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "home")
    desk.change(language="en")
    return desk


def _table(tmp_path: Path, variant: str, modules: tuple[str, ...] = ()) -> TableModel:
    desk = _desk(tmp_path)
    new = NewGame(desk)
    new.choose(VARIANTS[variant])
    for module in modules:
        new.switch(module, True)
    assert new.problem is None
    game = new.begin()
    deal(game)
    return TableModel(desk, game)


def _form(model: TableModel) -> Form:
    """The action being told: an offer was taken."""
    assert model.form is not None
    return model.form


def _fill(model: TableModel, form: Form, rng: random.Random) -> None:
    """Answers what is asked, as the panel offers it."""
    board, asks = form.position.board, form.asks
    offered: dict[str, list[str]] = {
        "city": [c.id for c in board.cities.values() if not c.junction],
        "technology": [ware.id for ware in form.wares("en")],
        "company": form.options("company"),
        "owner": form.options("owner"),
    }
    if asks in offered:
        form.set(asks, rng.choice(offered[asks]))
    elif asks == "route":
        model.offer([rng.choice(form.options("route") or list(board.routes))])
    elif asks == "cards":
        form.lay(rng.choice(form.payable()))
    elif asks == "token":
        place = rng.choice(list(form.tokens()))
        form.data["place"] = place
        form.set("kind", rng.choice(form.tokens()[place]))
    elif asks == "draw":
        form.draw(rng.choice((None, *board.cards.colors)))
    elif asks == "tickets":
        form.data["tickets"].append({"a": "beijing", "b": "delhi", "points": 5})
    elif asks == "revealed":
        for _ in range(form.turn_up):
            form.turn(rng.choice((*board.cards.colors, LOCOMOTIVE)))
        form.go_on()
    elif asks in ("warehouse", "to", "neutral", "rack"):
        needed = form.verdict().needs[asks]
        form.answer_need(rng.choice(needed) if isinstance(needed, list) else needed)


@pytest.mark.parametrize("modules", [(), ("warehouses-depots",)], ids=["plain", "depots"])
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_whatever_is_offered_can_be_told(tmp_path: Path, variant: str, modules: tuple[str, ...]) -> None:
    rng = random.Random(f"{variant}{modules}")
    model = _table(tmp_path, variant, modules)
    recorded: set[str] = set()
    for _ in range(60):
        model.ask_next()
        # What a claim brings is asked first; now and then it is left alone.
        if model.form is not None and model.form.optional and rng.random() < 0.2:
            model.decline()
        form = model.form or model.start(rng.choice(model.actions()))
        kind = form.kind
        for _ in range(8):
            _fill(model, form, rng)
            verdict = try_verdict(form)
            if verdict is not None and getattr(verdict, "legal", False) and form.go_on():
                recorded.add(kind)
                model.done()
                break
        model.cancel()
    game = model.game
    assert all(e.fine for e in game.entries)
    assert {"claim", "draw-cards", "draw-tickets"} <= recorded
    assert Game.open(game.journal.path).position == game.position


def test_every_action_of_the_app_is_one_of_the_rules(tmp_path: Path) -> None:
    model = _table(tmp_path, "europe")
    for kind in ACTIONS:
        form = Form(model.game, kind, "Blue")
        assert form.data["action"] == kind
    assert {slot.kind for slot in model.slots} - {"deck"} <= set(ACTIONS)


@pytest.mark.parametrize(
    ("route", "taps", "laid"),
    [
        ("amsterdam-essen-yellow", [], {"yellow": 3}),
        ("amsterdam-essen-yellow", [LOCOMOTIVE], {"yellow": 2, LOCOMOTIVE: 1}),
        ("amsterdam-essen-yellow", [LOCOMOTIVE, LOCOMOTIVE, LOCOMOTIVE], {LOCOMOTIVE: 3}),
        ("paris-zurich-gray", [], {}),
        ("paris-zurich-gray", ["red"], {"red": 3}),
        ("paris-zurich-gray", ["red", "blue"], {"blue": 3}),
        ("paris-zurich-gray", [LOCOMOTIVE, "red"], {LOCOMOTIVE: 1, "red": 1}),
    ],
)
def test_taps_on_cards_lay_the_price(tmp_path: Path, route: str, taps: list[str], laid: dict[str, int]) -> None:
    model = _table(tmp_path, "europe")
    model.offer([route])
    form = _form(model)
    for card in taps:
        form.lay(card)
    assert form.pile == laid


def test_a_ferry_starts_with_its_locomotives(tmp_path: Path) -> None:
    model = _table(tmp_path, "europe")
    ferry = next(r for r in model.board.routes.values() if r.kind == "ferry")
    model.offer([ferry.id])
    assert model.form is not None
    model.form.lay("red")
    assert model.form.pile[LOCOMOTIVE] == ferry.locomotives
    assert model.form.verdict().complete


def test_accepting_anyway_is_written_down(tmp_path: Path) -> None:
    model = _table(tmp_path, "europe")
    model.offer(["amsterdam-essen-yellow"])
    form = _form(model)
    form.unlay("yellow")
    assert not form.verdict().legal
    assert not form.go_on()
    assert form.go_on(accept=True)
    assert model.game.entries[-1].accepted


def test_a_tunnel_can_be_given_up(tmp_path: Path) -> None:
    model = _table(tmp_path, "europe")
    model.offer(["paris-zurich-gray"])
    form = _form(model)
    form.lay("red")
    form.go_on()
    for card in ("red", "red", "blue"):
        form.turn(card)
    form.go_on()
    assert form.asks == "extra"
    assert form.pile == {"red": 2}
    assert form.give_up()
    assert model.position.owners == {}
    assert model.position.run.previous == "Blue"


def test_two_cities_or_a_name_find_a_route(tmp_path: Path) -> None:
    model = _table(tmp_path, "europe")
    model.pick_city("paris")
    assert len(_form(model).candidates) > 2
    model.pick_city("zurich")
    assert _form(model).data["route"] == "paris-zurich-gray"
    assert [r.id for r in model.search("paris zur")] == ["paris-zurich-gray"]
    assert all("kobenhavn" in r.ends for r in model.search("kob"))


def test_back_goes_one_step(tmp_path: Path) -> None:
    model = _table(tmp_path, "europe")
    model.offer(["paris-zurich-gray"])
    form = _form(model)
    form.lay("red")
    form.go_on()
    assert form.asks == "revealed"
    assert form.back()
    assert form.asks == "cards"
    assert form.back()
    assert form.asks == "route"
    assert not form.back()


def test_an_action_told_by_the_form_reads_as_json(tmp_path: Path) -> None:
    model = _table(tmp_path, "europe")
    model.offer(["amsterdam-essen-yellow"])
    assert model.form is not None
    action = read_action(model.form.data, model.position)
    assert action.player == "Blue"
