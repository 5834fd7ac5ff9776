"""What the screens show, as plain Python: state and what may be done, no widget anywhere."""
