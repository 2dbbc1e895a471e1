"""Actions and observations as numbers: `trapline.simulate.encoding` says how."""

from __future__ import annotations

from trapline.simulate.encoding import Choice, Encoding

__all__ = ["Choice", "Encoding"]
