"""The rollout buffer of self-play: one column per table, all seats but those of `tables.bots`, advantages per seat."""

from collections.abc import Generator
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """Decisions of all seats but those of `tables.bots`, of n tables over T steps, as samples of one policy.

    At each step one seat of each table decides. What follows a decision, for its seat, is the seat's own next decision,
    and the rewards that came to the seat in between belong to it. So generalized advantage estimation runs per
    (table, seat), and the end of a match closes the decisions of all seats.

    A decision is *open* while its seat has neither decided again nor seen the match end. Open decisions at the end of
    a rollout have no next value yet: no sample of the value function is like the view of a seat that is not on turn,
    and to drop them would favour moves that are soon followed by another. They are carried into the next rollout and
    learned from there, with the probability and value of the policy that made them; the decision before is
    bootstrapped from the open one's value. The rows T … T+P-1 of each array hold them, a row per seat.
    """

    seats: NDArray[np.int8]
    seat_rewards: NDArray[np.float32]
    dones: NDArray[np.bool_]
    closed: NDArray[np.bool_]
    """(T+P, n): which rows and tables hold samples of this rollout."""

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        device: torch.device | str = "auto",
        gae_lambda: float = 1,
        gamma: float = 1,
        n_envs: int = 1,
        num_seats: int = 2,
        seed: int = 0,
        learners: NDArray[np.bool_] | None = None,
    ) -> None:
        self.learners = np.ones((n_envs, num_seats), dtype=np.bool_) if learners is None else learners
        """(n, P): the seats that the policy holds; the decisions of others are no samples."""
        self.num_seats = num_seats
        self.num_steps = buffer_size
        self.rng = np.random.default_rng(seed)
        super().__init__(buffer_size + num_seats, observation_space, action_space, device, gae_lambda, gamma, n_envs)

    def reset(self) -> None:
        """Make room for the next rollout; open decisions stay."""
        if not hasattr(self, "seats"):
            self._allocate()
        self._carry_over()
        self.pos = 0
        self.full = False
        self.generator_ready = False

    def _allocate(self) -> None:
        assert isinstance(self.observation_space, spaces.Box)
        assert isinstance(self.action_space, spaces.Discrete)
        self.mask_dims = int(self.action_space.n)
        shape = (self.buffer_size, self.n_envs)
        self.observations = np.zeros((*shape, *self.observation_space.shape), dtype=np.int8)
        self.action_masks = np.zeros((*shape, self.mask_dims), dtype=np.int8)
        self.actions = np.zeros(shape, dtype=np.int64)
        self.values, self.log_probs, self.advantages, self.returns = np.zeros((4, *shape), dtype=np.float32)
        self.closed = np.zeros(shape, dtype=np.bool_)
        self.seats = np.zeros((self.num_steps, self.n_envs), dtype=np.int8)
        self.seat_rewards = np.zeros((self.num_steps, self.n_envs, self.num_seats), dtype=np.float32)
        self.dones = np.zeros((self.num_steps, self.n_envs), dtype=np.bool_)
        # per (table, seat): the row of the open decision, -1 is none; and the rewards that came since
        self.open_row = np.full((self.n_envs, self.num_seats), -1, dtype=np.int64)
        self.open_rewards = np.zeros((self.n_envs, self.num_seats), dtype=np.float32)

    def _stored(self) -> tuple[NDArray[Any], ...]:
        """The arrays with the rows of the open decisions."""
        return self.observations, self.action_masks, self.actions, self.values, self.log_probs

    def _carry_over(self) -> None:
        for seat in range(self.num_seats):
            tables = np.flatnonzero((self.open_row[:, seat] >= 0) & (self.open_row[:, seat] < self.num_steps))
            rows = self.open_row[tables, seat]
            for array in self._stored():
                array[self.num_steps + seat, tables] = array[rows, tables]
            self.open_row[tables, seat] = self.num_steps + seat

    def add(  # type: ignore[override]
        self,
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        seats: NDArray[np.int8],
        actions: NDArray[np.int64],
        values: NDArray[np.float32],
        log_probs: NDArray[np.float32],
    ) -> None:
        """The decisions of one step, a table each; `add_outcome` has to follow."""
        stored = (observations, masks, actions, values, log_probs)
        for array, new in zip(self._stored(), stored, strict=True):
            array[self.pos] = new
        self.seats[self.pos] = seats

    def add_outcome(self, rewards: NDArray[np.float32], dones: NDArray[np.bool_]) -> None:
        """What the step brought: (n, P) rewards to every seat, (n,) whether the match ended."""
        self.seat_rewards[self.pos] = rewards
        self.dones[self.pos] = dones
        self.pos += 1
        self.full = self.pos == self.num_steps

    def compute_returns_and_advantage(self, *_: Any) -> None:
        """Advantages and returns of every decision that is closed by now."""
        n, seats = self.n_envs, self.num_seats
        tables = np.arange(n)
        was_open, self.open_row = self.open_row, np.full((n, seats), -1, dtype=np.int64)
        # what lies ahead of each seat: is it known, the next value and advantage, and the rewards until then
        known = np.zeros((n, seats), dtype=np.bool_)
        ahead = np.zeros((3, n, seats), dtype=np.float32)
        rewards = ahead[2]
        carried_rewards, self.open_rewards = self.open_rewards, np.zeros((n, seats), dtype=np.float32)
        for step in reversed(range(self.num_steps)):
            ended = self.dones[step]
            ahead[:, ended] = 0.0
            known[ended] = True
            rewards += self.seat_rewards[step]
            self._close(step, tables, self.seats[step], known, ahead)
        for seat in range(seats):
            row = self.num_steps + seat
            self.closed[row] = False
            held = np.flatnonzero(was_open[:, seat] >= 0)
            rewards[held, seat] += carried_rewards[held, seat]
            self._close(row, held, np.full(len(held), seat), known, ahead)

    def _close(
        self, row: int, tables: NDArray[Any], seats: NDArray[Any], known: NDArray[np.bool_], ahead: NDArray[np.float32]
    ) -> None:
        """Advantage of one row of decisions, or, where nothing is known ahead of the seat, a note that it is open."""
        next_value, next_advantage, reward = ahead[:, tables, seats]
        value = self.values[row, tables]
        is_closed = known[tables, seats]
        delta = reward + self.gamma * next_value - value
        advantage = np.where(is_closed, delta + self.gamma * self.gae_lambda * next_advantage, 0.0)
        self.closed[row, tables] = is_closed & self.learners[tables, seats]
        self.advantages[row, tables] = advantage
        self.returns[row, tables] = advantage + value
        self.open_row[tables[~is_closed], seats[~is_closed]] = row
        self.open_rewards[tables[~is_closed], seats[~is_closed]] = reward[~is_closed]
        known[tables, seats] = True
        ahead[0, tables, seats] = value
        ahead[1, tables, seats] = advantage
        ahead[2, tables, seats] = 0.0

    def get(  # type: ignore[override]
        self, batch_size: int | None = None
    ) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Minibatches of all closed decisions, in random order."""
        assert self.full, "the rollout is not complete"
        size = self.buffer_size * self.n_envs
        flat = [torch.from_numpy(array.reshape(size, *array.shape[2:])) for array in self._samples()]
        order = torch.from_numpy(self.rng.permutation(np.flatnonzero(self.closed)))
        for chosen in order.split(batch_size or size):
            yield MaskableRolloutBufferSamples(*(array.index_select(0, chosen) for array in flat))

    def _samples(self) -> tuple[NDArray[Any], ...]:
        return (
            self.observations, self.actions, self.values, self.log_probs, self.advantages, self.returns,
            self.action_masks,
        )  # fmt: skip

    def state(self) -> dict[str, NDArray[Any]]:
        """The open decisions, all that the buffer carries from one rollout to the next (call after `reset`)."""
        carried = {f"carried.{k}": array[self.num_steps :] for k, array in enumerate(self._stored())}
        return {**carried, "open_row": self.open_row, "open_rewards": self.open_rewards}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Take up what `state` gave."""
        for name, array in self.state().items():
            array[...] = state[name]
