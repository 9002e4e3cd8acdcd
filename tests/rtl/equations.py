"""What the leaves compute, as Verilog expressions over their ports: one table.

A row's claim is made of a component's class and a width, so that a faulty class can be claimed the
same of. `EQUATIONS` has a row or more for each leaf; `ABSTRACT` says why the others have none.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pymtl3 import Component

from fl.modular_sum import ModularSum
from fl.modulus import Modulus
from fl.near_power import k_bits
from fl.prefix import NETWORKS, Level
from fl.tree_mul import Tree
from rtl.exp.enter import EnterPorts, NoOne, TakeAtOnce
from rtl.exp.exponent_bits import AnyBit
from rtl.exp.given import GivenConstant, GivenOne, GivenRSquared
from rtl.exp.holding import CorePorts
from rtl.exp.judge import AnyModulus, OddModulus, OnlyModulus, ShortOddModulus
from rtl.exp.leave import Keep, LeavePorts, Reduce, SubtractOnce
from rtl.exp.loop import LoopPorts
from rtl.exp.r_squared import NoRSquared, RSquaredOne, RSquaredPorts
from rtl.exp.ssmm_ends import EarlyEnds
from rtl.exp.tiny import LowWord
from rtl.foreign.taken import Taken, TakenModulus
from rtl.foreign.text import VerilogText
from rtl.foreign.unit import BareRTL, ForeignExponentiatorRTL, ForeignMultiplierRTL
from rtl.leaf.add_red import AddRedChain, AddThenReduce, KocAddRed
from rtl.leaf.add_rows import OUTPUTS, AddRows, row
from rtl.leaf.compression import CompressColumn, FiveThree, FullAdders, HalfAdders, Inverted
from rtl.leaf.digit_loop import DigitLoop
from rtl.leaf.flattened import Flattened
from rtl.leaf.interleaved import BitAt, BitsAt, InterleavedSteps
from rtl.leaf.modular_sum import (
    KINDS,
    AddConstant,
    BackAdder,
    ConstantRow,
    LeastNonNegative,
    SumWithBack,
)
from rtl.leaf.prefix import Carries, PrefixAdder, PrefixLevel
from rtl.leaf.ram import Ram
from rtl.leaf.relay import Relay
from rtl.leaf.serial_adder import SerialAdder, WordAdder
from rtl.leaf.shift_remainder import ReduceOut, ShiftRemainder
from rtl.leaf.shift_sub import ModAddIf, ModAddIfs, ModDouble, ModDoubles
from rtl.leaf.significant_bits import SignificantBits, UpperHalf
from rtl.leaf.subtract_if_fits import SubtractIfFits
from rtl.leaf.turning_words import TurningWords
from rtl.mul.array_element import Chosen
from rtl.mul.array_two_stages import CHOICES, Selected
from rtl.mul.array_word import RowWord
from rtl.mul.div_rem import DivRemStep
from rtl.mul.fixed_mul import SquareOf
from rtl.mul.fixed_reduce import ReduceConstant, SubtractMultiple
from rtl.mul.fold_mul import NearPower
from rtl.mul.modulus_constant import NoConstant
from rtl.mul.product_remainder import DirectMul, DirectProduct, DirectReduce, DirectRemainder
from rtl.mul.serial_processor import StepOperand
from rtl.mul.systolic_elements import MultiplyAdd, QuotientDigit
from rtl.mul.systolic_twin_elements import TwoProducts
from rtl.mul.tree_mul import AndRow, Products, TreeDatapath, TreeMul, TreeSquare
from rtl.mul.tree_reduce import TreeReduce
from rtl.port.operand_banks import FixedBytes, FixedValue, WordPorts
from rtl.port.operand_words import IsWord, PassedWords
from rtl.port.output_word import OutputWord
from rtl.port.result_words import ResultPorts
from tests.cases.moduli import one_of_each
from tests.prove import Claim, equation, from_reset, holds, in_time

ANY = "1"  # nothing is assumed
WIDE = "24'd0"  # added to what would overflow its bits


@dataclass(frozen=True)
class Row:
    """A leaf, the widths at which its claim is proven, and the claim."""

    unit: type[Component]
    widths: tuple[int, ...]
    claim: Callable[[type[Component], int], Claim]


def every(count: int, claim: str) -> str:
    """The claim of each position i."""
    return " && ".join(f"({claim.replace('[i]', f'[{i}]')})" for i in range(count))


def bits(name: str, count: int) -> str:
    """How many of the bits are 1."""
    return " + ".join(f"{name}[{i}]" for i in range(count))


def add_red(unit: type[Component], nbits: int, assumed: str) -> Claim:
    """next = (s + x*y + q*m) / 2, where q is 1 if s + x*y is odd; for every m."""
    total = f"({{4'd0, s}} + (x ? y : {nbits}'d0))"
    odd = "(s[0] ^ (x & y[0]))"
    return equation(unit(nbits), assumed, {"next": f"({total} + ({odd} ? m : {nbits}'d0)) >> 1"})


def add_red_chain(order: str) -> Callable[[type[Component], int], Claim]:
    """next = (s + x*y + q*m) / 4 for a q from 0 to 3; odd moduli have one such q."""

    def claim(unit: type[Component], nbits: int) -> Claim:
        added = f"(({WIDE} + next << 2) - s - x * y)"
        assumed = "m[0] && y_plus_m == y + m"
        return holds(unit(nbits, 2, order), assumed, f"{added} % m == 0 && {added} / m < 4")

    return claim


def compress_column(unit: type[Component], height: int) -> Claim:
    """sum(dots) = sum(stay) + 2*sum(carry) + 4*sum(carry_2)."""
    fives, fulls, halves = {2: (0, 0, 1), 3: (0, 1, 0), 5: (1, 0, 0), 9: (1, 1, 0)}.get(
        height, (1, 1, 1)
    )
    sums = fives + fulls + halves
    stay = height - 4 * fives - 2 * fulls - halves
    kept = f"{bits('stay', stay)} + 2 * ({bits('carry', max(sums, 1))})"
    claim = f"{bits('dots', height)} == {kept} + 4 * ({bits('carry_2', max(fives, 1))})"
    return holds(unit(height, fives, fulls, halves), ANY, claim)


def digit_loop(unit: type[Component], cycles: int) -> Claim:
    """Requests one after the other; `age` cycles ago the last one was taken."""
    body = f"""
    reg busy = 0; reg [7:0] age = 0;
    wire ends = send__val & send__rdy;
    always @(posedge clk) if (t != 0) begin
        busy <= load | (busy & ~ends);
        age <= load ? 1 : age + 1;
    end
    always @* if (t != 0) begin
        assert (recv__rdy == (!busy || ends));
        assert (load == (recv__val & recv__rdy));
        assert (step == (busy && age <= {cycles}));
        assert (send__val == (busy && age > {cycles}));
        assert (!step || cycles_left == {cycles} + 1 - age);
    end"""
    return from_reset(unit(cycles), body, 2 * cycles + 8)


def modular_plans(n: int) -> list[ModularSum]:
    """Every kind of modular adder; the general one with rows longer than n, too."""
    most, m = 2 * (1 << n) - 2, (1 << n) - 3
    return [
        ModularSum(Modulus(n), n, most),
        ModularSum(Modulus(n, -1), n, most, all_ones_excluded=True),
        ModularSum(Modulus(n, 1), n, most, constant=5),
        ModularSum(Modulus(n, 1), n, most, constant=1),
        ModularSum(Modulus(n, -3), n, most, constant=m - 1, adder="kogge-stone"),
        ModularSum(Modulus(n, 11), n, most, constant=20, adder="ripple"),
        ModularSum(Modulus(n, -3), n + 1, 3 << n, constant=7),
    ]


def modular_sum(which: int, assumed: str | None = None) -> Callable[[type[Component], int], Claim]:
    """r = (a + b + constant) mod m, of what a plan asks of a and b, or of what is assumed."""

    def claim(unit: type[Component], n: int) -> Claim:
        plan = modular_plans(n)[which]
        total = f"({WIDE} + a + b + {plan.constant})"
        asked = f"({WIDE} + a + b) <= {plan.limit}"
        if plan.all_ones_excluded:
            asked += " && !(&a && &b)"
        return equation(unit(plan), assumed or asked, {"r": f"{total} % {plan.modulus.value}"})

    return claim


def constant_row(unit: type[Component], nbits: int) -> Claim:
    """2*carry + sum = a + b + row at each position, for a row with 0s and 1s."""
    row = 0b0110_1101 % (1 << nbits)
    claims = (
        f"2 * carry[{i}] + sum[{i}] == a[{i}] + b[{i}] + {row >> i & 1}" for i in range(nbits)
    )
    return holds(unit(nbits, row), ANY, " && ".join(claims))


def back_adder(unit: type[Component], nbits: int) -> Claim:
    """As of an adder of x + y + back, by the groups of bits 0 to i: half is x ^ y."""
    into = f"(group_g | (group_p & {{{nbits}{{back}}}}))"
    return equation(unit(nbits), ANY, {"r": f"half ^ ({into} << 1) ^ back"})


def prefix_level(unit: type[Component], nbits: int) -> Claim:
    """(g, p) takes in the group two below, at every other position from 3 on."""
    level = Level(2, sum(1 << i for i in range(3, nbits, 2)))
    claims = []
    for i in range(nbits):
        merged, low = level.mask >> i & 1, i - level.distance
        g, p = f"g[{i}]", f"p[{i}]"
        claims.append(f"group_g[{i}] == ({f'{g} | {p} & g[{low}]' if merged else g})")
        claims.append(f"group_p[{i}] == ({f'{p} & p[{low}]' if merged else p})")
    return holds(unit(nbits, level.distance, level.mask), ANY, " && ".join(claims))


def carries(network: str) -> Callable[[type[Component], int], Claim]:
    """The carries of x + y for g = x & y, p = x ^ y; and whether all positions propagate."""

    def claim(unit: type[Component], nbits: int) -> Claim:
        claims = [
            f"group_g[{i}] == (({WIDE} + (g[{i}:0] | p[{i}:0]) + g[{i}:0]) >> {i + 1}) && "
            f"group_p[{i}] == &p[{i}:0]"
            for i in range(nbits)
        ]
        component = unit(nbits, NETWORKS[network](nbits))
        return holds(component, "(g & p) == 0", " && ".join(claims))

    return claim


def prefix_adder(network: str) -> Callable[[type[Component], int], Claim]:
    """sum = a + b."""
    return lambda unit, n: equation(unit(n, NETWORKS[network](n)), ANY, {"sum": "a + b"})


def add_constant(unit: type[Component], addend: int) -> Claim:
    """sum = a + b + addend, of 6 bits."""
    component = unit(6, addend, NETWORKS["brent-kung"](6))
    return equation(component, ANY, {"sum": f"a + b + 6'd{addend}"})


def ram(unit: type[Component], words: int) -> Claim:
    """At any one place stands what was written there last."""
    body = f"""
    reg [2:0] kept; reg [7:0] place; reg written = 0;
    always @(posedge clk) begin
        place <= place;
        if (write && to == place) begin kept <= data; written <= 1; end
    end
    always @* begin
        assume (at < {words} && to < {words});
        assert (!written || at != place || out == kept);
    end"""
    return from_reset(unit(words, 3), body, 6)


def serial_adder(unit: type[Component], nbits: int) -> Claim:
    """The sum of three words, each two cycles after its own."""
    left, right = (f"{{{name}_2, {name}_1, {name}_0}}" for name in ("left", "right"))
    claim = f"{{sum_4, sum_3, sum_2}} == {left} + {right} + carry_in_0"
    return in_time(unit(nbits), "first == (t == 0)", claim, 5)


def turning_words(unit: type[Component], count: int) -> Claim:
    """Words move down by one at a turn, and stay otherwise."""
    moved = "high_0" if count == 1 else f"{{high_0, value_0[{2 * count - 1}:2]}}"
    return in_time(unit(2 * count, 2), ANY, f"value_1 == (turn_0 ? {moved} : value_0)", 2)


def shift_remainder(any_size: bool) -> Callable[[type[Component], int], Claim]:
    """value mod mod after so many steps and one, and not before; as mod stays."""

    def claim(unit: type[Component], steps: int) -> Claim:
        nbits = 3
        value_bits = steps + nbits - any_size
        most = value_bits if any_size else steps
        stays = " && ".join(f"mod_{i} == mod_0" for i in range(1, most + 2))

        def after(cycles: int) -> str:
            waits = " && ".join(f"!done_{i}" for i in range(1, cycles + 1))
            stands = f"done_{cycles + 1} && remainder_{cycles + 1} == value_0 % mod_0"
            return f"({waits} && {stands})"

        right = f"mod_0[{nbits - 1}] ? {after(steps)} : {after(most)}" if any_size else after(steps)
        taken = "mod_0 != 0" if any_size else f"value_0 < ({WIDE} + mod_0 << {steps})"
        component = unit(nbits, value_bits, steps, any_size)
        claimed = f"!({taken} && {stays}) || ({right})"
        return in_time(component, "start == (t == 0)", claimed, most + 2)

    return claim


def reduce_out(unit: type[Component], steps: int) -> Claim:
    """done after a cycle, the steps and one, until taken; as everything stands meanwhile."""
    nbits, value_bits = 3, steps + 3
    body = f"""
    reg worked = 0; reg [2:0] m; reg [{value_bits - 1}:0] value_in; reg [7:0] age = 0;
    always @(posedge clk) begin
        worked <= t != 0 && active && !taken;
        m <= mod;
        value_in <= operand;
        age <= t != 0 && active && !taken ? age + 1 : 0;
    end
    always @* if (t != 0) begin
        assume (!worked || (active && mod == m && operand == value_in));
        assume (operand < ({WIDE} + mod << {steps}));
        assume (!taken || done);
        assert (!active || done == (age >= {steps + 1}));
        assert (!active || !done || value == operand % mod);
    end"""
    return from_reset(unit(nbits, value_bits, steps, False), body, 2 * steps + 8)


def mod_double(assumed: str) -> Callable[[type[Component], int], Claim]:
    """next = 2*value mod modulus, or modulus itself if that is value."""
    double = "value == modulus ? modulus : ({1'b0, value} << 1) % modulus"
    return lambda unit, nbits: equation(unit(nbits), assumed, {"next": double})


def mod_add_if(assumed: str) -> Callable[[type[Component], int], Claim]:
    """next = product + enable*addend mod modulus."""
    total = "({1'b0, product} + (enable ? addend : 0)) % modulus"
    return lambda unit, nbits: equation(unit(nbits), assumed, {"next": total})


def mod_doubles(unit: type[Component], steps: int) -> Claim:
    """multiples = value * 2^i mod modulus, next = value * 2^steps mod modulus."""
    n = 5
    found = [f"multiples[{n * i + n - 1}:{n * i}]" for i in range(steps)] + ["next"]
    claims = (f"{one} == ({WIDE} + value << {i}) % modulus" for i, one in enumerate(found))
    return holds(unit(n, steps), "value < modulus", " && ".join(claims))


def mod_add_ifs(unit: type[Component], steps: int) -> Claim:
    """next = product + the multiples whose bits are 1, mod modulus."""
    n = 4
    multiples = [f"multiples[{n * i + n - 1}:{n * i}]" for i in range(steps)]
    assumed = " && ".join(["product < modulus", *(f"{one} <= modulus" for one in multiples)])
    total = " + ".join(f"bits[{i}] * {one}" for i, one in enumerate(multiples))
    return equation(unit(n, steps), assumed, {"next": f"({WIDE} + product + {total}) % modulus"})


def interleaved_steps(unit: type[Component], steps: int) -> Claim:
    """next = 2^steps * product + bits * multiplicand, mod modulus."""
    total = f"({WIDE} + (product << {steps}) + bits * multiplicand) % modulus"
    assumed = "product < modulus && multiplicand <= modulus"
    return equation(unit(4, steps), assumed, {"next": total})


def bits_at(unit: type[Component], steps: int) -> Claim:
    """bits = so many from steps * place on; of 7 bits, so that the highest place is not whole."""
    whole = f"place < {-(-7 // steps)}"
    return equation(
        unit(7, steps),
        whole,
        {"bits": f"(({WIDE} + value) >> {steps} * place) & {(1 << steps) - 1}"},
    )


def low_word(unit: type[Component], word_bits: int) -> Claim:
    """word = that at index, of 8 bits; all of them are one word."""
    found = "turned" if word_bits == 8 else f"({WIDE} + turned) >> {word_bits} * index"
    return equation(unit(8, word_bits), ANY, {"word": f"({found}) & {(1 << word_bits) - 1}"})


def significant_bits(unit: type[Component], nbits: int) -> Claim:
    """count = the place above the highest 1."""
    size = "0"
    for i in range(nbits):
        size = f"(word[{i}] ? {i + 1} : {size})"
    return equation(unit(nbits), ANY, {"count": size})


def add_rows(unit: type[Component], rows: int) -> Claim:
    """sum + carry = row_0 + row_1 + ..., modulo 2^3, whenever and wherever their bits come."""
    total = " + ".join(f"row_{i}" for i in range(rows))
    placed = tuple(row(3, i % 3, 3 - i % 3 - i % 2, i % 4) for i in range(rows))
    return equation(unit(3, placed), ANY, {"sum": f"{total} - carry", "carry": f"{total} - sum"})


def add_rows_until_four(unit: type[Component], rows: int) -> Claim:
    """The same of four rows that are left."""
    total = " + ".join(f"row_{i}" for i in range(rows))
    placed = tuple(row(3, i % 3, 3 - i % 3 - i % 2, i % 4) for i in range(rows))
    left = {
        name: " - ".join([f"({total})", *(other for other in OUTPUTS if other != name)])
        for name in OUTPUTS
    }
    return equation(unit(3, placed, 4), ANY, left)


def near_power(unit: type[Component], nbits: int) -> Claim:
    """takes = (mod = 2^nbits - k for a k from 1 to 2^k_bits), and which."""
    top, wide = 1 << nbits, nbits + 1
    taken = f"{{1'b0, mod}} >= {wide}'d{top - (1 << k_bits(nbits))}"
    return holds(unit(nbits), ANY, f"takes == ({taken}) && (!takes || k == {wide}'d{top} - mod)")


def two_products(unit: type[Component], digit_bits: int) -> Claim:
    """sum = a + carry + x*y + u*m, a being 0 for the first word."""
    assumed = f"carry <= {2 * ((1 << digit_bits) - 1)}"
    total = f"{WIDE} + (first ? 0 : a) + carry + x * y + u * m"
    return equation(unit(digit_bits), assumed, {"sum": total})


def multiply_add(unit: type[Component], digit_bits: int) -> Claim:
    """acc is a product, and a carry comes from an element: both less than their bits can hold."""
    top = (1 << digit_bits) - 1
    assumed = f"carry <= 2 * {top} && acc <= {top} * {top}"
    step = f"adds ? {WIDE} + acc + a + carry + u * m : x * y"
    return equation(unit(digit_bits), assumed, {"sum": step})


def and_row(unit: type[Component], merged: int) -> Claim:
    """dots = a & b; dot 0 also where a pair c & d is."""
    also = " | ((c & d) != 0)" if merged else ""
    return equation(unit(4, merged), ANY, {"dots": f"(a & b){also}"})


def residues(modulus: Modulus, *names: str) -> str:
    """Operands are below the modulus."""
    return " && ".join(f"{name} < {modulus.value}" for name in names)


def products(which: int) -> Callable[[type[Component], int], Claim]:
    """The sum of all dots' weights is a * b modulo the modulus."""

    def claim(unit: type[Component], n: int) -> Claim:
        modulus = one_of_each(n)[which]
        tree = Tree(modulus)
        dots = " + ".join(
            f"({WIDE} + {bits(f'dots_{number}', one.dots)} << {one.weight})"
            for number, one in enumerate(tree.diagonals)
        )
        m = modulus.value
        right = f"({dots}) % {m} == ({WIDE} + a * b) % {m}"
        return holds(unit(tree), residues(modulus, "a", "b"), right)

    return claim


