"""How the Android package is made. Nothing of this folder goes into it."""
