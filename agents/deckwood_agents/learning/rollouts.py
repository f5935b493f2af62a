"""Rollouts in preallocated memory, returned as minibatches without a second copy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class RolloutBuffer(MaskableRolloutBuffer):
    """sb3-contrib's buffer, with the same content and the same minibatches in the same order.

    Stock reserves and clears its arrays before each rollout, copies all of them into another order after it, and each minibatch twice:
    together a tenth of the time of training a small network. Here the arrays (steps, n, ...) stay in place, masks are bytes, and a
    minibatch is gathered once.
    """

    _gathered = ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks")

    def reset(self) -> None:
        if not hasattr(self, "action_masks"):
            super().reset()
            self.action_masks = np.zeros((self.buffer_size, self.n_envs, self.mask_dims), np.int8)
        self.pos, self.full = 0, False

    def usable(self) -> NDArray[np.int64]:
        """The decisions to learn from, numbered slot by slot as stock does: decision *t* of slot *i* is ``i * steps + t``."""
        return np.arange(self.buffer_size * self.n_envs)

    def parts(self, batch_size: int | None = None) -> Iterator[th.Tensor]:
        """The usable decisions in random order, as rows of the arrays when those are laid flat (steps * n, ...), in parts of at most
        ``batch_size``, as equal in size as can be."""
        order = np.random.permutation(self.usable())  # noqa: NPY002 - as in Stable-Baselines3, from the generator that a run keeps
        slots, steps = np.divmod(order, self.buffer_size)
        rows = th.as_tensor(steps * self.n_envs + slots)
        yield from th.tensor_split(rows, -(-len(rows) // (batch_size or len(rows))))

    def samples(self, rows: th.Tensor) -> MaskableRolloutBufferSamples:
        """The minibatch of these rows."""
        arrays = (th.as_tensor(getattr(self, name)).flatten(0, 1) for name in self._gathered)
        return MaskableRolloutBufferSamples(*(array.index_select(0, rows).to(self.device) for array in arrays))

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """Minibatches of the usable decisions."""
        return map(self.samples, self.parts(batch_size))
