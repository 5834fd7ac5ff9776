"""One game at one table: what happened, on disk and as a position."""
