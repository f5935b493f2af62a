"""The page of results, in Markdown, from the games that were played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood_agents.measuring.evaluation import all_options, per_cent
from deckwood_agents.measuring.statistics import (
    FEWEST_RUNS,
    Interval,
    bootstrap_generator,
    bootstrap_mean,
    interquartile_mean,
    mean_interval,
    performance_profile,
    stratified_bootstrap,
    wilson,
)
from deckwood_agents.results import pictures
from deckwood_agents.results.plan import SEED, Deck
from deckwood_agents.results.raw import Raw, Row
from deckwood_agents.results.runs import TrainingRun, curve

THRESHOLDS = np.linspace(0, 2, 81)  # of performance profiles, in multiples of the expert's wins
EXPERT = "expert"


@dataclass(frozen=True)
class Sample:
    """The games of one agent, alone or among copies of another."""

    agent: str
    rows: Sequence[Row]

    @property
    def games(self) -> int:
        return len(self.rows)

    @property
    def won(self) -> NDArray[np.int64]:
        return np.array([row.won for row in self.rows])

    @property
    def win_rate(self) -> float:
        return float(self.won.mean())

    @property
    def win_interval(self) -> Interval:
        return wilson(int(self.won.sum()), self.games)

    @property
    def returns(self) -> NDArray[np.float64]:
        return np.array([row.value for row in self.rows])

    @property
    def cpu_us(self) -> float:
        """Microseconds a decision, the median over the rounds: the first of some agents compiles."""
        return float(np.median([row.cpu_us for row in self.rows]))


@dataclass
class Section:
    """All that the page says of one deck."""

    deck: Deck
    game: Game
    raw: Raw
    runs: Sequence[TrainingRun]
    folder: Path
    exact: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by agent: a regret's exact summary

    def sample(self, agent: str, against: str = "") -> Sample | None:
        rows = self.raw.played(agent, against, SEED)
        return Sample(agent, rows) if len(rows) > 1 else None

    @property
    def fair(self) -> float | None:
        """The share of wins of one among its likes, in multiplayer games."""
        return 1 / self.game.spec.players(self.game.options) if self.deck.against else None

    @property
    def regrets(self) -> bool:
        return bool(self.game.spec.metrics)

    @property
    def measured_among(self) -> str:
        """Who else sits there where an agent's wins are compared with the expert's."""
        return EXPERT if self.deck.against else ""

    @property
    def expert_share(self) -> float | None:
        """What an agent that is as good as the expert wins."""
        if self.fair is not None:
            return self.fair
        expert = self.sample(EXPERT)
        return expert.win_rate if expert else None

    def score_of(self, run: TrainingRun) -> float | None:
        """A run's wins as a multiple of the expert's."""
        sample, expert = self.sample(run.agent, self.measured_among), self.expert_share
        return sample.win_rate / expert if sample and expert and not self.regrets else None


# Tables ----------------------------------------------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def wins(sample: Sample) -> str:
    low, high = sample.win_interval
    return f"{per_cent(sample.win_rate)} ({per_cent(low)} to {per_cent(high)})"


def score(sample: Sample) -> str:
    low, high = bootstrap_mean(sample.returns, bootstrap_generator(SEED))
    return f"{sample.returns.mean():.3f} ({low:.3f} to {high:.3f})"


def think(sample: Sample) -> str:
    return f"{sample.cpu_us:,.1f}" if sample.cpu_us < 100 else f"{sample.cpu_us:,.0f}"


def share_of_range(section: Section, agent: str) -> str:
    share = section.exact.get(agent, {}).get("share_of_range")
    return "" if share is None else f"{100 * share:z.2f}"


def agents_table(section: Section) -> str:
    """Every agent of the plan in a game for one."""
    rows = []
    for name in section.deck.agents:
        if sample := section.sample(name):
            cells = [name, f"{sample.games:,}"]
            if section.regrets:
                exact = section.exact.get(name, {})
                cells += [share_of_range(section, name), f"{exact['exact']:z.3f}" if exact else ""]
            else:
                cells.append(wins(sample))
            rows.append([*cells, score(sample), think(sample)])
    middle = ["exact regret, % of the range", "exact regret"] if section.regrets else ["wins %"]
    return table(["agent", "games", *middle, "score (mean return)", "µs a decision"], rows)


def seats_table(section: Section) -> str:
    """Every agent of the plan alone among copies of each other, in a multiplayer game."""
    columns = [name for name in section.deck.against if any(section.sample(row, name) for row in section.deck.agents)]
    rows = []
    for name in section.deck.agents:
        cells = [section.sample(name, other) for other in columns]
        if found := [cell for cell in cells if cell]:
            games = f"{min(c.games for c in found):,}" + (
                f" to {max(c.games for c in found):,}" if len({c.games for c in found}) > 1 else ""
            )
            among = section.sample(name, EXPERT)
            rows.append([name, *(wins(cell) if cell else "" for cell in cells), games, score(among) if among else "", think(found[0])])
    head = [*(f"wins % among {name}" for name in columns), "games each", "score among expert", "µs a decision"]
    return table(["alone", *head], rows)


def runs_table(section: Section) -> str:
    among = " among expert" if section.deck.against else ""
    middle = ["exact regret, % of the range"] if section.regrets else [f"wins %{among}", "times the expert's"]
    rows = []
    for run in section.runs:
        if sample := section.sample(run.agent, section.measured_among):
            cells = [run.name, str(run.seed), f"{run.steps:,}", f"{run.minutes:,.0f}", f"{sample.games:,}"]
            if section.regrets:
                cells.append(share_of_range(section, run.agent))
            else:
                own = section.score_of(run)
                cells += [wins(sample), "" if own is None else f"{own:.2f}"]
            rows.append([*cells, score(sample), f"`{run.commit[:12]}`"])
    return table(["run", "seed", "decisions", "minutes", "games", *middle, f"score{among}", "commit"], rows)


# Sections --------------------------------------------------------------------------------------------------------------------------------


def of_deck(section: Section) -> Iterator[str]:
    """The Markdown of a deck, and its pictures, written to the folder."""
    deck, game = section.deck, section.game
    options = ", ".join(f"{name}={value}" for name, value in all_options(game).items())
    yield f"## {deck.title}"
    yield f"`{game.spec.env_id}` ({options}), golden hash `{stored_hash(game.spec)[:16] or 'none'}`, deck `{game.deck.digest[:16]}`."
    if section.raw.rounds:
        yield seats_table(section) if deck.against else agents_table(section)
    if deck.note:
        yield deck.note
    yield from _bars(section)
    if deck.against:
        yield from _matrix(section)
    if section.runs:
        yield from _training(section)
    if missing := list(lacks(section)):
        yield "Missing: " + "; ".join(missing) + "."


def _picture(section: Section, name: str, text: str) -> tuple[Path, str]:
    file = f"{section.deck.game}_{name}.png"
    return section.folder / file, f"![{text}]({section.folder.name}/{file})"


def _bars(section: Section) -> Iterator[str]:
    found = [section.sample(name, section.measured_among) for name in section.deck.agents]
    rows = [(sample.agent, sample.win_rate, sample.win_interval, sample.games) for sample in found if sample]
    if rows and not section.regrets:
        others = section.game.spec.players(section.game.options) - 1
        among = f" alone among {others} experts" if others else ""
        dashed = "; dashed: fair share" if others else ""
        path, text = _picture(section, "wins", f"{section.deck.title}: wins by agent")
        pictures.win_rates(path, section.deck.title, f"games won{among}, % (95% interval; games in brackets{dashed})", rows, section.fair)
        yield text


def _matrix(section: Section) -> Iterator[str]:
    assert section.fair is not None
    rows = [name for name in section.deck.agents if any(section.sample(name, other) for other in section.deck.against)]
    columns = [name for name in section.deck.against if any(section.sample(row, name) for row in rows)]
    if not columns:
        return
    cells = [[section.sample(row, column) for column in columns] for row in rows]
    shares = np.array([[cell.win_rate if cell else np.nan for cell in line] for line in cells])
    path, text = _picture(section, "cross_play", f"{section.deck.title}: cross-play")
    pictures.cross_play(path, section.deck.title, rows, columns, shares, section.fair)
    yield text


def enough(scores: Sequence[NDArray[np.float64]]) -> bool:
    """Whether every deck has enough runs for resampling to be meaningful."""
    return min(map(len, scores)) >= FEWEST_RUNS


def summary(scores: Sequence[NDArray[np.float64]]) -> tuple[str, float, str, str]:
    """Runs, an array for each deck, as one number: what it is, its value, its interval, and what interval that is."""
    together = np.concatenate(scores)
    if enough(scores):
        low, high = stratified_bootstrap(scores, interquartile_mean, bootstrap_generator(SEED))
        return "interquartile mean", float(interquartile_mean(together)), f"{low:.2f} to {high:.2f}", "stratified bootstrap"
    interval = mean_interval(scores)
    return "mean", float(together.mean()), f"{interval.low:.2f} to {interval.high:.2f}", "Student's t"


def _training(section: Section) -> Iterator[str]:
    yield "### Training seeds"
    yield runs_table(section)
    scores = np.array([score for score in map(section.score_of, section.runs) if score is not None])
    if scores.size > 1:
        name, middle, interval, how = summary([scores])
        yield f"Over {scores.size} training seeds the {name} is {middle:.2f} times the expert's wins ({interval}, {how})."
    curves = {run.name: (steps, values) for run in section.runs for steps, values in [curve(section.folder, run)] if steps}
    if curves:
        lines = {} if section.expert_share is None or section.regrets else {"fair share" if section.fair else EXPERT: section.expert_share}
        path, text = _picture(section, "training", f"{section.deck.title}: learning curves")
        pictures.training(path, section.deck.title, section.deck.curve_label, curves, lines, losses=bool(section.regrets))
        yield text


def lacks(section: Section) -> Iterator[str]:
    """What the plan asks for and the page does not have, or has of fewer games."""
    for name, games in section.deck.agents.items():
        played = {other: section.sample(name, other) for other in section.deck.against or ("",) if other != name}
        fewer = {other: sample.games if sample else 0 for other, sample in played.items() if sample is None or sample.games < games}
        if not any(played.values()):
            yield name
        elif fewer:
            counts = (f"{found:,} of {games:,} games" + (f" among {other}" if other else "") for other, found in fewer.items())
            yield f"{name} ({', '.join(counts)})"
    if len(section.runs) < 3:
        yield f"training seeds ({len(section.runs)} of 3)"


def across(sections: Sequence[Section], folder: Path) -> Iterator[str]:
    """Training seeds of all decks together."""
    by_deck = {s.deck.title: np.array([v for v in map(s.score_of, s.runs) if v is not None]) for s in sections}
    by_deck = {title: scores for title, scores in by_deck.items() if scores.size > 1}
    if not by_deck:
        return
    together = list(by_deck.values())
    name, value, interval, how = summary(together)
    yield "## Across decks and training seeds"
    yield (
        "A run's score is the share of games that its final network wins, as a multiple of the expert's on the same games; in multiplayer games, of the "
        f"fair share that an expert among experts wins. Over {sum(map(len, together))} runs of {len(by_deck)} decks the {name} is "
        f"**{value:.2f} ({interval})**, by {how}, stratified by deck."
    )
    groups = {**{title: [scores] for title, scores in by_deck.items()}, **({"all decks": together} if len(by_deck) > 1 else {})}
    pictures.profiles(folder / "profiles.png", THRESHOLDS, {title: profile(scores) for title, scores in groups.items()})
    yield f"![Performance profiles over training seeds]({folder.name}/profiles.png)"


def profile(scores: Sequence[NDArray[np.float64]]) -> pictures.Profile:
    """The performance profile of runs, an array for each deck, and its band, where they are enough."""

    def of(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        return performance_profile(drawn, THRESHOLDS)

    return of(np.concatenate(scores)), stratified_bootstrap(scores, of, bootstrap_generator(SEED)) if enough(scores) else None


HEAD = """\
# Results

