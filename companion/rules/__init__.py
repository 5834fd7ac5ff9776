"""The referee: variants, positions, verdicts, offers, scores. Pure, over frozen dataclasses; knows `maps` only.

This is the only door: nobody outside imports the modules behind it.
"""

from companion.rules.book import HEADINGS, module_book, rule_section, rulebook
from companion.rules.parts import ACTIONS, PARTS
from companion.rules.parts.claim import Claim, ClaimChoice, claim_price, legal_claims
from companion.rules.parts.depot import DEPOTS_EACH, EmptyWarehouse, PlaceDepot
from companion.rules.parts.draw import DrawCards, most_cards
from companion.rules.parts.keeping import Join, Keep
from companion.rules.parts.passing import Pass
from companion.rules.parts.share import (
    ShowNeutral,
    TakeShare,
    half_of,
    has_neutral,
    neutral_choices,
    neutral_pile,
    next_share,
)
from companion.rules.parts.station import BuildStation, station_price
from companion.rules.parts.team import RevealTickets
from companion.rules.parts.technology import BuyTechnology, effects, on_sale, technology_price
from companion.rules.parts.tickets import DrawTickets, ShowTickets
from companion.rules.parts.token import LayTokens, TakeTourist, pile_of, tokens_per_kind
from companion.rules.parts.tunnel import TunnelAnswer, TurnedCard, extra_price, extra_ways, tunnel, turned_cards
from companion.rules.reading import read_action, read_outcome, read_position
from companion.rules.referee import judge, offers, play, problems, start
from companion.rules.scoring.final import score
from companion.rules.scoring.sheet import PlayerScore, ScoreSheet, TicketScore
from companion.rules.scoring.trails import Trail, longest_trail
from companion.rules.table.action import Action, DrawnCard, action_json
from companion.rules.table.book import Section
from companion.rules.table.cards import Payment, Pile, Price, pay, size, ways, ways_in_principle
from companion.rules.table.fields import Fields, sentence
from companion.rules.table.offer import Ask, Offer, Question
from companion.rules.table.outcome import NOTHING, SWEEP, Outcome, outcome_json
from companion.rules.table.part import Part
from companion.rules.table.position import KEEPINGS, LastClaim, Player, Position, Running, Seat
from companion.rules.table.setup import Setup
from companion.rules.table.tickets import find_ticket
from companion.rules.table.variant import GroupRule, Variant
from companion.rules.table.verdict import Reason, Rule, Verdict
from companion.rules.variants import (
    DEPOTS,
    MODULES,
    OPTIONS,
    RULES,
    VARIANTS,
    Module,
    Option,
    find_variant,
    played,
    variants_of,
)

__all__ = [
    "ACTIONS",
    "DEPOTS",
    "DEPOTS_EACH",
    "HEADINGS",
    "KEEPINGS",
    "MODULES",
    "NOTHING",
    "OPTIONS",
    "PARTS",
    "RULES",
    "SWEEP",
    "VARIANTS",
    "Action",
    "Ask",
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
    "Join",
    "Keep",
    "LastClaim",
    "LayTokens",
    "Module",
    "Offer",
    "Option",
    "Outcome",
    "Part",
    "Pass",
    "Payment",
    "Pile",
    "PlaceDepot",
    "Player",
    "PlayerScore",
    "Position",
    "Price",
    "Question",
    "Reason",
    "RevealTickets",
    "Rule",
    "Running",
    "ScoreSheet",
    "Seat",
    "Section",
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
    "extra_price",
    "extra_ways",
    "find_ticket",
    "find_variant",
    "half_of",
    "has_neutral",
    "judge",
    "legal_claims",
    "longest_trail",
    "module_book",
    "most_cards",
    "neutral_choices",
    "neutral_pile",
    "next_share",
    "offers",
    "on_sale",
    "outcome_json",
    "pay",
    "pile_of",
    "play",
    "played",
    "problems",
    "read_action",
    "read_outcome",
    "read_position",
    "rule_section",
    "rulebook",
    "score",
    "sentence",
    "size",
    "start",
    "station_price",
    "technology_price",
    "tokens_per_kind",
    "tunnel",
    "turned_cards",
    "variants_of",
    "ways",
    "ways_in_principle",
]
