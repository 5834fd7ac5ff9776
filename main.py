"""What Android starts: opens the app."""

from companion.ui.window import run

run()
