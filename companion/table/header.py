"""The first line of a journal: what is played, by whom, and how it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any  # Any: JSON

from companion.rules import Fields, Player, Position, Setup, sentence, start
from maps import Message, Trouble


def header_json(
    variant: str, players: Sequence[Player], modules: Sequence[str], options: Mapping[str, Any], setup: Setup
) -> dict[str, Any]:
    """The header's fields."""
    told: dict[str, Any] = {"variant": variant, "players": [_player_json(p) for p in players]}
    if modules:
        told["modules"] = list(modules)
    if options:
        told["options"] = dict(options)
    begin: dict[str, Any] = {"first": setup.first, "turns": setup.turns, "opening": setup.opening}
    if setup.hands is not None:
        begin["hands"] = {name: dict(hand) for name, hand in setup.hands.items()}
    if setup.face_up is not None:
        begin["face_up"] = list(setup.face_up)
    if setup.discard:
        begin["discard"] = setup.discard
    if setup.keeping != "refereed":
        begin["keeping"] = setup.keeping
    if setup.tokens is not None:
        begin["tokens"] = {place: dict(pile) for place, pile in setup.tokens.items()}
    return {**told, "setup": begin}


def _player_json(player: Player) -> dict[str, Any]:
    told: dict[str, Any] = {"name": player.name, "color": player.color}
    return {**told, "members": list(player.members)} if player.members else told


def read_header(header: Mapping[str, object], file: str) -> Position:
    """The position before the first turn; Trouble if the header can't be used."""
    wrong: list[Message] = []
    f = Fields(dict(header), "", wrong)
    players = [
        Player(p.text("name", required=True), p.text("color"), members=p.texts("members"))
        for p in f.objects("players", required=True)
    ]
    variant, modules, options = f.text("variant", required=True), f.texts("modules"), f.mapping("options")
    setup = _setup(Fields(f.mapping("setup"), "setup", wrong))
    if wrong:
        raise Trouble("bad-journal", file=file, problems=sentence(wrong))
    return start(variant, players, modules, options, setup)


def _setup(f: Fields) -> Setup:
    hands = Fields(f.mapping("hands"), "setup.hands", f.wrong)
    tokens = Fields(f.mapping("tokens"), "setup.tokens", f.wrong)
    return Setup(
        first=f.text("first"),
        turns=f.data.get("turns") is not False,
        opening=f.data.get("opening") is True,
        hands={name: hands.counts(name) or {} for name in hands.data} if "hands" in f.data else None,
        face_up=f.texts("face_up") if "face_up" in f.data else None,
        discard=f.whole("discard") or 0,
        keeping=f.text("keeping") or "refereed",
        tokens={place: tokens.counts(place) or {} for place in tokens.data} if "tokens" in f.data else None,
    )
