"""Opening a screen: made in one frame, laid out in the next, no words drawn for a width that they don't have."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.ui.conftest import Start


def test_a_screen_is_made_in_one_frame_and_laid_out_in_the_next(start: Start) -> None:
    pilot = start()
    before = pilot.page
    pilot.app.go("settings")
    assert pilot.page is not before
    assert pilot.app.shell.body.children == [before]
    pilot.frames(1)
    assert pilot.app.shell.body.children == [pilot.page]


def test_a_screen_that_was_never_seen_leaves_the_next_one_its_place(start: Start) -> None:
    pilot = start()
    pilot.app.go("settings")
    pilot.app.back()
    pilot.app.go("boards")
    pilot.frames(2)
    assert pilot.app.shell.body.children == [pilot.page]
    assert pilot.sees("Europe")


@pytest.mark.parametrize("name", ["settings", "boards", "guide", "home"])
def test_the_words_of_a_new_screen_are_drawn_once(start: Start, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    from kivy.uix.label import Label

    pilot = start()
    pilot.app.go(name)
    pilot.settle()
    drawn: Counter[int] = Counter()
    draw = Label.texture_update

    def texture_update(label: Label, *more: object) -> None:
        drawn[label.uid] += 1
        draw(label, *more)

    monkeypatch.setattr(Label, "texture_update", texture_update)
    pilot.app.replace(name)
    pilot.frames(4)
    assert len(drawn) > 5
    assert sum(drawn.values()) < 1.4 * len(drawn)
