"""Stable-Baselines3 on the batch driver: a VecEnv without a loop over environments, and a policy that never acts without its mask."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood_agents.advice import Adviser
from deckwood_agents.games import NotSolo, won

FloatArray: TypeAlias = NDArray[np.float32]
HUGE_NEGATIVE = -1e8  # exp() of it is 0 exactly, and its products with 0 stay finite
ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}


class NonFinite(DeckwoodError, ArithmeticError):
    """An observation, a reward or a loss that is infinite or not a number. ``slots`` says in which games, where that is known."""

    def __init__(self, message: str, slots: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.slots = list(slots)


class Attendant(Protocol):
    """Looks on while a batch is played, such as :class:`deckwood_agents.imitation.Lesson`."""

    def attend(self, batch: Batch, actions: NDArray[Any]) -> NDArray[Any]:
        """What is played (n,) where the learner chose ``actions`` (n,)."""


class GamesVecEnv(VecEnv):
    """What VecEnvs over a ``deckwood.Batch`` share: all but the step. ``masks`` (n, A) int8 belongs to the observations that the last step
    or reset returned; ``env_method("action_masks")`` gives the same rows to ``MaskablePPO``.
    """

    def __init__(self, batch: Batch, adviser: Adviser | None = None) -> None:
        """With an ``adviser`` observations are (n, F + A): what it would do stands beside them."""
        self.batch = batch
        self.adviser = adviser
        self._actions: NDArray[Any] = np.zeros(batch.num_envs, np.int64)
        self._infos: list[dict[str, Any]] = [{} for _ in range(batch.num_envs)]
        self._stale: list[int] = []
        self._seed: int | None = None
        self._start = time.monotonic()
        self.lesson: Attendant | None = None  # who sees each position, and may play in the learner's place
        super().__init__(batch.num_envs, *batch_spaces(batch.spec, advised=adviser is not None))

    @property
    def masks(self) -> NDArray[np.int8]:
        return self.batch.mask

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Takes effect at the next reset. One seed serves all slots: their streams are derived from it and the slot's number."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> FloatArray:
        self.batch.reset(self._seed)
        self._seed = None
        return self.observations()

    def observations(self) -> FloatArray:
        """What is seen now, a copy."""
        batch = self.batch
        return self.adviser.beside(batch.obs, batch.mask, batch.positions) if self.adviser else batch.obs.copy()

    def last_observation(self, slot: int) -> FloatArray:
        """What was seen last of the game that has just ended in ``slot``, a copy."""
        seen: FloatArray = self.batch.final_obs[slot]
        return self.adviser.without(seen) if self.adviser else seen.copy()

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = self.lesson.attend(self.batch, actions) if self.lesson else actions

    def _check(self, rewards: FloatArray, finished: NDArray[np.intp]) -> None:
        """A sum is finite only if all of it is, and costs a fraction of looking at each; NonFinite names game and feature."""
        batch = self.batch
        if np.isfinite(rewards.sum() + batch.obs.sum() + batch.final_obs[finished].sum()):
            return
        for what, array, rows in (("observation", batch.obs, np.arange(self.num_envs)), ("final observation", batch.final_obs, finished)):
            bad = np.argwhere(~np.isfinite(array[rows]))
            if bad.size:
                slots, column = rows[np.unique(bad[:, 0])], int(bad[0, 1])
                name, value = feature_name(batch.spec, column), array[slots[0], column]
                raise NonFinite(f"{what} {name} is {value} in slot {slots[0]}", slots.tolist())
        if (bad := np.argwhere(~np.isfinite(rewards))).size:
            raise NonFinite(f"reward is {rewards[tuple(bad[0])]} in slot {bad[0, 0]}", np.unique(bad[:, 0]).tolist())

    def state(self) -> dict[str, NDArray[Any]]:
        """What the next step depends on beside the batch and the generators that are global; a run keeps it for :meth:`restore`."""
        return {}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Put :meth:`state` back; further entries are somebody else's."""

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name == "render_mode":
            return [None for _ in self._get_indices(indices)]
        if attr_name == "action_masks":
            return [self._row(i) for i in self._get_indices(indices)]
        value = getattr(self.batch, attr_name)
        return [value for _ in self._get_indices(indices)]

    def _row(self, slot: int) -> Callable[[], NDArray[np.int8]]:
        return lambda: self.batch.mask[slot].copy()

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"the games of a batch share their settings; make a new one with another {attr_name!r}")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        if method_name == "action_masks":
            return list(self.batch.mask.copy() if indices is None else self.batch.mask[list(self._get_indices(indices))])
        raise AttributeError(f"the games of a batch have no method {method_name!r} of their own; use .batch")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """True for Monitor: its ``episode`` is in the infos."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]


class BatchVecEnv(GamesVecEnv):
    """A solo game's ``deckwood.Batch`` as a Stable-Baselines3 VecEnv.

    Observations (n, F) float32, actions (n,) integers, rewards (n,) float32. Infos are empty but for the slots whose game just ended:
    ``terminal_observation``, ``TimeLimit.truncated``, ``is_success`` and Monitor's ``episode``.
    """

    def __init__(self, batch: Batch, adviser: Adviser | None = None) -> None:
        """NotSolo for a game of several seats: whose turn it is, and who plays the others, is :class:`SelfPlayVecEnv`'s to decide."""
        if batch.spec.seats[1] != 1:
            raise NotSolo(f"{batch.spec.env_id} has {batch.spec.seats[1]} seats; this VecEnv is for solo games")
        super().__init__(batch, adviser)

    def step_wait(self) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], list[dict[str, Any]]]:
        batch = self.batch
        batch.step(self._actions)
        done = batch.terminated | batch.truncated
        rewards = batch.reward.astype(np.float32)
        finished = np.flatnonzero(done)
        self._check(rewards, finished)
        for slot in self._stale:
            self._infos[slot] = {}
        self._stale = finished.tolist()
        victory = won(batch.spec, batch.ended, batch.episode_return) if self._stale else None
        for slot in self._stale:
            assert victory is not None
            episode = {"r": float(batch.episode_return[slot]), "l": int(batch.episode_length[slot]), "t": time.monotonic() - self._start}
            self._infos[slot] = {
                "terminal_observation": self.last_observation(slot),
                "TimeLimit.truncated": bool(batch.truncated[slot] and not batch.terminated[slot]),
                "is_success": bool(victory[slot]),
                "episode": episode,
            }
        return self.observations(), rewards, done.astype(np.bool_), self._infos


