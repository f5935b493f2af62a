"""The configuration of a training run, in YAML and on the command line, and its error messages."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo

from deckwood.core.errors import DeckwoodError
from deckwood.core.program import Unreadable
from deckwood.core.untrusted import shown
from deckwood_agents import plain_yaml
from deckwood_agents.players.devices import device as existing_device


class ConfigError(DeckwoodError, ValueError):
    """A configuration that is wrong: names the file or the flag, the field, what was found and what is allowed."""


def _whole(value: Any) -> Any:
    """5e6 is a whole number too: YAML reads it as text, people write it for steps."""
    if isinstance(value, bool):
        raise ValueError(f"expected a whole number, found {value}")
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
        return int(number) if number.is_integer() else value
    return value


def _listed(value: Any) -> Any:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")] if value.strip() else []
    return [value] if isinstance(value, int) else value


MAX_VALUE = 10**12
Whole = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=MAX_VALUE)]
Count = Annotated[int, BeforeValidator(_whole), Field(ge=0, le=MAX_VALUE)]
Few = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=2**20)]  # what memory is taken for
Games = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=10**8)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Fraction = Annotated[float, Field(ge=0, le=1)]
Layers = Annotated[list[Annotated[int, Field(ge=1, le=2**14)]], BeforeValidator(_listed), Field(max_length=32)]
Names = Annotated[list[str], BeforeValidator(_listed)]


class Section(BaseModel):
    """Unknown fields are refused, so a typo never trains the wrong thing."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkConfig(Section):
    """A trunk that policy and value share, then a head for each."""

    trunk: Layers = Field([256, 256], description="widths of the shared layers")
    heads: Layers = Field([128], description="widths of the layers of each head")
    activation: Literal["relu", "tanh", "silu"] = Field("relu", description="between layers")
    advice: str = Field("", description="a scripted agent whose choice the network sees at every position; empty for none")
    advice_weight: NotNegative = Field(3.0, description="how far the logit of the advised action lies above the others at the start")


class PPOConfig(Section):
    """The names are those of Stable-Baselines3, whose documentation explains them."""

    learning_rate: Positive = Field(3e-4, description="at the start")
    learning_rate_end: NotNegative = Field(0.0, description="at total_steps; not used by the constant schedule")
    learning_rate_schedule: Literal["constant", "linear", "cosine"] = Field("linear", description="the way from one to the other")
    n_steps: Few = Field(128, description="decisions per environment between updates")
    batch_size: Whole = Field(2048, description="decisions per gradient step")
    n_epochs: Whole = Field(4, description="passes over the decisions of an update")
    gamma: Fraction = Field(0.999, description="discount per decision")
    gae_lambda: Fraction = Field(0.95, description="bias against variance of the advantages")
    clip_range: Positive = Field(0.2, description="of the probability ratio")
    ent_coef: NotNegative = Field(0.01, description="weight of the entropy")
    vf_coef: NotNegative = Field(0.5, description="weight of the value loss")
    max_grad_norm: Positive = Field(0.5, description="gradients are clipped to this norm")
    target_kl: Positive | None = Field(None, description="ends an update early when the policy has moved this far")


class EvaluationConfig(Section):
    """During training the games come from separate seeds; at the end from those of evaluate.py."""

    every: Count = Field(500_000, description="steps between evaluations; 0: only at the end")
    episodes: Games = Field(1000, description="games per evaluation during training")
    final_episodes: Annotated[Games, Field(ge=2)] = Field(10_000, description="games per agent in the closing table")
    opponents: Names = Field(["random", "greedy", "expert"], description="agents to compare with, on the same games")
    seed: Count = Field(7, description="of the evaluation games")
    sample: bool = Field(False, description="the network draws its actions in place of taking the likeliest")


class CheckpointConfig(Section):
    """model.zip is always the newest; numbered copies are in checkpoints/."""

    every: Count = Field(500_000, description="steps between checkpoints; 0: only at the end")
    keep: Count = Field(5, description="how many numbered copies stay; 0: all")


