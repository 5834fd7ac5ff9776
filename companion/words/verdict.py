"""The referee's word for people: the answer, every reason with its rule, and what may be done instead."""

from __future__ import annotations

from collections.abc import Sequence

from companion.lang import say, tell
from companion.rules import Offer, Reason, Verdict
from maps import LOCOMOTIVES, WildCard


def verdict_text(
    verdict: Verdict, instead: Sequence[Offer] = (), language: str = "en", wild: WildCard = LOCOMOTIVES
) -> str:
    """A verdict in lines; `instead`: what may be done, told where the answer is no."""
    lines = [say("verdict.legal" if verdict.legal else "verdict.illegal", language)]
    lines += [say("verdict.reason", language, **reason_told(r, language, wild)) for r in verdict.reasons]
    for key, value in verdict.needs.items():
        lines.append(say(f"verdict.needs.{key}", language, **{"choices" if isinstance(value, list) else "n": value}))
    if verdict.points:
        lines.append(say("verdict.points", language, n=verdict.points))
    lines += [say("verdict.on-trust", language, what=tell(t, language, wild)) for t in verdict.trust]
    if not verdict.legal:
        lines += _instead(instead, language)
    return "\n".join(lines)


def reason_told(reason: Reason, language: str, wild: WildCard = LOCOMOTIVES) -> dict[str, str]:
    """A reason's sentence, and its rule by the name that players give it."""
    rule = say(f"verdict.rule.{reason.rule.id}", language, wild)
    return {"message": tell(reason.message, language, wild), "rule": rule}


def _instead(offers: Sequence[Offer], language: str) -> list[str]:
    players = dict.fromkeys(offer.player for offer in offers)
    # Where nobody keeps the order of turns everybody may do everything: no word on it.
    if len(players) != 1:
        return []
    kinds = dict.fromkeys(offer.kind for offer in offers)
    actions = ", ".join(say(f"verdict.do.{kind}", language) for kind in kinds)
    return [say("verdict.instead", language, player=next(iter(players)), actions=actions)]
