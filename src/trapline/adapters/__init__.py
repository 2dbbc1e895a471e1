"""The games as environments for learning agents: thin, over `Match` and Views alone."""
