"""Where verifiers finds Trapline: it imports a taskset by a name without dots."""

from trapline.adapters.verifiers import TraplineEnv, TraplineTaskset

__all__ = ["TraplineEnv", "TraplineTaskset"]
