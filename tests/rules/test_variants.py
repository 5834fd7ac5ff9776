"""The table of the rules, cell by cell, against the variants and the boards they are played on."""

from __future__ import annotations

import pytest

import maps
from companion.rules import OPTIONS, VARIANTS, GroupRule, played, variants_of

COMMON = {"usa", "usa-1910", "usa-mega", "usa-big-cities", "europe", "asia", "legendary-asia", "united-kingdom"}
COMMON |= {"united-kingdom-advanced", "pennsylvania", "san-francisco"}

# variant: board, players, wagons of a player, colours x cards + locomotives, opening cards + locomotives,
# long + other tickets dealt / keep, where refused ones go, tickets drawn / keep, tickets in all
TABLE = {
    "usa": ("usa", "2345", 45, (8, 12, 14), (4, 0), (0, 3, 2), "bottom", (3, 1), 30),
    "usa-1910": ("usa", "2345", 45, (8, 12, 14), (4, 0), (0, 3, 2), "bottom", (3, 1), 35),
    "usa-mega": ("usa", "2345", 45, (8, 12, 14), (4, 0), (0, 5, 3), "bottom", (4, 1), 69),
    "usa-big-cities": ("usa", "2345", 45, (8, 12, 14), (4, 0), (0, 4, 2), "bottom", (4, 1), 35),
    "europe": ("europe", "2345", 45, (8, 12, 14), (4, 0), (1, 3, 2), "box", (3, 1), 46),
    "asia": ("asia", "46", 27, (8, 12, 14), (4, 0), (0, 5, 3), "bottom", (4, 1), 0),
    "legendary-asia": ("legendary-asia", "2345", 45, (8, 12, 14), (4, 0), (1, 3, 2), "box", (3, 1), 36),
    "united-kingdom": ("united-kingdom", "234", 35, (8, 12, 20), (4, 1), (0, 5, 3), "bottom", (3, 1), 57),
    "united-kingdom-advanced": ("united-kingdom", "234", 35, (8, 12, 20), (4, 1), (0, 5, 3), "bottom", (3, 1), 57),
    "pennsylvania": ("pennsylvania", "2345", 45, (8, 12, 14), (4, 0), (0, 5, 3), "bottom", (4, 1), 50),
    "san-francisco": ("san-francisco", "234", 20, (6, 6, 8), (2, 0), (0, 2, 1), "bottom", (2, 1), 24),
    "europe-expanded": ("europe", "2345", 45, (8, 12, 14), (4, 0), (1, 3, 2), "box", (3, 1), 65),
    "europe-mega": ("europe", "2345", 45, (8, 12, 14), (4, 0), (2, 5, 3), "box", (3, 1), 101),
    "europe-big-cities": ("europe", "2345", 45, (8, 12, 14), (4, 0), (0, 5, 2), "box", (4, 1), 45),
}

# variant: group closes at, end trigger, longest path, globetrotter, explorer, stations, ties
MORE = {
    "usa": ((2, 3), 2, 10, 0, 0, 0, "tickets longest_path"),
    "usa-1910": ((2, 3), 2, 0, 15, 0, 0, "tickets longest_path"),
    "usa-mega": ((2, 3), 2, 10, 15, 0, 0, "tickets longest_path"),
    "usa-big-cities": ((2, 3), 2, 0, 0, 0, 0, "tickets longest_path"),
    "europe": ((2, 3), 2, 10, 0, 0, 3, "tickets stations longest_path"),
    "asia": ((4,), 4, 10, 10, 0, 0, "tickets longest_path"),
    "legendary-asia": ((2, 3), 2, 0, 0, 10, 0, "tickets mountain"),
    "united-kingdom": ((2,), 2, 0, 0, 0, 0, "tickets longest_path"),
    "united-kingdom-advanced": ((2,), 2, 0, 0, 0, 0, "tickets longest_path"),
    "pennsylvania": ((2, 3), 2, 0, 15, 0, 0, "tickets longest_path"),
    "san-francisco": ((2,), 2, 0, 0, 0, 0, "tickets"),
    "europe-expanded": ((2, 3), 2, 10, 0, 0, 3, "tickets stations longest_path"),
    "europe-mega": ((2, 3), 2, 10, 0, 0, 3, "tickets stations longest_path"),
    "europe-big-cities": ((2, 3), 2, 10, 0, 0, 3, "tickets stations longest_path"),
}


def test_no_variant_is_missing_or_left_out_here() -> None:
    assert set(VARIANTS) == set(TABLE) == set(MORE)
    assert set(VARIANTS) >= COMMON


