"""Document 003's processor at RSA sizes, at any word, and with faults planted in each part."""

import random
from itertools import product

import pytest

import rtl.exp.digit_serial
import rtl.exp.serial_control
import rtl.exp.serial_datapath
import rtl.exp.serial_order
import rtl.leaf.ram
import rtl.leaf.serial_adder
import rtl.mul.serial_memory
import rtl.mul.serial_processor
import rtl.mul.serial_words
from cl.digit_serial import loading_cycles
from eval.catalog import find
from eval.contract.exponentiator import ExpCase, check_exponentiator, edge_cases, random_cases
from fl.rsa_keys import seeded_key
from rtl.exp.digit_serial import SerialExponentiator
from sim.stream import STALLS, Stalls
from tests.faults import CAUGHT, plant
from tests.harness import component_runner

LATE_SINK = Stalls("late-sink", (0,), (300,))  # later than any answer
# Four words of three bits: sums of eight bits fill them to the last.
NBITS, WORD_BITS = 8, 3
MODULI = (255, 191, 129, 127, 85, 3, 1, 254)
CASES = [
    ExpCase(f"mod={mod},exp={exp}", NBITS, base, exp, mod)
    for mod, (base, exp) in product(MODULI, ((254, 0b1101), (93, 0b10)))
] + [
    ExpCase("exp=1", NBITS, 77, 1, 253),
    ExpCase("exp=0", NBITS, 5, 0, 255),
    ExpCase("exp=0,mod=1", NBITS, 5, 0, 1),
]


def odd(mod):
    """The moduli that are taken."""
    return mod % 2 == 1


def check_design(nbits, word_bits, with_z, cases, stalls=STALLS["none"], level="rtl"):
    """The cases through the hardware: values and time."""
    model = SerialExponentiator(nbits, odd, word_bits, with_z)
    with component_runner(model.rtl(), level) as runner:
        spent = sum(model.latency(*case.operands) for case in cases)
        return check_exponentiator(runner, model, cases, stalls, spent + 400 * len(cases))


@pytest.mark.parametrize("with_z", [False, True])
@pytest.mark.parametrize(
    ("nbits", "word_bits"), [(8, 2), (8, 3), (9, 3), (28, 8), (33, 8), (33, 256)]
)
def test_any_width_in_words_of_any(nbits, word_bits, with_z):
    """From four words, most of them unused, to six; sums that fill the last word, and not."""
    cases = edge_cases(nbits, exp_bits=6) + random_cases(nbits, 400, seed=3, odd=True)
    check_design(nbits, word_bits, with_z, cases, level="batch")


# S, and the cycles that are printed for e = 65537
PRINTED = {32: 645288, 64: 332440, 128: 176016, 256: 97804}


@pytest.mark.parametrize("word_bits", PRINTED)
def test_cycles_of_the_document_at_1024_bits(word_bits):
    design = find(f"serial-pz-{word_bits}").at(1024)
    rng, cases = random.Random(word_bits), []
    for seed in range(1, 6):
        key = seeded_key(1024, seed)
        cases.append(ExpCase(f"key {seed}", 1024, rng.randrange(key.n), key.e, key.n))
    with component_runner(design.rtl(), "batch") as runner:
        transfers = check_exponentiator(runner, design, cases, max_cycles=10**8)
    loading = loading_cycles(1024, word_bits, cases[0].mod)
    assert {t.cycles - loading for t in transfers} == {PRINTED[word_bits]}