def tree_datapath(which: int) -> Callable[[type[Component], int], Claim]:
    """r = a * b mod modulus, for the tree's residues."""

    def claim(unit: type[Component], n: int) -> Claim:
        modulus = one_of_each(n)[which]
        right = {"r": f"({WIDE} + a * b) % {modulus.value}"}
        return equation(unit(Tree(modulus)), residues(modulus, "a", "b"), right)

    return claim


def tree_mul(which: int) -> Callable[[type[Component], int], Claim]:
    """r = a * b mod modulus, for residues."""

    def claim(unit: type[Component], n: int) -> Claim:
        modulus = one_of_each(n)[which]
        right = {"r": f"({WIDE} + a * b) % {modulus.value}"}
        return equation(unit(modulus), residues(modulus, "a", "b"), right)

    return claim


def square(which: int) -> Callable[[type[Component], int], Claim]:
    """r = a * a mod modulus, for a residue."""

    def claim(unit: type[Component], n: int) -> Claim:
        modulus = one_of_each(n)[which]
        right = {"r": f"({WIDE} + a * a) % {modulus.value}"}
        return equation(unit(modulus), residues(modulus, "a"), right)

    return claim


def tree_reduce(which: int) -> Callable[[type[Component], int], Claim]:
    """r = value mod modulus, for values of twice as many bits."""

    def claim(unit: type[Component], n: int) -> Claim:
        modulus = one_of_each(n)[which]
        return equation(unit(modulus, 2 * n + 2), ANY, {"r": f"value % {modulus.value}"})

    return claim


