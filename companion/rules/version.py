"""Which rulings these rules are: every journal says which wrote it."""

# Goes up by one whenever a ruling changes, with a line in CHANGELOG.md; older journals are then judged by the new one.
RULES = 1
