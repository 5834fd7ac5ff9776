"""One file per thing of a rule book: its actions, what it offers, its problems, its line of the score."""

from collections.abc import Mapping

from companion.rules.parts.claim import Claims
from companion.rules.parts.depot import Depots
from companion.rules.parts.draw import Draws
from companion.rules.parts.explorer import Explorer
from companion.rules.parts.globetrotter import Globetrotter
from companion.rules.parts.keeping import Keeping
from companion.rules.parts.longest_path import LongestPath
from companion.rules.parts.mountain import Mountains
from companion.rules.parts.passing import Passing
from companion.rules.parts.share import Shares
from companion.rules.parts.station import Stations
from companion.rules.parts.team import Teams
from companion.rules.parts.technology import Technologies
from companion.rules.parts.tickets import Tickets
from companion.rules.parts.token import Tokens
from companion.rules.parts.tunnel import Tunnels
from companion.rules.table.action import Action
from companion.rules.table.part import Part

PARTS: tuple[type[Part], ...] = (
    Claims, Draws, Tunnels, Mountains, Tickets, Passing, Keeping, Stations, LongestPath, Globetrotter, Explorer,
    Technologies, Shares, Tokens, Teams, Depots,
)  # fmt: skip

# Every action by its name in JSON: one that a variant does not play is refused with the reason.
ACTIONS: Mapping[str, type[Action]] = {a.kind: a for part in PARTS for a in part.actions}
