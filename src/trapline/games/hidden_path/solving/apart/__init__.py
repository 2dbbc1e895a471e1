"""Hidden Path for who looks at the other, and draws most of the run apart from the own secret."""
