"""Draws practice photos: our own drawn board on a table, trains and stations, light and pose, with the truth.

`practice("europe", seed=1)` gives a picture and its truth in the form of a recording; `write` puts both in a folder.
`film` draws a game being played the same way, `write_film` writes it.
The same seed always gives the same photo. No outside pictures are used.
"""

from vision.studio.camera import Pose
from vision.studio.film import Film, film, write_film
from vision.studio.game import Game, deal
from vision.studio.light import LIGHTS
from vision.studio.photo import practice, write
from vision.studio.prints import drawn_print

__all__ = ["LIGHTS", "Film", "Game", "Pose", "deal", "drawn_print", "film", "practice", "write", "write_film"]
