"""Every screen in every size and language: no text is cut, none lies on another, nothing to tap is too small."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.ui.screenshots import SIZES, demo_desk, screens
from companion.ui.stage import Stage

TOUCH = 48
Box = tuple[float, float, float, float]


@pytest.fixture(scope="module", params=["en", "fr"])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stage, Path]]:
    home = tmp_path_factory.mktemp("screens")
    desk = demo_desk(home, request.param)
    try:
        opened = Stage(desk, *SIZES["portrait"])
    except Exception as error:
        if type(error).__name__ == "Trouble":
            pytest.skip("no window can be opened here: Kivy finds no OpenGL")
        raise
    yield opened, home / "photos"
    opened.close()


def _box(label: Any) -> Box:
    """The words of a label on the window: they sit in its middle, or at its left or right."""
    wide, high = label.texture_size
    x, y = label.to_window(*label.pos)
    left = {"left": x, "right": x + label.width - wide}.get(label.halign, x + (label.width - wide) / 2)
    bottom = y + (label.height - high) / 2
    return left, bottom, left + wide, bottom + high


def _clip(widget: Any, window: Any) -> Box:
    """What can be seen of it: lists show only a part of what is in them."""
    from kivy.uix.scrollview import ScrollView

    seen = [0.0, 0.0, float(window.width), float(window.height)]
    parent = widget.parent
    while parent is not None and parent is not window:
        if isinstance(parent, ScrollView):
            x, y = parent.to_window(*parent.pos)
            box = (x, y, x + parent.width, y + parent.height)
            seen = [max(seen[0], box[0]), max(seen[1], box[1]), min(seen[2], box[2]), min(seen[3], box[3])]
        parent = parent.parent
    return seen[0], seen[1], seen[2], seen[3]


def _words(label: Any) -> list[str]:
    """The words of a label without marks for bold and size; paths may be broken anywhere."""
    plain = re.sub(r"\[/?\w+(=\d+)?\]", " ", label.text)
    return [w for w in plain.split() if "/" not in w]


def _width(label: Any, word: str) -> float:
    from kivy.core.text import Label as CoreLabel

    small = "[size=" in label.text and word not in label.text.split("\n")[0]
    core = CoreLabel(font_size=14 if small else label.font_size, font_name=label.font_name, bold=label.bold)
    return float(core.get_extents(word)[0])


def problems(stage: Stage) -> list[str]:
    """Everything that a player would find cut, covered or too small."""
    from kivy.uix.label import Label

    top = stage.app._question or stage.app.shell
    labels = [w for w in top.walk() if isinstance(w, Label) and w.text and w.opacity]
    taps = [w for w in top.walk() if hasattr(w, "on_release") and w.opacity and w is not stage.app._question]
    small = [w for w in taps if min(w.size) < TOUCH - 0.5]
    found = [told for label in labels for told in _cut(label, stage.window)]
    found += _overlaps([(_seen(label, stage.window), label.text) for label in labels])
    return found + [f"too small to tap: {getattr(w, 'text', '')!r} {w.size}" for w in small]


def _cut(label: Any, window: Any) -> Iterator[str]:
    left, _, right, _ = _box(label)
    if label.texture_size[0] > label.width + 1 or label.texture_size[1] > label.height + 1:
        yield f"cut: {label.text!r} {label.texture_size} in {label.size}"
    broken = [w for w in _words(label) if _width(label, w) > label.width + 1]
    if broken:
        yield f"broken within a word: {broken}"
    if left < -1 or right > window.width + 1:
        yield f"beside the window: {label.text!r}"


def _seen(label: Any, window: Any) -> Box:
    """The part of its words that shows."""
    box, clip = _box(label), _clip(label, window)
    return max(box[0], clip[0]), max(box[1], clip[1]), min(box[2], clip[2]), min(box[3], clip[3])


def _overlaps(shown: list[tuple[Box, str]]) -> list[str]:
    shown = [(b, text) for b, text in shown if b[2] - b[0] > 2 and b[3] - b[1] > 2]
    return [
        f"{one!r} lies on {other!r}"
        for i, (a, one) in enumerate(shown)
        for b, other in shown[i + 1 :]
        if min(a[2], b[2]) - max(a[0], b[0]) > 3 and min(a[3], b[3]) - max(a[1], b[1]) > 3
    ]


@pytest.mark.parametrize("size", ["narrow", "landscape"])
def test_nothing_is_cut_covered_or_too_small(stage: tuple[Stage, Path], size: str) -> None:
    opened, photos = stage
    if (size, opened.desk.language) == ("landscape", "en"):
        pytest.skip("French words are the longer ones: on its side they stand for both")
    opened.resize(*SIZES[size])
    wrong = []
    for name, show in screens(photos):
        opened.app.answer()
        opened.app.home()
        show(opened)
        opened.frames(3)
        opened.desk.work.deliver()
        opened.frames(2)
        wrong += [f"{name}: {problem}" for problem in problems(opened)]
    assert wrong == []


def test_a_cut_text_is_found(stage: tuple[Stage, Path]) -> None:
    from kivy.uix.button import Button

    opened, _ = stage
    opened.app.home()
    button = Button(text="Words that are much too long for this", size_hint=(None, None), size=(30, 20))
    opened.app.shell.add_widget(button)
    opened.frames(3)
    told = " ".join(problems(opened))
    opened.app.shell.remove_widget(button)
    assert all(word in told for word in ("cut", "broken", "too small"))
