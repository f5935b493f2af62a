"""The table of steps: what it refuses, and that it calls the rule of the step with what the rule takes."""

import numpy as np
import pytest

from deckwood.core.fingerprint import fingerprint
from deckwood.core.jit import COMPILED, rule
from deckwood.core.step_table import Step, StepTable, made


@rule
def begin(s):
    s[0] += 1


@rule
def legal(s, deck, mask):
    mask[0] = deck[0]
    return 1


@rule
def play(s, action):
    s[0] = action


@rule
def outcome_weights(weights):
    weights[0] = 7
    return 1


@rule
def apply_outcome(s, step, outcome):
    s[0] = 10 * step + outcome


ROWS = {
    3: Step("decide", begin, legal, play, window=True, hint="this or that"),
    5: Step("roll", begin, outcome_weights=outcome_weights, apply_outcome=apply_outcome),
    6: Step(perform=begin),
}


def table(numbers=(3, 5, 6), **changes):
    return StepTable(__name__, numbers, {number: row._replace(**changes) if number == 3 else row for number, row in ROWS.items()})


def test_a_step_has_what_its_row_says():
    steps = table()
    s, deck, out = np.zeros(1, np.int32), np.full(1, 4, np.int32), np.zeros(1, np.int32)
    steps.perform(s, deck, 6)
    assert s[0] == 1
    assert (steps.legal(s, deck, 3, out), out[0]) == (1, 4)
    steps.play(s, deck, 3, 8)
    assert s[0] == 8
    assert (steps.outcome_weights(s, deck, 5, out), out[0]) == (1, 7)
    steps.apply_outcome(s, deck, 5, 2)
    assert s[0] == 52
    assert [bool(steps.is_window(step)) for step in (3, 5, 6)] == [True, False, False]
    assert (steps.phases, steps.decisions, steps.chances) == ({3: "decide", 5: "roll"}, (3,), (5,))
    assert (steps.hint(3), steps.hint(5), steps.hint(-1)) == ("this or that", "", "")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"play": None}, "half of a decision"),
        ({"legal": None}, "half of a decision"),
        ({"outcome_weights": outcome_weights}, "half of a decision or chance event"),
        ({"outcome_weights": outcome_weights, "apply_outcome": apply_outcome}, "both a decision and a chance event"),
        ({"phase": ""}, "has no phase"),
        ({"perform": None}, "has no perform"),
        ({"legal": lambda s, other, mask: 0}, "takes other"),
        ({"perform": play}, "takes action"),
    ],
)
def test_half_a_row_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        table(**changes)


@pytest.mark.parametrize("numbers", [(3, 5), (3, 5, 6, 7)])
def test_every_step_has_one_row(numbers):
    with pytest.raises(ValueError, match="steps and rows differ"):
        table(numbers)


@pytest.mark.skipif(not COMPILED, reason="compiled code is what could be confused")
def test_functions_of_the_same_shape_are_not_taken_for_each_other():
    """Their bytecode is the same: the numbers lie beside it."""
    one, other = (made(__name__, "is_window", ["def is_window(step):", f"    return step == {n}"], {}).py_func for n in (3, 4))
    assert one.__code__.co_code == other.__code__.co_code
    assert fingerprint(one, ()) != fingerprint(other, ())