SCRIPTED_SHARES = {"greedy": 0.1, "expert": 0.1}


class SelfPlayConfig(Section):
    """In multiplayer games one seat is the learner's; these are the shares of the others. They sum to 1."""

    current: Fraction = Field(0.6, description="share of the learner itself, as it is now; it learns from these seats too")
    past: Fraction = Field(0.2, description="share of its earlier selves; the learner's while there are none")
    scripted: dict[str, Fraction] = Field(SCRIPTED_SHARES, description="share of each of these agents")
    snapshot_every: Whole = Field(200_000, description="steps between the earlier selves that are kept")
    pool: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=1000)] = Field(8, description="how many of them are kept, the newest")

    @model_validator(mode="after")
    def _shares_fit(self) -> SelfPlayConfig:
        total = self.current + self.past + sum(self.scripted.values())
        if abs(total - 1) > 1e-6:
            parts = ", ".join(f"{name} {share:g}" for name, share in {"current": self.current, "past": self.past, **self.scripted}.items())
            raise ValueError(f"the shares must sum to 1, not to {total:g} ({parts})")
        return self

    def suited(self, known: Sequence[str]) -> SelfPlayConfig:
        """The same for a game with the scripted agents ``known``: the default share of a missing one goes to the learner."""
        lacking = [name for name in self.scripted if name not in known]
        if not lacking or "scripted" in self.model_fields_set:
            return self
        scripted = {name: share for name, share in self.scripted.items() if name in known}
        current = round(1 - self.past - sum(scripted.values()), 9)
        return SelfPlayConfig.model_validate({**self.model_dump(), "current": current, "scripted": scripted})


class ImitationConfig(Section):
    """A stage before PPO in which the network learns from a teacher, at positions that it increasingly reaches by itself."""

    teacher: str = Field("expert", description="an agent of the game, by the name that evaluate.py knows it by")
    steps: Whole = Field(1_000_000, description="decisions of this stage; the rest of total_steps is PPO's")
    teacher_share: Fraction = Field(0.5, description="of the decisions that the teacher plays at first, falling to 0 at half of the stage")
    learning_rate: Positive = Field(1e-3, description="at the start")
    learning_rate_end: NotNegative = Field(1e-4, description="at the end of the stage, on a straight line")
    batch_size: Whole = Field(1024, description="decisions per gradient step")
    n_epochs: Whole = Field(1, description="passes over the decisions of a rollout")
    policy_coef: NotNegative = Field(1.0, description="weight of the cross-entropy; 0: only the values are learnt")
    loss_coef: NotNegative = Field(
        0.0, description="weight of what choices lose on average by the values of a teacher that knows them: optimum"
    )
    vf_coef: NotNegative = Field(0.5, description="weight of the value loss")

    def share(self, step: int) -> float:
        """The share of the decisions that the teacher plays in a rollout from ``step`` on."""
        return self.teacher_share * max(0.0, 1 - 2 * step / self.steps)

    def rate(self, step: int) -> float:
        """The learning rate at ``step``."""
        return self.learning_rate_end + max(0.0, 1 - step / self.steps) * (self.learning_rate - self.learning_rate_end)


