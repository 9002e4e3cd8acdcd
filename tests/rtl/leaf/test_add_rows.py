"""How rows are added: which full adders take which."""

import pytest

from rtl.leaf.add_rows import both, plan, row

BITS = 41
# An element of 32 bits, eight per step: what it chooses and keeps, and what neighbours give it.
CHOSEN = tuple(row(BITS, i, 33, 2) for i in range(8))
KEPT = (row(BITS, 0, 24, 0),) * 2
FROM_OTHERS = (both(row(BITS, 0, 9, 0), row(BITS, 16, 8, 0.5)),) * 2
ROWS = (*CHOSEN, *KEPT, *FROM_OTHERS)


def outcome(rows, taken_rows):
    """How many half adders there are, and in which column how many bits are left."""
    known = [[bit is not None for bit in one] for one in rows]
    halves, left = 0, set(range(len(rows)))
    for taken in taken_rows:
        assert left >= {*taken}
        assert len({*taken}) == 3
        left = left - {*taken} | {len(known), len(known) + 1}
        count = [sum(known[i][column] for i in taken) for column in range(BITS)]
        halves += count.count(2)
        known += [[n > 0 for n in count], [False, *(n > 1 for n in count[:-1])]]
    return halves, [sum(known[i][column] for i in left) for column in range(BITS)]


@pytest.mark.quick
def test_each_row_is_taken_once_and_few_half_adders_are_left():
    halves, left = outcome(ROWS, plan(ROWS))
    assert max(left) == 2
    in_order = [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(ROWS) - 2)]
    assert halves <= 40 < 50 < outcome(ROWS, in_order)[0]


@pytest.mark.quick
def test_what_comes_late_is_taken_late():
    rows = (row(4, 0, 4, 9), *(row(4, 0, 4, 0) for _ in range(4)))
    *early, last = plan(rows)
    assert all(0 not in taken for taken in early)
    assert last.z == 0


@pytest.mark.quick
def test_rows_are_one_where_their_bits_are_apart():
    assert both(row(4, 0, 2, 1), row(4, 3, 1, 2)) == (1, 1, None, 2)
    assert both(row(4, 0, 2, 1), row(4, 1, 1, 2)) is None
