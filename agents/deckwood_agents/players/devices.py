"""Where networks are computed."""

from __future__ import annotations

import torch as th

from deckwood.core.program import Unreadable
from deckwood.core.untrusted import shown


def device(text: str) -> str:
    """The name of a device of PyTorch that is there, or "auto"; Unreadable otherwise."""
    known = ["cpu", *(f"cuda:{number}" for number in range(th.cuda.device_count())), *["mps"] * th.backends.mps.is_available()]
    if text not in (*known, "auto", *["cuda"] * th.cuda.is_available()):
        raise Unreadable(f"found {shown(text)}; the devices here are {', '.join(known)}, or auto")
    return text