class TrainConfig(Section):
    """A training run."""

    game: str = Field(description="a game's name or environment id")
    name: str = Field("", description="folder under runs/; empty: made of the file's name and the seed")
    options: dict[str, Any] = Field({}, description="what the game is made with, such as difficulty")
    deck: Path | None = Field(None, description="a deck file; none: the deck that ships")
    seed: Annotated[int, BeforeValidator(_whole), Field(ge=0, lt=2**32)] = Field(1, description="of everything that is random")
    total_steps: Whole = Field(5_000_000, description="decisions to train for")
    num_envs: Few = Field(256, description="games played side by side")
    threads: Annotated[int, BeforeValidator(_whole), Field(ge=0, le=1024)] = Field(0, description="of PyTorch; 0: one per core")
    device: Annotated[str, AfterValidator(existing_device)] = Field("cpu", description="of PyTorch: cpu, cuda, auto")
    wandb: Literal["online", "offline", "disabled"] = Field("offline", description="Weights & Biases; its files lie in wandb/")
    tensorboard: bool = Field(True, description="write TensorBoard files to the run's folder")
    progress: bool = Field(True, description="show a progress bar on a terminal")
    network: NetworkConfig = Field(default_factory=lambda: NetworkConfig.model_validate({}), description=NetworkConfig.__doc__)
    ppo: PPOConfig = Field(default_factory=lambda: PPOConfig.model_validate({}), description=PPOConfig.__doc__)
    evaluation: EvaluationConfig = Field(default_factory=lambda: EvaluationConfig.model_validate({}), description=EvaluationConfig.__doc__)
    checkpoints: CheckpointConfig = Field(default_factory=lambda: CheckpointConfig.model_validate({}), description=CheckpointConfig.__doc__)
    imitation: ImitationConfig | None = Field(None, description=ImitationConfig.__doc__)
    self_play: SelfPlayConfig | None = Field(None, description=SelfPlayConfig.__doc__)

    @model_validator(mode="after")
    def _batches_fit(self) -> TrainConfig:
        n, steps, batch = self.num_envs, self.ppo.n_steps, self.ppo.batch_size
        if n * steps % batch:
            raise ValueError(f"ppo.batch_size {batch} must divide num_envs * ppo.n_steps = {n} * {steps} = {n * steps}")
        return self

    @model_validator(mode="after")
    def _imitation_fits(self) -> TrainConfig:
        if self.imitation is not None and self.imitation.steps > self.total_steps:
            raise ValueError(f"imitation.steps {self.imitation.steps} are part of total_steps, which are {self.total_steps}")
        return self


# What may change when a run is resumed: how long, how watched, on what machine; never what is trained on what.
RESUMABLE = ("total_steps", "threads", "device", "wandb", "tensorboard", "progress", "evaluation", "checkpoints")


def lasting(config: TrainConfig) -> dict[str, Any]:
    """The parts of a configuration that cannot change when a run is resumed."""
    return {name: value for name, value in config.model_dump(mode="json").items() if name not in RESUMABLE}


def fields(model: type[BaseModel] = TrainConfig, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every field that is not a section, by its dotted name."""
    for name, info in model.model_fields.items():
        if section := _section(info):
            yield from fields(section, f"{prefix}{name}.")
        else:
            yield prefix + name, info


def _section(info: FieldInfo) -> type[BaseModel] | None:
    """The model of a field that is a section, one that may be left out too."""
    for kind in (info.annotation, *get_args(info.annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in ``path``; ConfigError when it cannot be read or holds something else."""
    try:
        content = plain_yaml.load(path)
    except FileNotFoundError:
        near = sorted(p.as_posix() for p in path.parent.glob("*.yaml")) if path.parent.is_dir() else []
        there = f" (there: {', '.join(near)})" if near else ""
        raise ConfigError(f"{path}: no such file{_choose(path.as_posix(), near, listed=False)}{there}") from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except Unreadable as error:
        raise ConfigError(str(error)) from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: expected fields with values, found {type(content).__name__}")
    return content


def build(content: Mapping[str, Any], overrides: Mapping[str, Any], source: str) -> TrainConfig:
    """The checked configuration of a file's ``content`` and dotted ``overrides``; ConfigError lists everything that is wrong."""
    merged: dict[str, Any] = _copy(content)
    for dotted, value in overrides.items():
        *sections, name = dotted.split(".")
        place = merged
        for section in sections:
            if not isinstance(place.setdefault(section, {}), dict):
                place[section] = {}
            place = place[section]
        place[name] = value
    try:
        return TrainConfig.model_validate(merged)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(e, overrides, source) for e in error.errors())) from None


