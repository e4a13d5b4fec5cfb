"""President for TorchRL: all seats of many tables, over the batch of `president_env.Games`.

    env = PresidentEnv(Games(Rules.preset("quebec"), num_games=256))
    env.rollout(100, break_when_any_done=False)

In each row one seat is to move: `seat` says which, `observation` what it sees, `action_mask` what it may do, and
`action` is its move. `reward` has an entry for every seat, since a move may fix the places of several. A seat's next
decision is some steps on, so that advantages have to be estimated for each seat: examples/torchrl_ppo.py does it.

A match that ends is followed by the next in the same step. What `next` shows where it is done is therefore the first
decision of the next match, and `reset` of such a row changes nothing. TorchRL's PettingZooWrapper works as well; it
gives one match at a time, with the views of all seats at every step.
"""

import secrets

import numpy as np
import torch
from numpy.typing import NDArray
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from president_env.engine.aec import seed_drawn
from president_env.games import Games


class PresidentEnv(EnvBase):
    """The matches of `games`, batch size (num_games,), on the CPU; `set_seed(s)` starts row i from seed s + i.

    Entries, without the batch size: observation (size,) int8, action_mask (num_actions,) bool, seat (1,) int64,
    action () int64, reward (num_players,) float32; done, terminated and truncated (1,) bool.
    """

    def __init__(self, games: Games) -> None:
        n = games.num_games
        super().__init__(device="cpu", batch_size=torch.Size([n]))
        self.games = games
        low, high = (torch.from_numpy(bound).expand(n, -1) for bound in (games.layout.low, games.layout.high))
        self.observation_spec = Composite(
            observation=Bounded(low, high, dtype=torch.int8),
            action_mask=Categorical(2, shape=(n, games.num_actions), dtype=torch.bool),
            seat=Categorical(games.num_players, shape=(n, 1), dtype=torch.int64),
            shape=(n,),
        )
        self.action_spec = Categorical(games.num_actions, shape=(n,), dtype=torch.int64)
        self.reward_spec = Unbounded(shape=(n, games.num_players), dtype=torch.float32)
        self.done_spec = Composite(
            {name: Categorical(2, shape=(n, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")},
            shape=(n,),
        )
        self._new = np.ones(n, dtype=np.bool_)
        """Rows whose match has begun and not been returned by a reset."""

    def _reset(self, tensordict: TensorDictBase | None, **_: object) -> TensorDict:
        given = None if tensordict is None else tensordict.get("_reset", None)
        rows = np.ones_like(self._new) if given is None else given.reshape(-1).numpy()
        self._begin_anew(rows & ~self._new)
        self._new &= ~rows
        return self._shown().update(self.full_done_spec.zero())

    def _begin_anew(self, rows: NDArray[np.bool_]) -> None:
        """Give up the matches of these rows for those that they draw; the others go on."""
        if not rows.any():
            return
        games, seeds, before = self.games, self.games.seeds, self.games.games.copy()
        for row in np.flatnonzero(rows):
            seeds[row] = seed_drawn(before[row : row + 1])
        games.reset(seeds)
        games.restore(np.where(rows, games.games, before))

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        games = self.games
        games.step(tensordict["action"].numpy())
        self._new = games.done.copy()
        truncated = games.truncated
        ends = {"done": games.done, "terminated": games.done & ~truncated, "truncated": truncated}
        results = {name: torch.tensor(end).unsqueeze(1) for name, end in ends.items()}
        return self._shown().update({"reward": torch.tensor(games.rewards), **results})

    def _shown(self) -> TensorDict:
        games = self.games
        return TensorDict(
            {
                "observation": torch.tensor(games.observation),
                "action_mask": torch.from_numpy(games.mask).bool(),
                "seat": torch.from_numpy(games.seat).long().unsqueeze(1),
            },
            batch_size=self.batch_size,
        )

    def _set_seed(self, seed: int | None) -> None:
        self.games.reset(secrets.randbits(53) if seed is None else seed)
        self._new[:] = True

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """A legal action in every row, all equally likely."""
        if tensordict is None:
            tensordict = TensorDict(batch_size=self.batch_size)
        legal = torch.from_numpy(self.games.mask).float()
        return tensordict.set("action", torch.multinomial(legal, 1).squeeze(1))
