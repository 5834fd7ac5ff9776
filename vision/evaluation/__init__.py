"""The testers' bench: reads folders of recordings and says what was read right, and how far that can be trusted.

`evaluate` gives a row per photo, `document` everything that they add up to; `sweep` makes photos worse step by step;
`worst` picks those that are read worst, `page` shows one of them.
"""

from vision.evaluation.against import Change, Changes, against, rows_of
from vision.evaluation.figures import document, to_csv
from vision.evaluation.films import FilmRow, films, judge
from vision.evaluation.floors import Floor, against_floors, entries_of, recorded
from vision.evaluation.pools import OUR_FAULT, Interrupted, Local, Pool
from vision.evaluation.readers import Ask, Reader, Sheets, SheetSeen, ask_program
from vision.evaluation.rows import Row, Stopped, evaluate, gather
from vision.evaluation.stress import HARMS, Curve, sweep
from vision.evaluation.worst import page, worst

__all__ = [
    "HARMS",
    "OUR_FAULT",
    "Ask",
    "Change",
    "Changes",
    "Curve",
    "FilmRow",
    "Floor",
    "Interrupted",
    "Local",
    "Pool",
    "Reader",
    "Row",
    "SheetSeen",
    "Sheets",
    "Stopped",
    "against",
    "against_floors",
    "ask_program",
    "document",
    "entries_of",
    "evaluate",
    "films",
    "gather",
    "judge",
    "page",
    "recorded",
    "rows_of",
    "sweep",
    "to_csv",
    "worst",
]