def output_word(unit: type[Component], nbits: int) -> Claim:
    """The bytes of the word at a place; 0 from `length` on."""
    shown = [
        f"(4 * at + {i} < length ? (value >> (32 * at + {8 * i})) & 255 : 0) << {8 * i}"
        for i in range(4)
    ]
    words = -(-nbits // 32)
    return equation(unit(nbits), f"at < {words}", {"word": " | ".join(f"({s})" for s in shown)})


FORMS = ("2^n", "2^n-1", "2^n+1", "2^n-k", "2^n+k")  # of one_of_each
CONSTANT = 0b1011
HALF, FULL = "2 * carry[i] + sum[i] == x[i] + y[i]", "2 * carry[i] + sum[i] == x[i] + y[i] + z[i]"
FIVE = "4 * carry_2[i] + 2 * carry[i] + sum[i] == v[i] + w[i] + x[i] + y[i] + z[i]"


EQUATIONS: dict[str, Row] = {
    # Montgomery's steps
    "AddThenReduce": Row(AddThenReduce, (8, 16, 32), lambda unit, n: add_red(unit, n, ANY)),
    "KocAddRed": Row(
        KocAddRed,
        (8, 16, 32),
        lambda unit, n: add_red(unit, n, "y_plus_m == {1'b0, y} + {1'b0, m}"),
    ),
    "AddRedChain, add then reduce": Row(AddRedChain, (3, 4), add_red_chain("add_then_reduce")),
    "AddRedChain, koc": Row(AddRedChain, (3, 4), add_red_chain("koc")),
    # steps by subtraction
    "SubtractIfFits": Row(
        SubtractIfFits,
        (1, 8, 16, 32),
        lambda unit, n: equation(
            unit(n),
            "m != 0 && value <= {m, 1'b0}",
            {"result": "value >= m ? value - m : value", "fits": "value >= m"},
        ),
    ),
    "ModDouble": Row(ModDouble, (8, 16, 32), mod_double("modulus != 0 && value <= modulus")),
    "ModAddIf": Row(ModAddIf, (8, 16, 32), mod_add_if("product < modulus && addend <= modulus")),
    "ModDoubles, by steps": Row(ModDoubles, (1, 3), mod_doubles),
    "ModAddIfs, by steps": Row(ModAddIfs, (1, 2), mod_add_ifs),
    "InterleavedSteps, by steps": Row(InterleavedSteps, (1, 2, 3), interleaved_steps),
    "BitAt": Row(
        BitAt,
        (3, 8),
        lambda unit, n: equation(unit(n), f"place < {n}", {"chosen": "(value >> place) & 1"}),
    ),
    "BitsAt, by steps": Row(BitsAt, (1, 2, 3), bits_at),
    "LowWord, by its bits": Row(LowWord, (1, 2, 4, 8), low_word),
    "DivRemStep": Row(
        DivRemStep,
        (1, 5, 8),
        lambda unit, n: holds(
            unit(n),
            "remainder < divisor",
            "2 * remainder + bit_in == bit_out * divisor + next && next < divisor",
        ),
    ),
    "ShiftRemainder, by steps": Row(ShiftRemainder, (2, 4), shift_remainder(any_size=False)),
    "ShiftRemainder of any size": Row(ShiftRemainder, (2, 4), shift_remainder(any_size=True)),
    "ReduceOut, by steps": Row(ReduceOut, (1, 3), reduce_out),
    "SubtractMultiple": Row(
        SubtractMultiple,
        (6, 8),
        lambda unit, n: equation(unit(n, 21), ANY, {"r": "value >= 21 ? value - 21 : other"}),
    ),
    "ReduceConstant": Row(
        ReduceConstant,
        (7, 9),
        lambda unit, n: equation(unit(n, 21, 3), "value < 4 * 21", {"r": "value % 21"}),
    ),
    # compressors and adders
    "HalfAdders": Row(HalfAdders, (1, 3), lambda unit, n: holds(unit(n), ANY, every(n, HALF))),
    "FullAdders": Row(FullAdders, (1, 3), lambda unit, n: holds(unit(n), ANY, every(n, FULL))),
    "FiveThree": Row(FiveThree, (1, 3), lambda unit, n: holds(unit(n), ANY, every(n, FIVE))),
    "CompressColumn, by height": Row(CompressColumn, (13, 10, 9, 5, 3, 2), compress_column),
    "Inverted": Row(Inverted, (1, 4), lambda unit, n: equation(unit(n), ANY, {"out": "~in_"})),
    "PrefixLevel": Row(PrefixLevel, (4, 9), prefix_level),
    **{f"Carries, {name}": Row(Carries, (4, 9), carries(name)) for name in NETWORKS},
    **{
        f"PrefixAdder, {name}": Row(PrefixAdder, (8, 16, 33), prefix_adder(name))
        for name in NETWORKS
    },
    "ConstantRow": Row(ConstantRow, (3, 8), constant_row),
    "BackAdder": Row(BackAdder, (2, 8), back_adder),
    "AddConstant, by addend": Row(AddConstant, (0, 1, 45, 63), add_constant),
    "LeastNonNegative": Row(
        LeastNonNegative,
        (1, 6),
        lambda unit, n: equation(unit(n), ANY, {"out": "$signed(lower) < 0 ? upper : lower"}),
    ),
    **{
        f"{KINDS[plan.kind].__name__}, plan {which}": Row(
            KINDS[plan.kind], (8, 16), modular_sum(which)
        )
        for which, plan in enumerate(modular_plans(8))
    },
    "WordAdder": Row(
        WordAdder,
        (3, 8, 32),
        lambda unit, n: equation(
            unit(n),
            ANY,
            {
                "sum": "left + right + carry_in",
                "carry_out": f"({{1'b0, left}} + right + carry_in) >> {n}",
            },
        ),
    ),
    "SerialAdder": Row(SerialAdder, (2, 4), serial_adder),
    "TurningWords, by words": Row(TurningWords, (1, 3), turning_words),
    # compression trees
    "AndRow, by merged pairs": Row(AndRow, (0, 3), and_row),
    **{f"Products, {form}": Row(Products, (4,), products(i)) for i, form in enumerate(FORMS)},
    **{
        f"TreeDatapath, {form}": Row(TreeDatapath, (3,), tree_datapath(i))
        for i, form in enumerate(FORMS)
    },
    **{f"TreeMul, {form}": Row(TreeMul, (4,), tree_mul(i)) for i, form in enumerate(FORMS)},
    **{f"TreeSquare, {form}": Row(TreeSquare, (5,), square(i)) for i, form in enumerate(FORMS)},
    **{f"SquareOf, {form}": Row(SquareOf, (4,), square(i)) for i, form in enumerate(FORMS)},
    **{
        f"TreeReduce, {form}": Row(TreeReduce, (4,), tree_reduce(i)) for i, form in enumerate(FORMS)
    },
    # products by the language's own operators
    "DirectProduct": Row(
        DirectProduct,
        (1, 5),
        lambda unit, n: equation(unit(n), ANY, {"product": f"{WIDE} + a * b"}),
    ),
    "DirectReduce, by modulus": Row(
        DirectReduce, (3, 21), lambda unit, m: equation(unit(m), ANY, {"r": f"product % {m}"})
    ),
    "DirectRemainder, by modulus": Row(
        DirectRemainder, (3, 21), lambda unit, m: equation(unit(m, 8), ANY, {"r": f"value % {m}"})
    ),
    "DirectMul, by modulus": Row(
        DirectMul,
        (3, 13),
        lambda unit, m: equation(unit(m), f"a < {m} && b < {m}", {"r": f"({WIDE} + a * b) % {m}"}),
    ),
    # elements of arrays and serial processors
    "Chosen": Row(
        Chosen, (1, 4), lambda unit, n: equation(unit(n), "both == x + m", {"out": "a * x + q * m"})
    ),
    "Selected": Row(
        Selected,
        (1, 4),
        lambda unit, n: equation(
            unit(n),
            f"both == x + m && {' + '.join(CHOICES)} <= 2'd1",
            {"out": "(only_x | takes_both) * x + (only_m | takes_both) * m"},
        ),
    ),
    "AddRows, by rows": Row(AddRows, (2, 3, 5, 7), add_rows),
    "AddRows, until four are left": Row(AddRows, (4, 5, 7), add_rows_until_four),
    "MultiplyAdd": Row(MultiplyAdd, (4, 6), multiply_add),
    "TwoProducts": Row(TwoProducts, (3, 4), two_products),
    "QuotientDigit": Row(
        QuotientDigit,
        (4, 6),
        lambda unit, n: equation(unit(n), ANY, {"u": "(a + product) * minus_inverse"}),
    ),
    "StepOperand": Row(
        StepOperand,
        (3, 8, 32),
        lambda unit, n: equation(unit(n), "both == double + n", {"value": "a * double + odd * n"}),
    ),
    # order, memory, and what tells of words
    "DigitLoop, by cycles": Row(DigitLoop, (1, 3), digit_loop),
    "Ram, by words": Row(Ram, (2, 3, 4), ram),
    "Relay": Row(Relay, (1,), lambda unit, _: in_time(unit(), ANY, "out_1 == in__0", 2)),
    "UpperHalf": Row(
        UpperHalf,
        (2, 8),
        lambda unit, n: equation(
            unit(n),
            ANY,
            {
                "upper_used": f"word >= {1 << n // 2}",
                "half": f"word >= {1 << n // 2} ? word >> {n // 2} : word",
            },
        ),
    ),
    "SignificantBits": Row(SignificantBits, (2, 3, 7, 8, 9, 64, 100), significant_bits),
    "AnyBit": Row(AnyBit, (1, 5), lambda unit, n: equation(unit(n), ANY, {"yes": "word > 0"})),
    "IsWord": Row(
        IsWord,
        (4, 9),
        lambda unit, n: equation(unit(n, CONSTANT), ANY, {"yes": f"word == {CONSTANT}"}),
    ),
    "PassedWords": Row(
        PassedWords,
        (8, 40),
        lambda unit, n: equation(unit(n), ANY, {"passes": "push", "passed": "word", "value": "0"}),
    ),
    "OutputWord": Row(OutputWord, (8, 40, 64), output_word),
    "FixedValue": Row(
        FixedValue,
        (4, 9),
        lambda unit, n: equation(unit(n, CONSTANT), ANY, {"value": f"{CONSTANT}"}),
    ),
    "FixedBytes": Row(
        FixedBytes,
        (40,),
        lambda unit, n: equation(
            unit(n, 0x12_3456_789A),
            ANY,
            {"value": "40'h123456789a", "high": "(40'h123456789a >> 8 * place) & 255"},
        ),
    ),
    "NearPower": Row(NearPower, (5, 8, 16, 64), near_power),
    # which moduli are taken
    "AnyModulus": Row(
        AnyModulus, (3,), lambda unit, n: equation(unit(n), ANY, {"takes": "mod >= 1"})
    ),
    "OddModulus": Row(
        OddModulus, (3,), lambda unit, n: equation(unit(n), ANY, {"takes": "mod % 2 == 1"})
    ),
    "ShortOddModulus": Row(
        ShortOddModulus,
        (5,),
        lambda unit, n: equation(unit(n, 3), ANY, {"takes": "mod % 2 == 1 && mod < 8"}),
    ),
    "TakenModulus": Row(  # odd, with the highest of the bits that are not spare
        TakenModulus,
        (6,),
        lambda unit, n: equation(
            unit(n, Taken(odd=True, full=True, spare=2)),
            ANY,
            {"takes": "mod % 2 == 1 && mod >= 8 && mod < 16"},
        ),
    ),
    "TakenModulus, from a least one": Row(
        TakenModulus,
        (5,),
        lambda unit, n: equation(unit(n, Taken(least=3)), ANY, {"takes": "mod >= 3"}),
    ),
    "OnlyModulus": Row(
        OnlyModulus,
        (4, 9),
        lambda unit, n: equation(unit(n, CONSTANT), ANY, {"takes": f"mod == {CONSTANT}"}),
    ),
    # ways in and out without a product
    "TakeAtOnce": Row(
        TakeAtOnce,
        (3,),
        lambda unit, n: equation(unit(n, 1), ANY, {"done": "start", "value": "operand"}),
    ),
    "NoOne": Row(
        NoOne, (3,), lambda unit, n: equation(unit(n, 1), ANY, {"done": "1", "value": "0"})
    ),
    "NoConstant": Row(NoConstant, (3,), lambda unit, n: equation(unit(n), ANY, {"done": "1"})),
    "NoRSquared": Row(
        NoRSquared, (3,), lambda unit, n: equation(unit(n, 1), ANY, {"done": "1", "value": "0"})
    ),
    "RSquaredOne": Row(
        RSquaredOne, (3,), lambda unit, n: equation(unit(n, 1), ANY, {"done": "1", "value": "1"})
    ),
    **{
        unit.__name__: Row(
            unit,
            (4,),
            lambda unit, n: equation(
                unit(n, 1, CONSTANT), ANY, {"done": "1", "value": f"{CONSTANT}"}
            ),
        )
        for unit in (GivenRSquared, GivenOne)
    },
    "GivenConstant": Row(
        GivenConstant,
        (4,),
        lambda unit, n: equation(
            unit(n, 5, CONSTANT), ANY, {"done": "1", "constant": f"{CONSTANT}"}
        ),
    ),
    "Keep": Row(
        Keep, (3,), lambda unit, n: equation(unit(n), ANY, {"done": "0", "value": "operand"})
    ),
    "SubtractOnce": Row(
        SubtractOnce,
        (3, 8),
        lambda unit, n: equation(
            unit(n), "operand < {mod, 1'b0}", {"done": "0", "value": "operand % mod"}
        ),
    ),
    "EarlyEnds": Row(
        EarlyEnds,
        (5,),
        lambda unit, n: equation(
            unit(n, 2),
            ANY,
            {
                "last_step": "reducing ? power < 4 : "
                "(last_bit || power < 4) && (!multiplies || result < 4)"
            },
        ),
    ),
}

_PORTS = "has the ports of others, and no hardware of its own"
ABSTRACT: dict[type[Component], str] = {
    Flattened: "says how synthesis maps others",
    SumWithBack: "who inherits drives its carry",
    RowWord: "who inherits drives its word",
    Reduce: "passes on to the unit's own reduction",
    **dict.fromkeys(
        (BareRTL, ForeignExponentiatorRTL, ForeignMultiplierRTL, VerilogText),
        "somebody's core, which is text",
    ),
    **dict.fromkeys(
        (CorePorts, EnterPorts, LeavePorts, LoopPorts, ResultPorts, RSquaredPorts, WordPorts),
        _PORTS,
    ),
}
