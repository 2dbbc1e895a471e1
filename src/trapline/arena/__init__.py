"""The arena: any players against each other, and against the equilibrium."""
