"""Days as people write them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from companion.lang import say

_KEPT = ("%Y-%m-%d %H:%M", "%Y-%m-%d", "%Y%m%d-%H%M%S-%f")


def moment(kept: str) -> datetime | None:
    """A day and time as files keep it, or as the name of a game tells it; None where it is neither."""
    for form in _KEPT:
        try:
            return datetime.strptime(kept, form)  # noqa: DTZ007 the clock on the wall of whoever plays
        except ValueError:
            continue
    return None


def day(kept: str, language: str, today: date | None = None, clock: bool = False) -> str:
    """A day in words, this year's without the year; `clock`: with the time. What is no date stays as it is.

    >>> day("2025-05-01 20:30", "en"), day("2025-05-01 20:30", "fr", clock=True)
    ('1 May 2025', '1er mai 2025, 20 h 30')
    >>> day("2026-05-01 20:30", "fr", date(2026, 5, 2)), day("2026-05-12", "en", date(2026, 7, 1))
    ('hier', '12 May')
    """
    when = moment(kept)
    if when is None:
        return kept
    told = _day(when.date(), language, today)
    if not clock or (when.hour, when.minute) == (0, 0):
        return told
    time = say("dates.clock", language, hour=str(when.hour), minute=f"{when.minute:02}")
    return say("dates.at", language, day=told, clock=time)


def _day(when: date, language: str, today: date | None) -> str:
    if today is not None and when in (today, today - timedelta(days=1)):
        return say("dates.today" if when == today else "dates.yesterday", language)
    number = say("dates.first", language) if when.day == 1 else str(when.day)
    month = say(f"dates.month-{when.month}", language)
    if today is not None and when.year == today.year:
        return say("dates.short", language, day=number, month=month)
    return say("dates.day", language, day=number, month=month, year=str(when.year))
