"""Hidden Path for somebody who looks at the other, and draws the run apart from the own secret."""
