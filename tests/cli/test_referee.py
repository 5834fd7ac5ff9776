"""`check`, `tunnel` and `replay`: JSON, words, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules import Claim, Player, Setup
from companion.table.game import Game
from tests.play.asking import table


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return code, captured.out, captured.err


class Asker:
    """Writes position and action into files and asks `companion check`."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys

    def check(self, position: object, action: object, *more: str) -> tuple[int, str, str]:
        files = []
        for name, told in (("position", position), ("action", action)):
            file = self.folder / f"{name}.json"
            file.write_text(told if isinstance(told, str) else json.dumps(told), "utf-8")
            files.append(str(file))
        return run(self.capsys, "check", *files, *more)


@pytest.fixture
def asker(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Asker:
    return Asker(tmp_path, capsys)


CLAIM = {"player": "Anna", "action": "claim", "route": "calgary-vancouver-gray", "cards": {"red": 3}}


def test_a_legal_claim(asker: Asker) -> None:
    code, out, _ = asker.check(table("usa", "Bruno", hand={"red": 3}), CLAIM, "--json")
    assert code == 0
    assert json.loads(out) == {"legal": True, "reasons": [], "needs": {}, "trust": [], "points": 4}


def test_an_illegal_claim_says_no_with_every_reason(asker: Asker) -> None:
    code, out, _ = asker.check(
        table("usa", "Bruno", wagons=1) | {"turn": "Bruno"}, CLAIM | {"cards": {"red": 2}}, "--json"
    )
    assert code == 1
    answer = json.loads(out)
    assert answer["legal"] is False
    assert [r["rule"] for r in answer["reasons"]] == [
        "2. Common rules", "2. Common rules: Claiming", "2. Common rules: Claiming",
    ]  # fmt: skip
    assert [r["message"] for r in answer["reasons"]] == [
        "It is Bruno's turn, not Anna's.", "3 trains are needed, 1 is left.",
        "1 card too few: this takes 3 cards of one colour or locomotives.",
    ]  # fmt: skip


def test_the_same_in_french_for_people(asker: Asker) -> None:
    code, out, _ = asker.check(table("usa", "Bruno"), CLAIM | {"cards": {"red": 2, "blue": 1}}, "--lang", "fr")
    assert code == 1
    assert "Non, ce n'est pas permis :" in out
    assert "des cartes rouges et bleues sont mélangées" in out
    assert "Admis sur parole : Anna a bien ces cartes." in out


@pytest.mark.parametrize(("language", "told"), [("en", "take 1 Ferry card"), ("fr", "Il faut 1 carte Ferry")])
def test_locomotives_have_the_name_of_their_board(asker: Asker, language: str, told: str) -> None:
    crossing = {"player": "Anna", "action": "claim", "route": "alcatraz-fort-mason-black", "cards": {"black": 2}}
    position = table("san-francisco", "Bruno")
    code, out, _ = asker.check(position, crossing, "--lang", language)
    assert (code, told in out, "locomotive" in out) == (1, True, False)
    drawing = {"player": "Anna", "action": "draw-cards", "cards": [{"from": "table", "card": "locomotive"}] * 2}
    code, out, _ = asker.check(position, drawing, "--lang", language)
    assert (code, "Ferry" in out, "locomotive" in out) == (1, True, False)


def test_a_tunnel_tells_what_is_needed(asker: Asker) -> None:
    dig = {"player": "Anna", "action": "claim", "route": "madrid-pamplona-white", "cards": {"white": 3}}
    code, out, _ = asker.check(table("europe", "Bruno"), dig, "--json")
    assert code == 0
    assert json.loads(out)["needs"] == {"revealed": 3}
    _, out, _ = asker.check(table("europe", "Bruno"), dig)
    assert "turn up 3 cards" in out
    _, out, _ = asker.check(table("europe", "Bruno"), dig | {"revealed": ["white", "locomotive", "red"]})
    assert "2 more cards must be paid, or the tunnel given up." in out


@pytest.mark.parametrize(
    ("position", "action", "code", "says"),
    [
        (table("usa", "Bruno"), CLAIM | {"route": "calgary-vancouver-grey"}, "bad-action", "calgary-vancouver-gray"),
        (table("usa", "Bruno"), CLAIM | {"player": "Ana"}, "bad-action", "'Anna'"),
        (table("usa", "Bruno"), CLAIM | {"cards": {"violet": 3}}, "bad-action", "violet"),
        (table("usa", "Bruno"), CLAIM | {"cards": {"red": -3}}, "bad-action", "-3"),
        (table("usa", "Bruno"), CLAIM | {"cards": {"red": 1.5}}, "bad-action", "1.5"),
        (table("usa", "Bruno"), CLAIM | {"cards": {"red": "3"}}, "bad-action", "whole number"),
        (table("usa", "Bruno"), CLAIM | {"cards": ["red"]}, "bad-action", "object in braces"),
        (table("usa", "Bruno"), CLAIM | {"action": "clame"}, "bad-action", "'claim'"),
        (table("usa", "Bruno"), {"player": "Anna"}, "bad-action", "action.action is missing"),
        (table("usa", "Bruno"), {"player": "Anna", "action": "claim"}, "bad-action", "action.cards is missing"),
        (table("usa", "Bruno"), [], "bad-action", "object in braces"),
        (table("usa", "Bruno"), "{", "bad-json", "line 1"),
        (table("usa", "Bruno", routes=["a-b"]), CLAIM, "bad-position", "a-b"),
        (table("usa", "Bruno", hand={"violet": 3}), CLAIM, "bad-hand", "violet"),
        (table("usa", "Bruno") | {"turn": "Zoé"}, CLAIM, "unknown-player", "Zoé"),
        (table("usa", "Bruno") | {"variant": "usb"}, CLAIM, "unknown-variant", "usa"),
        ({}, CLAIM, "bad-position", "variant"),
    ],
)
def test_bad_input_is_told_in_a_sentence(asker: Asker, position: object, action: object, code: str, says: str) -> None:
    exit_code, out, _ = asker.check(position, action, "--json")
    assert exit_code == 2
    error = json.loads(out)["error"]
    assert error["code"] == code
    assert says in error["message"]


def test_the_player_whose_turn_it_is_needs_no_name(asker: Asker) -> None:
    action = {k: v for k, v in CLAIM.items() if k != "player"}
    assert asker.check(table("usa", "Bruno") | {"turn": "Anna"}, action, "--json")[0] == 0
    assert asker.check(table("usa", "Bruno"), action, "--json")[0] == 2


def test_what_a_tunnel_costs_more(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("tunnel", "--variant", "europe", "--played", "red,red", "--revealed", "red,blue,locomotive")
    code, out, _ = run(capsys, *asked, "--hand", "red,locomotive", "--json")
    assert code == 0
    answer = json.loads(out)
    assert (answer["extra"], answer["color"], answer["payable"]) == (2, "red", ["red", "locomotive"])
    assert [r["counts"] for r in answer["revealed"]] == [True, False, True]
    assert answer["can_pay"] is True
    assert answer["ways"] == [{"red": 1, "locomotive": 1}]
    code, out, _ = run(capsys, *asked, "--hand", "blue")
    assert "Pay or give up?" in out
    code, out, _ = run(capsys, *asked)
    assert "Pay or give up?" in out
    code, out, _ = run(capsys, *asked, "--lang", "fr")
    assert "Payer ou abandonner ?" in out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--variant", "europe", "--played", "red,blue", "--revealed", "red"), "tunnel-mixed"),
        (("--variant", "europe", "--played", "rde", "--revealed", "red"), "unknown-color"),
        (("--variant", "europe", "--played", "", "--revealed", "red"), "tunnel-nothing-played"),
        (("--variant", "usa", "--played", "red", "--revealed", "red"), "no-tunnels"),
        (("--variant", "eurpe", "--played", "red", "--revealed", "red"), "unknown-variant"),
    ],
)
def test_a_tunnel_that_can_not_be(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: str) -> None:
    exit_code, out, _ = run(capsys, "tunnel", *arguments, "--json")
    assert exit_code == 2
    assert json.loads(out)["error"]["code"] == code


