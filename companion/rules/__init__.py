"""The referee: variants, positions, verdicts, offers, scores. Pure, over frozen dataclasses; knows `maps` only.

This is the only door: nobody outside imports the modules behind it.
"""

from companion.rules.actions import (
    ACTIONS,
    Action,
    BuildStation,
    BuyTechnology,
    Claim,
    DrawCards,
    DrawnCard,
    DrawTickets,
    EmptyWarehouse,
    Pass,
    PlaceDepot,
    RevealTickets,
    ShowNeutral,
    ShowTickets,
    TakeShare,
    TakeTourist,
    action_json,
    read_action,
)
from companion.rules.claims import ClaimChoice, claim_price, legal_claims
from companion.rules.fields import Fields, sentence
from companion.rules.follow_ups import follow_ups
from companion.rules.judge import judge
from companion.rules.opening import Setup, start
from companion.rules.outcome import NOTHING, SWEEP, Outcome, outcome_json, read_outcome
from companion.rules.payments import Payment, Pile, Price, pay, size, ways, ways_in_principle
from companion.rules.play import play
from companion.rules.position import Player, Position, find_variant
from companion.rules.problems import problems
from companion.rules.running import entry, running
from companion.rules.scoring import PlayerScore, ScoreSheet, TicketScore, Trail, longest_trail, score
from companion.rules.shares import has_neutral
from companion.rules.stations import station_price
from companion.rules.technologies import effects, on_sale, technology_price
from companion.rules.tickets import find_ticket
from companion.rules.tunnels import TunnelAnswer, TurnedCard, extra_price, tunnel, turned_cards
from companion.rules.variants import (
    DEPOTS,
    DEPOTS_EACH,
    MODULES,
    OPTIONS,
    VARIANTS,
    GroupRule,
    Module,
    Option,
    Variant,
    variants_of,
)
from companion.rules.verdict import Reason, Rule, Verdict
from companion.rules.version import RULES

__all__ = [
    "ACTIONS",
    "DEPOTS",
    "DEPOTS_EACH",
    "MODULES",
    "NOTHING",
    "OPTIONS",
    "RULES",
    "SWEEP",
    "VARIANTS",
    "Action",
    "BuildStation",
    "BuyTechnology",
    "Claim",
    "ClaimChoice",
    "DrawCards",
    "DrawTickets",
    "DrawnCard",
    "EmptyWarehouse",
    "Fields",
    "GroupRule",
    "Module",
    "Option",
    "Outcome",
    "Pass",
    "Payment",
    "Pile",
    "PlaceDepot",
    "Player",
    "PlayerScore",
    "Position",
    "Price",
    "Reason",
    "RevealTickets",
    "Rule",
    "ScoreSheet",
    "Setup",
    "ShowNeutral",
    "ShowTickets",
    "TakeShare",
    "TakeTourist",
    "TicketScore",
    "Trail",
    "TunnelAnswer",
    "TurnedCard",
    "Variant",
    "Verdict",
    "action_json",
    "claim_price",
    "effects",
    "entry",
    "extra_price",
    "find_ticket",
    "find_variant",
    "follow_ups",
    "has_neutral",
    "judge",
    "legal_claims",
    "longest_trail",
    "on_sale",
    "outcome_json",
    "pay",
    "play",
    "problems",
    "read_action",
    "read_outcome",
    "running",
    "score",
    "sentence",
    "size",
    "start",
    "station_price",
    "technology_price",
    "tunnel",
    "turned_cards",
    "variants_of",
    "ways",
    "ways_in_principle",
]
