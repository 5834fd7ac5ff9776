"""Reads boards, cards and tickets from photos."""