def batch_spaces(spec: Any, *, advised: bool = False) -> tuple[spaces.Box, spaces.Discrete]:
    """The observation space, with every feature's declared range, and the action space; ``advised``: with advice beside the features."""
    advice = len(spec.actions) if advised else 0
    low = np.concatenate([*(np.full(f.size, f.low, np.float32) for f in spec.features), np.zeros(advice, np.float32)])
    high = np.concatenate([*(np.full(f.size, f.high, np.float32) for f in spec.features), np.ones(advice, np.float32)])
    return spaces.Box(low, high, dtype=np.float32), spaces.Discrete(len(spec.actions))


def feature_name(spec: Any, column: int) -> str:
    """``gold``, or ``dice[3]`` for one of several, for an index into the observation."""
    name, where = next((n, s) for n, s in spec.slices.items() if s.start <= column < s.stop)
    return f"{name}[{column - where.start}]" if where.stop - where.start > 1 else name


class Features(BaseFeaturesExtractor):
    """Scales every feature by its declared range to within [-1, 1], 0 staying 0, then the layers that policy and value share.

    The ranges come with the observation space, so a saved model needs no statistics of its inputs. The last ``advice`` inputs are handed
    on beside what the layers make of all.
    """

    scale: th.Tensor

    def __init__(self, observation_space: spaces.Box, trunk: Sequence[int] = (), activation: str = "relu", advice: int = 0) -> None:
        size = int(observation_space.shape[0])
        super().__init__(observation_space, (trunk[-1] if trunk else size) + advice)
        self.advice = advice
        reach = np.maximum(np.abs(observation_space.low), np.abs(observation_space.high))
        scale = np.where(np.isfinite(reach) & (reach > 0), 1 / np.where(reach > 0, reach, 1), 1)
        self.register_buffer("scale", th.as_tensor(scale, dtype=th.float32), persistent=False)
        layers: list[nn.Module] = []
        for before, width in zip((size, *trunk), trunk, strict=False):
            layers += [nn.Linear(before, width), ACTIVATIONS[activation]()]
        self.trunk = nn.Sequential(*layers)

    def forward(self, observations: th.Tensor) -> th.Tensor:
        latent = self._shared(observations)
        return th.cat([latent, observations[:, -self.advice :]], dim=1) if self.advice else latent

    def _shared(self, observations: th.Tensor) -> th.Tensor:
        """What the layers make of the scaled inputs."""
        first = self.trunk[0] if self.trunk else None
        if not isinstance(first, nn.Linear) or len(observations) <= first.out_features:
            return self.trunk(observations * self.scale)  # type: ignore[no-any-return]
        # The same, with less to multiply: (x s) W = x (s W).
        return self.trunk[1:](nn.functional.linear(observations, first.weight * self.scale, first.bias))  # type: ignore[no-any-return]


