"""Language models as players, through any endpoint that speaks chat completions."""
