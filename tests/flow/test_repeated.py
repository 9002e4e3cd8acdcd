"""Which modules of a large design are mapped once, on hierarchies counted by hand."""

import pytest

from flow.fpga import repeated as found

pytestmark = pytest.mark.quick

# 1 + 10 * (3 + 2) + (7 + 2) operators: ten elements, and a last one of another kind.
ARRAY = {
    "Top": {"$mux": 1, "Line": 1},
    "Line": {"Element": 10, "Last": 1},
    "Element": {"$dff": 3, "Sum": 1},
    "Last": {"$dff": 7, "Sum": 1},
    "Sum": {"$add": 2},
}


@pytest.mark.parametrize(
    ("kept", "operators"),
    [
        ([], 1 + 10 * 5 + 9),
        (["Line"], 1 + 50 + 9),  # it is there once
        (["Element"], 1 + 5 + 9),
        (["Sum"], 1 + 10 * 3 + 7 + 2),
        (["Element", "Sum"], 1 + 3 + 7 + 2),  # one inside the other, and in the last one
    ],
)
def test_operators_that_are_mapped(kept, operators):
    assert found.mapped(ARRAY, "Top", kept) == operators


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (60, []),
        (59, ["Element"]),
        (15, ["Element"]),
        (14, ["Element", "Sum"]),
        (13, ["Element", "Sum"]),
        (12, None),
    ],
)
def test_no_more_is_kept_than_must_be_and_what_saves_most_first(most, kept):
    assert found.repeated(ARRAY, "Top", most) == kept


def test_a_design_of_one_module_has_none_to_keep():
    assert found.repeated({"Top": {"$add": 3}}, "Top", 3) == []
    assert found.repeated({"Top": {"$add": 3}}, "Top", 2) is None
