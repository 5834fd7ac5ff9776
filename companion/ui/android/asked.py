"""What was asked of the system's camera, on disk: Android may end the app while another one is on the screen."""

from __future__ import annotations

from pathlib import Path

from maps.disk import write_whole

# Photos of games long over need not fill the phone.
_KEPT = 12


class Asked:
    """The photo that the camera app was asked for, until it is there."""

    def __init__(self, stills: Path) -> None:
        self._stills = stills
        self._file = stills.parent / "asked-photo.txt"

    def remember(self, photo: Path) -> None:
        write_whole(self._file, photo.name)

    def forget(self) -> None:
        self._file.unlink(missing_ok=True)

    def answered(self) -> Path | None:
        """The photo that was taken although the app was ended meanwhile; it is told once."""
        try:
            photo = self._stills / self._file.read_text(encoding="utf-8")
        except OSError:
            return None
        self.forget()
        return photo if photo.is_file() and photo.stat().st_size else None

    def tidy(self) -> None:
        """Leaves the newest photos."""
        photos = sorted(self._stills.glob("*"), key=lambda p: p.name)
        for old in photos[:-_KEPT]:
            old.unlink(missing_ok=True)
