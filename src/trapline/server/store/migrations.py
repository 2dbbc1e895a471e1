"""How the tables of a store come to be: an ordered list of versions for each kind of database.

A version that has been released is never edited; a change is a new version at the end. Both
lists describe the same tables, and stores apply what is missing in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trapline.server.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

Versions = tuple[tuple[str, ...], ...]

RECORD = "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"
NEWEST = "SELECT coalesce(max(version), 0) FROM schema_version"

SQLITE: Versions = (
    (
        # The log grows at its end and only its index is spread out, which makes a batch touch
        # fewer pages than a table that is ordered by match.
        """CREATE TABLE entries (
            match_id TEXT NOT NULL, version INTEGER NOT NULL, entry BLOB NOT NULL,
            PRIMARY KEY (match_id, version))""",
        """CREATE TABLE matches (
            match_id TEXT NOT NULL PRIMARY KEY, game TEXT NOT NULL, opened TEXT NOT NULL,
            changed TEXT NOT NULL, entries INTEGER NOT NULL, over INTEGER NOT NULL)""",
    ),
    ("CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL)",),
    (
        "ALTER TABLE matches ADD COLUMN listing TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX matches_listed ON matches (listing) WHERE listing <> ''",
    ),
)

POSTGRES: Versions = (
    (
        """CREATE TABLE entries (
            match_id text NOT NULL, version integer NOT NULL, entry bytea NOT NULL,
            PRIMARY KEY (match_id, version))""",
        # Text order must be time order whatever the database's language, hence COLLATE. Every
        # entry changes its match's line: the room left in each page keeps that change in place.
        """CREATE TABLE matches (
            match_id text NOT NULL PRIMARY KEY, game text NOT NULL,
            opened text COLLATE "C" NOT NULL, changed text COLLATE "C" NOT NULL,
            entries integer NOT NULL, over boolean NOT NULL) WITH (fillfactor = 70)""",
    ),
    ("CREATE TABLE facts (name text NOT NULL PRIMARY KEY, value bytea NOT NULL)",),
    (
        "ALTER TABLE matches ADD COLUMN listing text NOT NULL DEFAULT ''",
        # No column in it that every entry changes: such a change would have to leave its place.
        "CREATE INDEX matches_listed ON matches (listing) WHERE listing <> ''",
    ),
)


def missing(versions: Versions, present: int) -> Sequence[str]:
    """The statements that bring a database of version `present` up to date."""
    if present > len(versions):
        raise StoreError(
            f"The database was made by a newer Trapline (its tables are version {present}, this "
            f"program knows {len(versions)}); update Trapline to use it."
        )
    return [
        statement
        for number, statements in enumerate(versions[present:], present + 1)
        for statement in (
            *statements,
            f"INSERT INTO schema_version (version) VALUES ({number})",  # noqa: S608 (our own number)
        )
    ]
