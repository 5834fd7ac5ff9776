"""What the app lets people feel beside what it shows: motion, sound and a short shake, each as the settings want it."""

from __future__ import annotations

from collections.abc import Callable

from kivy.animation import Animation
from kivy.clock import Clock

from companion.ui import sound
from companion.ui.desk import Desk

# How long a phone shakes, in milliseconds, for what: a refusal is felt longer than a claim.
_SHAKES = {"laid": 25, "wrong": 80, "shutter": 15, "win": 60}
# Nothing moves for longer than this, in seconds: it explains, and gets out of the way.
SHORT, LONG = 0.35, 0.7


class Feel:
    """`still`: nobody watches, as in tests and in pictures of the screens: nothing moves, sounds or shakes."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.still = False
        # What was last let feel, newest last; for whoever wants to know.
        self.felt: list[str] = []
        self._runs: list[_Run] = []

    @property
    def moves(self) -> bool:
        return self._desk.settings.motion and not self.still

    def give(self, what: str) -> None:
        """A sound and a shake for something: `laid`, `wrong`, `shutter`, `line` or `win`."""
        self.felt = [*self.felt[-9:], what]
        if self.still:
            return
        if self._desk.settings.sound:
            sound.play(self._desk.folder, what)
        if self._desk.settings.vibration and what in _SHAKES:
            self._desk.system.shake(_SHAKES[what])

    def prepare(self) -> None:
        """Sounds are made and loaded beside the screen."""
        if self._desk.settings.sound and not self.still:
            self._desk.work.start("sounds", lambda _: sound.prepare(self._desk.folder), lambda _: None)

    def run(self, step: Callable[[float], object], seconds: float = SHORT) -> _Run:
        """Calls `step` with every frame, from 0 to 1, slower towards the end; at once with 1 where nothing moves.

        What is given back can be cancelled; `step` then hears 1, so that nothing stays half way.
        """
        run = _Run(step, seconds if self.moves else 0.0)
        self._runs = [r for r in self._runs if r.goes] + ([run] if run.goes else [])
        return run

    @property
    def moving(self) -> bool:
        """Whether something moves right now: then nothing else may take long."""
        return any(run.goes for run in self._runs)

    def animate(self, widget: object, seconds: float = SHORT, **to: float) -> None:
        """Brings properties of a widget to values."""
        if self.moves:
            Animation(duration=seconds, t="out_cubic", **to).start(widget)
        else:
            for name, value in to.items():
                setattr(widget, name, value)


class _Run:
    def __init__(self, step: Callable[[float], object], seconds: float) -> None:
        self._step, self._seconds, self._began = step, seconds, Clock.get_time()
        # A function, for the clock lets go of methods whose object nobody else holds.
        self._clock = Clock.schedule_interval(lambda dt: self._tick(dt), 0) if seconds else None
        step(0.0 if seconds else 1.0)

    @property
    def goes(self) -> bool:
        return self._clock is not None

    def _tick(self, _dt: float) -> None:
        share = min(1.0, (Clock.get_time() - self._began) / self._seconds)
        self._step(1 - (1 - share) ** 3)
        if share >= 1 and self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def cancel(self) -> None:
        """Ends it now, at its end."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
            self._step(1.0)
