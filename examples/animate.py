"""A game that an agent wins, as an animated picture: ``python examples/animate.py win.webp --agent ppo --seed 1``.

The first game from ``--seed`` on that ends in a win is shown, one frame per decision or evenly spaced ones; the last is held. The ending
of the file's name decides the format (.webp or .gif). This wrote docs/images/win.webp:

    python examples/animate.py docs/images/win.webp --option difficulty=5 --width 900 --frames 110
"""

from __future__ import annotations

import argparse
import io
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import deckwood
from deckwood.core.files import write_atomically
from deckwood_agents.players.roster import make_agent

Picture = NDArray[np.uint8]  # (height, width, 3)


def played(batch: deckwood.Batch, agent: Any, seed: int) -> list[Any]:
    """The positions of game ``seed``, one before each decision and the last."""
    agent.reset(seed)
    batch.reset(seed=seed)
    positions = [batch.positions[0].copy()]
    while not (batch.terminated[0] or batch.truncated[0]):
        batch.step(agent.act(batch.obs, batch.mask, batch.positions))
        positions.append(batch.positions[0].copy())
    return positions


def first_win(game: deckwood.Game, agent: Any, seed: int) -> list[Any]:
    """The positions of the first won game from ``seed`` on."""
    batch = deckwood.Batch(game, 1, seed=seed, autoreset=False)
    for number in count(seed):
        positions = played(batch, agent, number)
        if game.spec.won(batch.ended, batch.episode_return)[0]:
            return positions
    raise AssertionError  # count() has no end


def animation(pictures: list[Picture], kind: str, *, width: int, milliseconds: int) -> bytes:
    """The pictures one after the other, in Pillow's format ``kind``; the last stands for three seconds."""
    images = [Image.fromarray(picture) for picture in pictures]
    size = (width, round(width * images[0].height / images[0].width))
    first, *others = [image.resize(size, Image.Resampling.LANCZOS) for image in images]
    content = io.BytesIO()
    durations = [milliseconds] * len(others) + [3_000]
    first.save(content, kind, save_all=True, append_images=others, duration=durations, loop=0, quality=60, method=4, minimize_size=True)
    return content.getvalue()


def parse(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Write an animated picture of a game that an agent wins.")
    parser.add_argument("file", type=Path, help="where to write it (.webp or .gif)")
    parser.add_argument("--env-id", default="deckwood/Tanglewoods-v1")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=NUMBER", help="of the game, such as difficulty=5")
    parser.add_argument("--agent", default="ppo", help="by its name in evaluate.py")
    parser.add_argument("--seed", type=int, default=1, help="of the first game that is tried")
    parser.add_argument("--frames", type=int, default=90, help="at most N")
    parser.add_argument("--width", type=int, default=720, help="in pixels")
    parser.add_argument("--milliseconds", type=int, default=350, help="that a frame stands")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> None:
    args = parse(given)
    options: dict[str, Any] = {name: int(number) for name, number in (option.split("=") for option in args.option)}
    game = deckwood.Game(args.env_id, **options)
    positions = first_win(game, make_agent(args.agent, game.spec, game.deck), args.seed)
    shown = np.linspace(0, len(positions) - 1, min(args.frames, len(positions))).round().astype(int)
    pictures = [game.spec.draw(positions[at], game.deck) for at in shown]
    content = animation(pictures, args.file.suffix[1:].upper(), width=args.width, milliseconds=args.milliseconds)
    write_atomically(args.file, content)
    print(f"{args.file}: {len(shown)} frames of a game of {len(positions) - 1} decisions, {len(content) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