class MaskedCategorical(MaskableCategoricalDistribution):
    """Log-probabilities of the legal actions only, made afresh for every forward pass.

    Nothing is validated in float32 probabilities: their sum drifts with the number of actions, and the simplex check then fails on a
    healthy policy (sb3-contrib issues 81 and 322). A mask is required, and one without a legal action is an error.
    """

    def proba_distribution(self, action_logits: th.Tensor) -> MaskedCategorical:
        self.logits = action_logits.view(-1, self.action_dim)
        self.masked = False
        return self

    def apply_masking(self, masks: Any) -> None:
        """``masks`` (n, A), nonzero where legal; ValueError when one of them is empty."""
        legal = th.as_tensor(masks, device=self.logits.device).reshape(self.logits.shape) != 0
        if (none := legal.count_nonzero(dim=1) == 0).any():
            raise ValueError(f"the mask in row {int(none.nonzero()[0])} allows no action: there is nothing to choose from")
        self.logits = th.log_softmax(th.where(legal, self.logits, HUGE_NEGATIVE), dim=1)
        self.masked = True

    def _require_mask(self) -> None:
        if not self.masked:
            raise ValueError(
                "a masked policy was asked to act without its mask: pass action_masks=, or use sb3_contrib's evaluate_policy "
                "(sb3_contrib.common.maskable.evaluation) in place of Stable-Baselines3's"
            )

    def log_prob(self, actions: th.Tensor) -> th.Tensor:
        self._require_mask()
        return self.logits.gather(1, actions.view(-1, 1).long()).squeeze(1)

    def probabilities(self) -> th.Tensor:
        """softmax() of normalised logits is their exp(), which on a CPU is many times slower where most underflow to 0."""
        self._require_mask()
        return th.softmax(self.logits, dim=1)

    def entropy(self) -> th.Tensor:
        return -(self.probabilities() * self.logits).sum(dim=1)

    def sample(self) -> th.Tensor:
        """Of independent exponential waits with rates p the first belongs to action i with probability p_i; at rate 0 it never comes."""
        probabilities = self.probabilities()
        return (probabilities / th.empty_like(probabilities).exponential_().clamp_min_(1e-38)).argmax(dim=1)

    def mode(self) -> th.Tensor:
        self._require_mask()
        return self.logits.argmax(dim=1)


class AdvisedHeads(MlpExtractor):
    """The layers of both heads; what is advised passes by those of the policy, straight to its last layer."""

    def __init__(self, features: int, *arguments: Any, advice: int, **keywords: Any) -> None:
        super().__init__(features, *arguments, **keywords)
        self.advice = advice
        self.latent_dim_pi += advice

    def forward_actor(self, features: th.Tensor) -> th.Tensor:
        return th.cat([self.policy_net(features), features[:, -self.advice :]], dim=1)


class MaskedPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's policy over :class:`MaskedCategorical`. ``predict`` without a mask is a ValueError.

    With an ``advice_weight`` the last inputs are somebody's choice, one-hot: it begins with so much more than the other logits.
    """

    def __init__(
        self,
        observation_space: spaces.Box,
        action_space: spaces.Discrete,
        lr_schedule: Any,
        *,
        advice_weight: float | None = None,
        features_extractor_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.advice_weight = advice_weight
        extractor = dict(features_extractor_kwargs or {})
        if advice_weight is not None:
            extractor["advice"] = int(action_space.n)
        super().__init__(observation_space, action_space, lr_schedule, features_extractor_kwargs=extractor, **kwargs)
        self.action_dist = MaskedCategorical(int(action_space.n))

    def _build_mlp_extractor(self) -> None:
        if self.advice_weight is None:
            super()._build_mlp_extractor()
        else:
            advice = int(self.action_space.n)  # type: ignore[attr-defined]
            self.mlp_extractor = AdvisedHeads(self.features_dim, self.net_arch, self.activation_fn, self.device, advice=advice)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        if self.advice_weight is not None:
            advice = int(self.action_space.n)  # type: ignore[attr-defined]
            with th.no_grad():
                self.action_net.weight[:, -advice:] = self.advice_weight * th.eye(advice)  # type: ignore[operator]

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "advice_weight": self.advice_weight}


def copy_policy(policy: MaskedPolicy) -> MaskedPolicy:
    """A network of its own with the same weights, to play and not to learn with. PyTorch's generator is left as it was."""
    with th.random.fork_rng(devices=[]):  # new layers draw their first weights
        twin = type(policy)(**policy._get_constructor_parameters())
    twin.load_state_dict(policy.state_dict())
    twin.to(policy.device).set_training_mode(False)
    return twin


def policy_arguments(
    trunk: Sequence[int], heads: Sequence[int], activation: str, advice: str = "", advice_weight: float = 0.0
) -> dict[str, Any]:
    """``policy_kwargs`` of a network with these widths, and whether it is advised by somebody."""
    return {
        **({"advice_weight": advice_weight} if advice else {}),
        "features_extractor_class": Features,
        "features_extractor_kwargs": {"trunk": tuple(trunk), "activation": activation},
        "net_arch": {"pi": list(heads), "vf": list(heads)},
        "activation_fn": ACTIVATIONS[activation],
        "normalize_images": False,
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},  # Stable-Baselines3's epsilon; fused: one pass over the parameters
    }