@pytest.mark.parametrize(
    ("name", "nbits"),
    [
        ("serial-p-32", 512),
        ("serial-pz-32", 512),
        ("serial-p-128", 1024),
        ("serial-pz-256", 2048),
        ("serial-pz-256", 4096),
    ],
)
def test_rsa_sizes(name, nbits):
    """Short exponents, to 1024 bits a long one; a modulus of fewer bits, an even one."""
    design, rng = find(name).at(nbits), random.Random(nbits)
    base, exp = rng.getrandbits(nbits), rng.getrandbits(nbits)
    mod = rng.getrandbits(nbits) | 1 << nbits - 1 | 1
    cases = [ExpCase("exp=65537", nbits, base, 65537, mod)]
    if nbits <= 1024:
        cases.append(ExpCase("long exp", nbits, base, exp, mod))
    short = rng.getrandbits(nbits // 2) | 1
    cases += [
        ExpCase("short modulus", nbits, base, 0b1011, short),
        ExpCase("even modulus", nbits, base, 3, short + 1),
    ]
    with component_runner(design.rtl(), "batch") as runner:
        check_exponentiator(runner, design, cases, max_cycles=10**8)


# A fault: module, with the Z-processor or not (None: either), what is sound, what is not.
FAULTS = {
    "word written where it is read": (
        rtl.leaf.ram,
        True,
        ("s.kept[s.to] <<= s.data", "s.kept[s.at] <<= s.data"),
    ),
    "written at any time": (rtl.leaf.ram, True, ("if s.write:", "if s.write | ~s.write:")),
    "carry between words lost": (
        rtl.leaf.serial_adder,
        True,
        ("s.carry <<= s.add.carry_out", "s.carry <<= 0"),
    ),
    "carry of the number before": (
        rtl.leaf.serial_adder,
        True,
        ("if s.is_first:", "if s.is_first & s.first_carry:"),
    ),
    "carry out of a word lost": (
        rtl.leaf.serial_adder,
        True,
        ("zext(s.left, wide) + zext(s.right, wide)", "zext(s.left + s.right, wide)"),
    ),
    "a word too few": (
        rtl.mul.serial_words,
        True,
        ("s.index == last_index", "s.index == last_index - 1"),
    ),
    "next pass before the pipeline is empty": (
        rtl.mul.serial_words,
        True,
        ("(s.emptying == 2)", "(s.emptying == 1)"),
    ),
    "pipeline emptied after every pass": (
        rtl.mul.serial_words,
        True,
        ("if ~s.chained:", "if s.chained | ~s.chained:"),
    ),
    "half written a cycle early": (
        rtl.mul.serial_words,
        True,
        ("s.halved <<= s.summed", "s.halved <<= s.adding"),
    ),
    "2B for 2B + N": (
        rtl.mul.serial_processor,
        True,
        ("s.value @= s.both", "s.value @= s.double"),
    ),
    "A moved by two words": (
        rtl.mul.serial_processor,
        True,
        ("concat(s.word, s.held[bits:total])", "concat(s.word, s.held[0 : total - bits])"),
    ),
    "A turned the other way": (
        rtl.mul.serial_processor,
        True,
        ("s.held >> 1", "s.held << 1"),
    ),
    "quotient bit in the middle of a pass": (
        rtl.mul.serial_processor,
        True,
        ("if s.fetched.last:", "if s.summed.last:"),
    ),
    "quotient bit of the sum, not of its half": (
        rtl.mul.serial_processor,
        True,
        ("s.next_odd <<= s.sum[1]", "s.next_odd <<= s.sum[0]"),
    ),
    "quotient bit of the product before": (
        rtl.mul.serial_processor,
        True,
        ("s.odd & ~s.fetch.fresh", "s.odd"),
    ),
    "U of the product before": (
        rtl.mul.serial_processor,
        True,
        ("if s.fetch.fresh:", "if s.fetch.fresh & s.odd:"),
    ),
    "subtracted a 1 too much": (
        rtl.mul.serial_processor,
        True,
        ("s.adder.carry_in //= s.fetch.subtract", "s.adder.carry_in //= 0"),
    ),
    "added, not subtracted": (
        rtl.mul.serial_processor,
        True,
        ("s.adder.right @= ~s.right", "s.adder.right @= s.right"),
    ),
    "double without the bit from below": (
        rtl.mul.serial_processor,
        True,
        ("s.previous[top] & ~s.summed.first", "s.previous[top] & s.summed.first"),
    ),
    "double with a bit of the number before": (
        rtl.mul.serial_processor,
        True,
        ("s.previous[top] & ~s.summed.first", "s.previous[top]"),
    ),
    "sign of another word": (
        rtl.mul.serial_processor,
        True,
        ("s.summed.tells_sign & s.summed.last", "s.summed.tells_sign & s.summed.first"),
    ),
    "2B written a word on": (
        rtl.mul.serial_memory,
        True,
        ("s.ram_double.to //= s.summed.index", "s.ram_double.to //= s.fetched.index"),
    ),
    "N not kept": (
        rtl.mul.serial_memory,
        True,
        ("s.ram_n.write //= s.store_n", "s.ram_n.write //= s.summed.to_both"),
    ),
    "bus turned the other way": (
        rtl.mul.serial_memory,
        True,
        ("concat(s.word_in, s.held[bits:total])", "concat(s.held[0 : total - bits], s.word_in)"),
    ),
    "highest bit not seen": (
        rtl.exp.serial_order,
        True,
        ("s.exp_left[1:nbits] == 0", "s.exp_left == 0"),
    ),
    "exponent's bits never move on": (
        rtl.exp.serial_order,
        True,
        ("s.exp_left <<= s.exp_left >> 1", "s.exp_left <<= s.exp_left"),
    ),
    "P never becomes B": (
        rtl.exp.serial_order,
        True,
        ("s.z | (s.looping & s.highest)", "s.z"),
    ),
    "P of every bit becomes B": (
        rtl.exp.serial_order,
        False,
        ("s.z | (s.looping & s.highest)", "s.z | s.looping"),
    ),
    "the first P becomes B": (
        rtl.exp.serial_order,
        False,
        ("s.z | (s.looping & s.highest)", "s.z | s.highest"),
    ),
    "multiplies on every bit": (
        rtl.exp.serial_order,
        True,
        ("~s.looping | s.exp_left[0]", "1"),
    ),
    "multiplies on every bit, in turn": (
        rtl.exp.serial_order,
        False,
        ("s.turn_of_z <<= ~s.exp_left[1]", "s.turn_of_z <<= 0"),
    ),
    "first bit taken for 1": (
        rtl.exp.serial_order,
        False,
        ("s.turn_of_z <<= ~s.exp_left[0]", "s.turn_of_z <<= 0"),
    ),
    "last square made": (
        rtl.exp.serial_order,
        True,
        ("(s.looping & ~s.highest)", "s.looping"),
    ),
    "a step too few": (
        rtl.exp.serial_control,
        True,
        ("Count(steps - 1)", "Count(steps - 2)"),
    ),
    "a doubling too many": (
        rtl.exp.serial_control,
        True,
        ("Count(fewest - 1)", "Count(fewest)"),
    ),
    "full moduli taken for short": (
        rtl.exp.serial_control,
        True,
        ("(s.state == STORE) & s.full", "(s.state == STORE) & s.none_left"),
    ),
    "last doubling doubles": (
        rtl.exp.serial_control,
        True,
        ("((s.state == DOUBLE) & ~s.none_left)", "(s.state == DOUBLE)"),
    ),
    "always subtracts on the way to R^2": (
        rtl.exp.serial_control,
        True,
        ("(s.state == DOUBLE) & ~s.negative", "(s.state == DOUBLE)"),
    ),
    "sign not corrected": (
        rtl.exp.serial_control,
        True,
        ("s.fetch.with_n @= s.negative", "s.fetch.with_n @= 0"),
    ),
    "N never taken away at the end": (
        rtl.exp.serial_control,
        True,
        ("s.fetch.with_n @= ~s.negative", "s.fetch.with_n @= 0"),
    ),
    "sign of the request before": (
        rtl.exp.serial_control,
        True,
        (
            "(s.state == DOUBLE) | (s.state == SUBTRACT) | (s.state == RESULT)\n                )",
            "(s.state == DOUBLE) | (s.state == SUBTRACT)\n                )",
        ),
    ),
    "product kept when it should not": (
        rtl.exp.serial_control,
        True,
        ("s.stepping & s.product.p", "s.stepping"),
    ),
    "every step becomes B": (
        rtl.exp.serial_control,
        True,
        ("(s.stepping & s.none_left & s.product.becomes_b)", "(s.stepping & s.product.becomes_b)"),
    ),
    "answer not held": (
        rtl.exp.serial_control,
        True,
        ("elif s.send.val & s.send.rdy:", "elif s.send.val:"),
    ),
    "taken while busy": (
        rtl.exp.serial_control,
        True,
        ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
    ),
    "starts at another bit": (
        rtl.exp.serial_datapath,
        True,
        ("s.p.start[start_bit] @= 1", "s.p.start[0] @= 1"),
    ),
    "starts at two bits": (
        rtl.exp.serial_datapath,
        True,
        ("s.fetched.first & ~s.full", "s.fetched.first"),
    ),
    "A of P is what it was": (
        rtl.exp.serial_datapath,
        True,
        (
            "s.load | (s.fetch.loading & s.product.from_one & s.product.p)",
            "s.load",
        ),
    ),
    "base never read": (
        rtl.exp.serial_datapath,
        False,
        ("s.fetch.loading & s.product.from_base & s.product.z", "s.fetch.loading & s.load"),
    ),
    "base read for P": (
        rtl.exp.serial_datapath,
        False,
        ("& s.product.from_base & s.product.z", "& s.product.from_base"),
    ),
    "Z of P's register": (
        rtl.exp.serial_datapath,
        False,
        ("s.p.u @= s.u_z.out", "s.p.u @= s.u_p.out"),
    ),
    "B of the wrong processor": (
        rtl.exp.serial_datapath,
        True,
        ("s.memory.new_double @= s.z.sum", "s.memory.new_double @= s.p.sum"),
    ),
    "even modulus not told": (
        rtl.exp.digit_serial,
        True,
        ("s.status <<= BAD_MODULUS", "s.status <<= OK"),
    ),
    "1 mod 1 is 1": (
        rtl.exp.digit_serial,
        True,
        ("(s.control.skip & (s.recv.msg.mod == 1))", "(s.control.skip & s.bad)"),
    ),
    "exponent 0 not seen": (
        rtl.exp.digit_serial,
        True,
        ("s.bad | (s.recv.msg.exp == 0)", "s.bad"),
    ),
}
USERS = (
    rtl.exp.digit_serial,
    rtl.exp.serial_control,
    rtl.exp.serial_datapath,
    rtl.mul.serial_memory,
    rtl.mul.serial_processor,
)


def check_small(with_z):
    """A few requests at the edges to a late sink, which find most faults, then all of them."""
    check_design(NBITS, WORD_BITS, with_z, CASES[1::8], LATE_SINK)
    check_design(NBITS, WORD_BITS, with_z, CASES)


@pytest.mark.parametrize("with_z", [False, True])
def test_the_sound_designs_pass(with_z):
    check_small(with_z)


@pytest.mark.parametrize(("module", "with_z", "lines"), FAULTS.values(), ids=FAULTS)
def test_fault(tmp_path, monkeypatch, module, with_z, lines):
    broken = plant(tmp_path, module, *lines)
    for user in USERS:
        for name, kind in vars(broken).items():
            if getattr(kind, "__module__", None) == broken.__name__ and hasattr(user, name):
                monkeypatch.setattr(user, name, kind)
    if module is rtl.exp.digit_serial:
        monkeypatch.setattr(SerialExponentiator, "rtl", broken.SerialExponentiator.rtl)
    with pytest.raises(CAUGHT):
        check_small(with_z)
