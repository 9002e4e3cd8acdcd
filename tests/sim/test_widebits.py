"""Bits beyond PyMTL3's 1023: the same rules, and every tool of the chain takes them."""

import random
from pathlib import Path

import pytest
from pymtl3 import Bits, concat, mk_bits, mk_bitstruct, sext, trunc, zext

from fl.messages import mk_exp_msgs
from fl.widebits import MAX_BITS, lift_limit
from sim.stream import StreamRunner
from sim.translate import translate
from tests.toys import AddRTL, add
from tests.yosys import run_yosys

WIDTHS = (1022, 1023, 1024, 1025, 4096, 12288, MAX_BITS)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_bounds(nbits: int) -> None:
    ones = (1 << nbits) - 1
    for make in (mk_bits(nbits), lambda v: Bits(nbits, v)):
        assert int(make(ones)) == ones
        assert int(make(-1)) == ones
        assert int(make(-(1 << nbits - 1))) == 1 << nbits - 1
        for bad in (ones + 1, -(1 << nbits - 1) - 1):
            with pytest.raises(ValueError, match="too wide"):
                make(bad)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_trunc_int_wraps(nbits: int) -> None:
    assert int(Bits(nbits, (5 << nbits) + 3, trunc_int=True)) == 3
    assert int(Bits(nbits, -(1 << nbits), trunc_int=True)) == 0


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_bits_of_another_width_are_refused(nbits: int) -> None:
    same = Bits(nbits, 9)
    assert Bits(nbits, same) == same
    with pytest.raises(ValueError):  # noqa: PT011  (the text is PyMTL3's at narrow widths)
        Bits(nbits, Bits(8, 9))


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [0, -1, MAX_BITS + 1])
def test_widths_outside_the_range(nbits: int) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (the text is PyMTL3's)
        Bits(nbits, 0)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", WIDTHS)
def test_arithmetic_is_modulo_2_to_the_n(nbits: int) -> None:
    rng = random.Random(nbits)
    size = 1 << nbits
    make = mk_bits(nbits)
    for _ in range(20):
        x, y, places = rng.getrandbits(nbits), rng.getrandbits(nbits), rng.randrange(nbits)
        a, b = make(x), make(y)
        assert int(a + b) == (x + y) % size
        assert int(a - b) == (x - y) % size
        assert int(a * b) == x * y % size
        assert int(a ^ b) == x ^ y
        assert int(~a) == size - 1 - x
        assert int(a << places) == (x << places) % size
        assert int(a >> places) == x >> places
        assert bool(a < b) == (x < y)
        assert int(a[places]) == x >> places & 1
        assert int(a[3:nbits]) == x >> 3


@pytest.mark.quick
def test_across_the_old_limit() -> None:
    low, high = Bits(1000, -1), Bits(24, 5)
    joined = concat(high, low)
    assert joined.nbits == 1024
    assert int(joined) == 5 << 1000 | (1 << 1000) - 1
    assert int(zext(low, 2000)) == (1 << 1000) - 1
    assert int(sext(low, 2000)) == (1 << 2000) - 1
    assert int(trunc(joined, 1000)) == (1 << 1000) - 1
    a = Bits(2000, 0)
    a[1000:2000] = low
    a @= a | 1
    assert int(a) == ((1 << 1000) - 1) << 1000 | 1


@pytest.mark.quick
def test_messages_pack_first_field_first() -> None:
    Request, _ = mk_exp_msgs(4096)
    assert Request.nbits == 12288
    packed = Request(1, 2, 3).to_bits()
    assert int(packed) == 1 << 8192 | 2 << 4096 | 3
    assert Request.from_bits(packed) == Request(1, 2, 3)


@pytest.mark.quick
def test_lifting_twice_changes_nothing() -> None:
    lift_limit()
    lift_limit()
    assert int(Bits(8, 255)) == 255
    assert int(Bits(1024, -1)) == (1 << 1024) - 1


@pytest.mark.parametrize("level", ["rtl", "verilog", "batch"])
def test_widest_messages_simulate(level: str) -> None:
    """12288-bit requests, as a 4096-bit exponentiator takes them."""
    rng = random.Random(12288)
    requests = [rng.getrandbits(12288) for _ in range(4)]
    with StreamRunner(AddRTL(6144, 3), level) as runner:
        assert [t.response for t in runner.run(requests)] == [add(6144, r) for r in requests]


def test_yosys_synthesises_wide_ports(tmp_path: Path) -> None:
    design = translate(AddRTL(1500, 3))
    source = tmp_path / "top.v"
    source.write_text(design.text)
    run_yosys(
        f"read_verilog -sv {source}",
        f"synth -noabc -top {design.top}",
        "select -assert-count 1 i:recv__msg s:3000 %i",
        "select -assert-count 1 o:send__msg s:1500 %i",
        f"select -assert-count {1500 + 8 + 1} t:$_*FF*",  # total, left, busy
    )


@pytest.mark.quick
def test_wide_struct_in_a_struct() -> None:
    inner = mk_bitstruct("WideInner", {"x": mk_bits(2000), "y": mk_bits(3)})
    outer = mk_bitstruct("WideOuter", {"inner": inner, "z": mk_bits(5)})
    value = outer(inner(7, 1), 2)
    assert int(value.to_bits()) == (7 << 3 | 1) << 5 | 2
