"""Things of the game in words, once for terminal, screen and sharing: routes, tickets, readings, verdicts, sheets."""

from companion.words.names import action, details, pair, place, route, spot, ticket, way
from companion.words.reading import (
    card_mark,
    cards_text,
    reading_text,
    share_mark,
    shares_text,
    technologies_text,
    technology_mark,
    ticket_mark,
    tickets_text,
)
from companion.words.rulebook import rule_told, rules_pages, rules_text, section_title
from companion.words.sheet import sheet_text
from companion.words.verdict import reason_told, verdict_text
from companion.words.watching import event_text, why

__all__ = [
    "action",
    "card_mark",
    "cards_text",
    "details",
    "event_text",
    "pair",
    "place",
    "reading_text",
    "reason_told",
    "route",
    "rule_told",
    "rules_pages",
    "rules_text",
    "section_title",
    "share_mark",
    "shares_text",
    "sheet_text",
    "spot",
    "technologies_text",
    "technology_mark",
    "ticket",
    "ticket_mark",
    "tickets_text",
    "verdict_text",
    "way",
    "why",
]