Written by `make results` (`python -m deckwood_agents.results`), which plays what is missing and keeps what was played; `make results ARGS='--fresh'` plays all of it again.

- **Games.** All agents meet the same games, those of `evaluate.py` at seed {seed}, which training never sees ([how it is measured](evaluation.md#how-it-is-measured)). An agent that takes long plays the
  first of them; how many, the tables say. In multiplayer games an agent sits alone among copies of another, in each chair equally often.
- **Intervals** are at 95%: Wilson's for shares of wins, percentile bootstrap for scores (mean returns), both over games.
- **Training seeds.** What is reported of a run is its final network, never the best one. Over
  {fewest} seeds or more of each deck: interquartile mean and performance profiles with stratified
  bootstrap intervals (Agarwal et al. 2021, *Deep reinforcement learning at the edge of the
  statistical precipice*), expanded for few runs (Hesterberg 2015, *What teachers should know about
  the bootstrap*). Over fewer: each run's value, their mean with Student's interval, and profiles
  without a band, since resampling three runs gives an interval from the least to the greatest,
  which covers 75%. All resampling is seeded, so the same rows give the same page.
- **Time** is processor time of a decision on one core, in microseconds, asked for many games at once where an agent can; the median over rounds of 512 games.
- **Raw games** lie in `results/<game>.csv.gz`, a row each, with golden hash, deck digest, commit and a digest of the agent. Rows of another version of the game or of the agent are dropped and played anew.
"""


def page(sections: Sequence[Section], folder: Path) -> str:
    """The whole page; pictures are written to ``folder``, which lies beside it."""
    parts = [HEAD.format(seed=SEED, fewest=FEWEST_RUNS).rstrip()]
    for section in sections:
        parts += of_deck(section)
    parts += across(sections, folder)
    return "\n\n".join(parts) + "\n"
