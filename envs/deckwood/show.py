"""A replay, looked at: ``python -m deckwood.show REPLAY.json [--event N] [--png FILE]``."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from itertools import islice

from deckwood.core.files import write_atomically
from deckwood.core.program import input_file, output, program, whole
from deckwood.core.replay import game_of_replay, play, read_replay


@program
def main(argv: Sequence[str] | None = None) -> int:
    """Print or draw the position after ``--event`` events of a replay (default: all); exit status 2 on failure."""
    parser = argparse.ArgumentParser("python -m deckwood.show", description="Show a position of a replay.")
    parser.add_argument("replay", type=input_file)
    parser.add_argument("--event", type=whole(0, 10**9), metavar="N", help="after how many events (default: all)")
    parser.add_argument("--png", type=output, metavar="FILE", help="draw it instead of printing it")
    args = parser.parse_args(argv)
    content = read_replay(args.replay)
    events = len(content["events"])
    wanted = events if args.event is None else args.event
    if not 0 <= wanted <= events:
        parser.error(f"--event {wanted}: the replay has {events} events")
    game = game_of_replay(content)
    (position,) = islice(play(game, content), wanted, wanted + 1)
    if args.png is None:
        print(game.spec.describe(position[0], game.deck))
        return 0
    picture = game.spec.draw(position[0], game.deck)
    import pygame

    content_of = io.BytesIO()
    pygame.image.save(pygame.surfarray.make_surface(picture.swapaxes(0, 1)), content_of, "x.png")
    write_atomically(args.png, content_of.getvalue())
    return 0


if __name__ == "__main__":
    sys.exit(main())
