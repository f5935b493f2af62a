"""The masked policy network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from torch import nn

HUGE_NEGATIVE = -1e8  # exp() of it is 0 exactly, and its products with 0 stay finite
ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}


def batch_spaces(spec: Any, *, with_advice: bool = False) -> tuple[spaces.Box, spaces.Discrete]:
    """The observation space, with every feature's declared range, and the action space; with or without advice after the features."""
    advice = len(spec.actions) if with_advice else 0
    low = np.concatenate([*(np.full(f.size, f.low, np.float32) for f in spec.features), np.zeros(advice, np.float32)])
    high = np.concatenate([*(np.full(f.size, f.high, np.float32) for f in spec.features), np.ones(advice, np.float32)])
    return spaces.Box(low, high, dtype=np.float32), spaces.Discrete(len(spec.actions))


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


class AdviceHeads(MlpExtractor):
    """The layers of both heads; the advice bypasses those of the policy and goes straight to its last layer."""

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
            self.mlp_extractor = AdviceHeads(self.features_dim, self.net_arch, self.activation_fn, self.device, advice=advice)

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
    """``policy_kwargs`` of a network with these widths, and whether it takes advice."""
    return {
        **({"advice_weight": advice_weight} if advice else {}),
        "features_extractor_class": Features,
        "features_extractor_kwargs": {"trunk": tuple(trunk), "activation": activation},
        "net_arch": {"pi": list(heads), "vf": list(heads)},
        "activation_fn": ACTIVATIONS[activation],
        "normalize_images": False,
        "optimizer_kwargs": {"eps": 1e-5, "fused": True},  # Stable-Baselines3's epsilon; fused: one pass over the parameters
    }
