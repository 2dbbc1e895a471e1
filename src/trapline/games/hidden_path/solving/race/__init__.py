"""Two blind runners: each draws a secret and a run, and neither looks at the other."""
