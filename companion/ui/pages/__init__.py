"""The screens: each shows a model and forwards taps. A screen is made anew whenever it is shown."""
