"""Memory without a standstill: a screen that went is taken apart bit by bit, and what stays is never looked through.

The widgets of a screen hold each other. Python finds such rings only by looking through everything that there is, which
stops the picture for a tenth of a second. Cut apart, widgets go by themselves, a few with every frame.
"""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Iterable

from kivy.clock import Clock, ClockEvent
from kivy.event import EventDispatcher
from kivy.graphics.instructions import InstructionGroup
from kivy.lang import Builder
from kivy.properties import AliasProperty, DictProperty, ReferenceListProperty
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget
from kivy.weakmethod import WeakMethod

# How long a frame may be held up, and how long a widget that went is left whole: a finger may still be on it.
_SLICE_SECONDS = 0.003
_WAIT_SECONDS = 0.5
# Short looks through what is new: none is longer than a few milliseconds, and never through everything.
_SHORT_LOOKS = (2_000, 5, 1_000_000)
_USUAL_LOOKS = gc.get_threshold()
# After so many widgets everything is looked through once, when nobody sees it.
_MANY = 5_000
_ORDER = {ReferenceListProperty: 0, AliasProperty: 1}
_NOBODY = EventDispatcher()


class Memory:
    """`wait`: seconds for which a widget that went is left whole."""

    def __init__(self) -> None:
        self.wait = _WAIT_SECONDS
        self._gone: deque[tuple[float, Widget]] = deque()
        self._taken = 0
        self._slice = Clock.create_trigger(self._take_some, 0)

    def begin(self) -> None:
        """The app is up: from now on Python looks through what is new only."""
        gc.set_threshold(*_SHORT_LOOKS)
        self.stays()

    def stays(self) -> None:
        """What is there now stays, or is taken apart when it goes: it is not looked through again."""
        gc.collect(1)
        gc.freeze()

    @property
    def grown(self) -> bool:
        """Whether so much is new that the short looks have handed some of it on."""
        return gc.get_count()[2] > 0

    def leave(self, widgets: Iterable[Widget]) -> None:
        """These were on the screen and are not wanted any more, unless they have a place again in a moment."""
        now = Clock.get_time()
        self._gone.extend((now, widget) for widget in widgets)
        if self._gone:
            self._slice()

    def _take_some(self, _dt: float) -> None:
        until, old = time.perf_counter() + _SLICE_SECONDS, Clock.get_time() - self.wait
        while self._gone and self._gone[0][0] <= old and time.perf_counter() < until:
            self._take(self._gone.popleft()[1])
        if self._gone:
            self._slice()

    def _take(self, widget: Widget) -> None:
        if widget.parent is not None:
            return
        children = list(widget.children)
        take_apart(widget)
        # Before all others: what hangs together goes together.
        self._gone.extendleft((0.0, child) for child in children)
        self._taken += 1

    @property
    def waiting(self) -> int:
        """How many widgets are still to be taken apart, what hangs on them not counted."""
        return len(self._gone)

    def unseen(self) -> None:
        """Nobody looks at the app: what only Python's long look finds is found now."""
        if self._taken > _MANY:
            self.everything()

    def everything(self) -> None:
        """Looks through everything; the picture stands still for long."""
        self._taken = 0
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def end(self) -> None:
        """Whoever goes on after the app, as tests do, has Python's memory as it was."""
        self._slice.cancel()
        self._gone.clear()
        gc.unfreeze()
        gc.set_threshold(*_USUAL_LOOKS)


def take_apart(widget: Widget) -> None:
    """Cuts what ties a widget to others and to itself. It can still be told things; nobody hears of it."""
    Builder.unbind_widget(widget.uid)
    _hush(widget)
    if isinstance(widget, ScrollView):
        for effect in (widget.effect_x, widget.effect_y):
            if effect is not None:
                _hush(effect)
                effect.target_widget = None
    Widget.clear_widgets(widget)
    _clear(widget.canvas)
    for name, kind in widget.properties().items():
        if isinstance(kind, DictProperty):
            # A dict tells of its changes; it holds whom it tells.
            getattr(widget, name).obj = _NOBODY


def _clear(group: InstructionGroup) -> None:
    """What is drawn knows its group; a canvas keeps what comes before and after it in spite of `clear`."""
    for part in list(group.children):
        if isinstance(part, InstructionGroup):
            _clear(part)
            group.remove(part)
    group.clear()


def _hush(thing: EventDispatcher) -> None:
    """Nothing hears of changes any more, and what was to be called later is not held for that."""
    properties = thing.properties()
    # What is worked out from others first: Kivy ties it to them no sooner than somebody asks, as happens here.
    names = sorted(properties, key=lambda name: _ORDER.get(type(properties[name]), len(_ORDER)))
    for name in (*names, *thing.events()):
        for told, _args, _named, weak, uid in thing.get_property_observers(name, args=True):
            if uid:
                thing.unbind_uid(name, uid)
            else:
                thing.unbind(**{name: told() if weak else told})
    for held in vars(thing).values():
        if isinstance(held, ClockEvent):
            held.cancel()
            if held.callback is not None:
                held.release()
            if held.weak_callback.proxy is None:
                held.weak_callback = WeakMethod(_nothing)


def _nothing(_dt: float) -> None:
    """What a function is called for that would hold the widget that made it."""