@pytest.fixture
def record(tmp_path: Path) -> Game:
    players = (Player("Anna", "red"), Player("Bruno", "blue"))
    game = Game.new(tmp_path / "game.jsonl", "usa", players, setup=Setup(turns=False))
    game.do(Claim("Anna", "calgary-vancouver-gray", {"red": 3}))
    return game


def test_a_record_is_replayed_and_scored(capsys: pytest.CaptureFixture[str], record: Game) -> None:
    code, out, _ = run(capsys, "replay", str(record.journal.path), "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["problems"] == []
    assert answer["actions"] == 1
    assert [p["total"] for p in answer["score"]["players"]] == [14, 0]
    assert answer["position"]["players"][0]["routes"] == ["calgary-vancouver-gray"]
    code, out, _ = run(capsys, "replay", str(record.journal.path), "--lang", "fr")
    assert code == 0
    assert "1. Anna : 14" in out


def test_a_record_with_a_forbidden_action_says_no(capsys: pytest.CaptureFixture[str], record: Game) -> None:
    record.journal.append(
        {"do": {"player": "Bruno", "action": "claim", "route": "calgary-vancouver-gray", "cards": {"red": 3}}}
    )
    record.journal.append({"do": "nonsense"})
    code, out, _ = run(capsys, "replay", str(record.journal.path), "--json")
    assert code == 1
    assert [p["entry"] for p in json.loads(out)["problems"]] == [2, 3]
    code, out, _ = run(capsys, "replay", str(record.journal.path))
    assert "is already taken by Anna" in out


def test_a_torn_record_is_replayed_with_a_word_and_left_as_it_is(
    capsys: pytest.CaptureFixture[str], record: Game
) -> None:
    path = record.journal.path
    path.write_bytes(path.read_bytes() + b'{"id": 2, "do"')
    before = path.read_bytes()
    code, out, _ = run(capsys, "replay", str(path))
    assert code == 0
    assert "cut off" in out
    assert path.read_bytes() == before


ONE_PLAYER = b'{"format":1,"variant":"usa","players":[{"name":"A","color":"red"}]}\n'


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-a-journal"),
        (b"{}\n", "not-a-journal"),
        (b'{"format":1}\n', "bad-journal"),
        (ONE_PLAYER, "player-count"),
    ],
)
def test_what_is_no_record(capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    exit_code, out, _ = run(capsys, "replay", str(path), "--json")
    assert exit_code == 2
    assert json.loads(out)["error"]["code"] == code
