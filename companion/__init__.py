"""An unofficial companion for the board game Ticket to Ride."""

__version__ = "0.1.0"
