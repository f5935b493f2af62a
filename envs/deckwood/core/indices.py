"""Checks of indices, slots and masks, in one place, because compiled code checks no bounds."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def whole(value: Any, what: str, low: int = 0) -> int:
    """``value`` as an int. TypeError unless it is a whole number (a bool is not); ValueError below ``low``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{what}={value!r}: must be a whole number")
    if number < low:
        raise ValueError(f"{what}={number}: must be at least {low}")
    return number


def index(value: Any, n: int, what: str) -> int:
    """``value`` as an int from 0 to n - 1. TypeError unless it is a whole number, IndexError outside: there are no negative indices."""
    number = whole(value, what, low=-(1 << 128))
    if not 0 <= number < n:
        raise IndexError(f"{what}={number}: must be from 0 to {n - 1}")
    return number


def mask(value: Any, n: int, what: str) -> NDArray[np.bool_]:
    """``value`` as bool (n,). TypeError for another kind, ValueError for another shape."""
    found = np.asarray(value)
    if found.dtype != np.bool_:
        raise TypeError(f"{what} must be a bool mask, not {found.dtype}")
    if found.shape != (n,):
        raise ValueError(f"{what}: a mask has shape ({n},), not {found.shape}")
    return found


def indices(value: ArrayLike | None, n: int, what: str, *, unique: bool = True) -> NDArray[np.int64]:
    """The selected indices, int64 (k,), a new array: all for None, where a bool mask (n,) is True, or the given whole numbers.

    TypeError for another kind; ValueError for a mask of another length, for an array that is not flat and, where they must be ``unique``,
    for a number given twice; IndexError for one that is not from 0 to n - 1.
    """
    if value is None:
        return np.arange(n)
    found = np.asarray(value)
    if found.dtype == np.bool_:
        return np.flatnonzero(mask(found, n, what))
    if found.ndim != 1:
        raise ValueError(f"{what} must be flat, (k,), not of shape {found.shape}")
    if not found.size:
        return np.zeros(0, np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"{what} must be whole numbers or a bool mask, not {found.dtype}")
    low, high = found.min(), found.max()
    if low < 0 or high >= n:
        raise IndexError(f"{what}: found {low if low < 0 else high}; allowed: 0 to {n - 1}")
    if unique and not (found[1:] > found[:-1]).all():
        numbers, counts = np.unique(found, return_counts=True)
        if len(numbers) < len(found):
            raise ValueError(f"{what}: found {numbers[counts > 1][0]} more than once")
    return found.astype(np.int64)
