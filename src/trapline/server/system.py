"""What the system allows a process, where it has such limits at all."""

from __future__ import annotations

try:
    import resource
except ImportError:
    HAS_LIMITS = False
else:
    HAS_LIMITS = True


def allow_files(wanted: int) -> int:
    """Ask for so many open files; how many there may be then."""
    if not HAS_LIMITS:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


def bound_memory(megabytes: int) -> None:
    """Let this process fill so much, and no more; 0 for as much as there is.

    What it fills, not what it maps: compilers and arrays map far more than they use.
    """
    if megabytes and HAS_LIMITS:
        most = megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