def command_line(arguments: Sequence[str] | None = None) -> tuple[Path | None, Path | None, dict[str, Any]]:
    """(config file, run to resume, overrides by dotted name) of ``train.py``; exits with a message when they do not make sense."""
    parser = argparse.ArgumentParser(
        "train.py",
        usage="train.py CONFIG [--FIELD VALUE ...]\n       train.py --resume RUN [--FIELD VALUE ...]",
        description="Train a masked PPO agent.",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", nargs="?", type=Path, help="a YAML file, such as configs/tanglewoods.yaml")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="continue the run in this folder")
    group = parser.add_argument_group("fields", "override the file; --options.NAME VALUE sets an option of the game")
    flags = {}
    for dotted, info in fields():
        if dotted != "options":
            flags["--" + dotted.replace("_", "-")] = dotted
            default = "required" if info.is_required() else f"default {info.default!r}"
            text = f"{info.description} ({default})".replace("%", "%%")
            group.add_argument("--" + dotted.replace("_", "-"), dest=dotted, metavar="VALUE", help=text)
    # Options are the game's own, so argparse does not know them and would take their values for positional arguments.
    plain, options, rest = [], {}, list(sys.argv[1:] if arguments is None else arguments)
    while rest:
        flag, equals, value = rest.pop(0).partition("=")
        if flag.startswith("--options.") and flag != "--options.":
            if not equals and not rest:
                parser.error(f"argument {flag}: expected a value")
            name = "options." + flag.removeprefix("--options.").replace("-", "_")
            try:
                options[name] = plain_yaml.scalar(value if equals else rest.pop(0))
            except Unreadable as error:
                parser.error(f"argument {flag}: {error}")
        else:  # a field's name as in the file will do: wandb's sweeps write --ppo.learning_rate=VALUE
            plain.append((flag.replace("_", "-") if flag.startswith("--") else flag) + equals + value)
    known, unknown = parser.parse_known_args(plain)
    if unknown:
        flag = unknown[0].partition("=")[0]
        near = _choose(flag.replace("_", "-"), [*flags, "--resume", "--options.NAME"], listed=False)
        parser.error(f"unknown argument {flag!r}{near} (--help lists all)")
    types = {dotted: info.annotation for dotted, info in fields()}
    overrides = {}
    for dotted, text in vars(known).items():
        if dotted in types and text is not None:
            try:
                overrides[dotted] = _value(text, types[dotted])
            except Unreadable as error:
                parser.error(f"argument --{dotted.replace('_', '-')}: {error}")
    overrides |= options
    if (known.config is None) == (known.resume is None):
        parser.error("give either a config file, such as configs/tanglewoods.yaml, or --resume RUN")
    return known.config, known.resume, overrides


def _value(text: str, annotation: Any) -> Any:
    """What YAML reads in ``text``, but a word stays a word: "off" is False only where a bool is expected, and "" is an empty text."""
    value = plain_yaml.scalar(text)
    return text if (isinstance(value, bool) and annotation is not bool) or (value is None and annotation is str) else value


def _copy(content: Any) -> Any:
    return {key: _copy(value) for key, value in content.items()} if isinstance(content, Mapping) else content


def _choose(found: str, allowed: Sequence[str], listed: bool = True) -> str:
    near = difflib.get_close_matches(found, allowed, n=1)
    text = f"; did you mean {near[0]!r}?" if near else ""
    return text + (f" (allowed: {', '.join(allowed)})" if listed and allowed else "")


def _explain(error: Any, overrides: Mapping[str, Any], source: str) -> str:
    location = [str(part) for part in error["loc"]]
    dotted = ".".join(location)
    flagged = any(dotted == key or dotted.startswith(key + ".") for key in overrides)
    where = f"command line: --{dotted.replace('_', '-')}" if flagged else f"{source}: {dotted}" if dotted else source
    if error["type"] == "extra_forbidden":
        model: type[BaseModel] = TrainConfig
        for part in location[:-1]:
            section = _section(model.model_fields[part])
            assert section is not None
            model = section
        return f"{where}: unknown field{_choose(location[-1], list(model.model_fields))}"
    if error["type"] == "missing":
        return f"{where}: this field is required"
    message = error["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" + ("" if error["type"] == "value_error" else f", found {shown(error['input'])}")