@pytest.mark.parametrize("variant", TABLE)
def test_each_cell_of_the_table(variant: str) -> None:
    rules = VARIANTS[variant]
    board = maps.load(rules.board)
    assert TABLE[variant] == (
        board.id,
        "".join(str(n) for n in board.players),
        board.wagons,
        (len(board.cards.colors), board.cards.per_color, board.cards.locomotives),
        (rules.opening_cards, rules.opening_locomotives),
        (rules.opening_long_tickets, rules.opening_tickets, rules.keep_opening),
        rules.refused_opening,
        (rules.drawn_tickets, rules.keep_drawn),
        len(rules.tickets(board)),
    )
    assert MORE[variant] == (
        rules.groups_close_at,
        rules.end_trigger,
        rules.longest_path,
        rules.globetrotter,
        rules.explorer,
        rules.stations,
        " ".join(rules.ties),
    )


@pytest.mark.parametrize("variant", TABLE)
def test_what_only_some_variants_have(variant: str) -> None:
    rules = VARIANTS[variant]
    board = maps.load(rules.board)
    assert rules.shares == bool(board.companies) == (variant == "pennsylvania")
    assert rules.tourists == (board.tourist_tokens is not None) == (variant == "san-francisco")
    assert (rules.technologies != "none") == bool(board.technologies) == rules.marked_points_count
    assert (rules.team_size == 2) == (variant == "asia")
    assert (rules.station_points, rules.mountain_points) == (4 if rules.stations else 0, 2)
    assert rules.sweep_at == (0 if board.technologies else 3)
    assert rules.cards_per_locomotive == (4 if board.technologies else 0)
    assert all(option in OPTIONS for option in rules.options)


@pytest.mark.parametrize(
    ("variant", "tracks", "group", "players", "rule"),
    [
        ("usa", 1, "x", 5, GroupRule(in_all=1)),
        ("usa", 2, "x", 2, GroupRule(in_all=1)),
        ("usa", 2, "x", 3, GroupRule(in_all=1)),
        ("usa", 2, "x", 4, GroupRule()),
        ("united-kingdom", 2, "x", 3, GroupRule()),
        ("san-francisco", 2, "x", 2, GroupRule(in_all=1)),
        ("asia", 2, "x", 4, GroupRule(in_all=1)),
        ("asia", 2, "canton-hong-kong", 4, GroupRule()),
        ("asia", 3, "x", 4, GroupRule(in_all=2, per_owner=2)),
        ("asia", 2, "x", 6, GroupRule()),
        ("asia", 3, "x", 6, GroupRule(per_owner=2)),
    ],
)
def test_groups_by_player_count(variant: str, tracks: int, group: str, players: int, rule: GroupRule) -> None:
    assert VARIANTS[variant].group_rule(tracks, group, players) == rule


def test_technologies_on_sale() -> None:
    board = maps.load("united-kingdom")
    basic = VARIANTS["united-kingdom"].technology_ids(board)
    advanced = VARIANTS["united-kingdom-advanced"].technology_ids(board)
    assert (len(basic), len(advanced)) == (11, 16)
    assert set(advanced) - set(basic) == {
        "thermocompressor",
        "water-tenders",
        "risky-contracts",
        "equalising-beam",
        "diesel-power",
    }
    assert VARIANTS["usa"].technology_ids(board) == ()


# copies and price in locomotives of each technology
TECHNOLOGIES = {
    "concession-wales": (4, 1),
    "concession-ireland-france": (4, 1),
    "concession-scotland": (4, 1),
    "mechanical-stoker": (4, 1),
    "superheated-steam-boiler": (4, 2),
    "propellers": (4, 2),
    "booster": (4, 2),
    "boiler-lagging": (4, 2),
    "steam-turbines": (4, 2),
    "double-heading": (4, 4),
    "right-of-way": (1, 4),
    "thermocompressor": (1, 1),
    "water-tenders": (2, 2),
    "risky-contracts": (1, 2),
    "equalising-beam": (1, 2),
    "diesel-power": (1, 3),
}


def test_technology_cards() -> None:
    board = maps.load("united-kingdom")
    assert {t.id: (t.copies, t.locomotives) for t in board.technologies.values()} == TECHNOLOGIES


def test_all_tickets_plays_the_reprinted_values() -> None:
    board = maps.load("usa")
    tickets = played(VARIANTS["usa"], {"all-tickets": True}).tickets(board)
    assert tickets == VARIANTS["usa-mega"].tickets(board)
    assert played(VARIANTS["usa"], {"all-tickets": False}) == VARIANTS["usa"]
    first = VARIANTS["usa"].tickets(board)
    assert sum(tickets[t].points < first[t].points for t in first) == 4


def test_a_board_without_a_variant_plays_the_base_rules() -> None:
    (own,) = variants_of("village")
    assert (own.id, own.longest_path, own.stations, own.ties) == ("village", 10, 0, ("tickets", "longest_path"))
    assert {v.id for v in variants_of("usa")} >= {"usa", "usa-1910", "usa-mega", "usa-big-cities"}
