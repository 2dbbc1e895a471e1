"""The full screen: keys, arrows and mouse, for a person at a terminal. Nobody else loads it."""
