"""What reading a photo costs a small phone: memory. Time is measured in bench/phone.py."""

from __future__ import annotations

import sys

import pytest

from bench import phone
from vision.photo import load


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell a process's memory otherwise")
def test_reading_12_megapixels_needs_little_memory(tmp_path_factory: pytest.TempPathFactory) -> None:
    photo = phone.large_photo(tmp_path_factory.mktemp("photo"))
    decoded = load(photo)
    assert decoded.width * decoded.height > 12_000_000
    # Decoded smaller: what is left has more pixels than a reading looks at.
    assert decoded.scale < 1
    assert phone.practice_read(0).megabytes < phone.MOST_MEGABYTES
