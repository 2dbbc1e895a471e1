"""What TRL makes of our environment: a tool, described by a schema of transformers."""

from __future__ import annotations

import pytest

from tests.trainers.replies import GAME, OPTIONS
from trapline.adapters.trl import environment_factory

utils = pytest.importorskip("transformers.utils", reason="bench/trainers.py installs it")


def test_the_tool_has_a_schema() -> None:
    schema = utils.get_json_schema(environment_factory(GAME, **OPTIONS)().play)["function"]
    assert schema["name"] == "play"
    assert schema["parameters"]["required"] == ["answer"]
    assert "as it lists the answers" in schema["parameters"]["properties"]["answer"]["description"]
