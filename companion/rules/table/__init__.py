"""What every rule book takes for granted: positions, seats, cards and prices, decks, turns, verdicts, offers."""
