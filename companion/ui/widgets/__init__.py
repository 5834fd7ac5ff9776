"""The few widgets that all screens are made of: text that is never cut, things to tap, the map and the photo."""
