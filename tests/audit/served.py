"""An environment in the manner of OpenEnv, with places for faults."""

OPENENV = '''
from random import Random
from pydantic import BaseModel, Field


class Guess(BaseModel):
    number: int = Field(ge=1, le=4)
    metadata: dict = Field(default_factory=dict)


class Seen(BaseModel):
    told: str = ""
    tries: int = 0
    legal_actions: list[int] = Field(default_factory=list)
    done: bool = False
    reward: float | None = None
    metadata: dict = Field(default_factory=dict)


class Kept(BaseModel):
    step_count: int = 0


class Guessing:
    """A number from 1 to 3 is drawn; too high or too low is told, and three tries are allowed."""

    def __init__(self):
        self._drawn, self._tries = 1, 0

    def reset(self, seed=None, episode_id=None, **kwargs):
        self._drawn, self._tries = Random(seed).randint(1, 3), 0
        return self._seen("begin")

    def legal(self):
        return [1, 2, 3]

    def _seen(self, told, reward=None, done=False):
        return Seen(told=told, tries=self._tries, legal_actions=[] if done else self.legal(),
                    reward=reward, done=done, metadata={"rules": "guess"})

    def step(self, action: Guess, timeout_s=None, **kwargs):
        if action.number not in self.legal():
            raise ValueError("no legal number")
        self._tries += 1
        if action.number == self._drawn:
            return self._seen("right", 1.0, True)
        if self._tries == 3:
            return self._seen("wrong", -1.0, True)
        return self._seen("low" if action.number < self._drawn else "high", 0.0)

    @property
    def state(self):
        return Kept(step_count=self._tries)
'''

OPENENV_FAULTS: dict[str, tuple[str, str, str]] = {
    "a number divides by nothing": (
        "crash",
        "        self._tries += 1",
        "        self._tries += 1 + 0 // (action.number - 2)",
    ),
    "nothing may be guessed": (
        "deadlock",
        "        return [1, 2, 3]",
        "        return [1, 2, 3] if self._tries < 2 else []",
    ),
    "a listed number is refused": (
        "refused",
        "if action.number not in self.legal():",
        "if action.number not in self.legal() or (action.number == 3 and self._tries == 1):",
    ),
    "an unlisted number is taken": (
        "accepted",
        "if action.number not in self.legal():",
        "if action.number > 4:",
    ),
    "the seed does not matter": ("chance", "Random(seed).randint", "Random().randint"),
    "what was drawn stands in the metadata": (
        "leak",
        'metadata={"rules": "guess"}',
        'metadata={"rules": "guess", "answer": self._drawn}',
    ),
    "an observation does not fit its type": (
        "space",
        '        return self._seen("begin")',
        "        return Seen.model_construct(told=7, tries=0, legal_actions=[1], metadata={})",
    ),
}
