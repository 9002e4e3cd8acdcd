"""Document 004's algorithms, figures, table and claims."""

from eval.printed.document_004 import (
    ALGO_0_M_PRIME,
    ALGO_0_T,
    ALGO_0_Z,
    BESIDE_NS,
    CLAIMED_SHARES,
    CLOCK_NS,
    FIGURE_2_NS,
    MOST_2048,
    shares_of_algo_6,
)
from eval.printed.items.item import (
    ARITHMETIC,
    BUILT,
    NONE,
    REFUTED,
    REPRODUCED,
    SAME,
    THEIR_DESIGN,
    THEIR_FIGURES,
    Basis,
    Item,
)
from eval.printed.items.quoted import Ours, printed
from fl.rsa_keys import EXAMPLES, KEY_004

MESSAGE, CIPHER = next((x.message, x.ciphertext) for x in EXAMPLES if x.key is KEY_004)
REDC = f"redc {ALGO_0_Z} --mod {KEY_004.n} --nbits 128"
TABLE = "explore table-004"
ROWS = {"mmred-004-printed": 0, "mmm-004-printed": 1, "ssmm-004": 2, "mmm-004": 3}
WIDTHS = (64, 128, 256, 512, 1024, 2048)
STEPS_ALONE = Basis(THEIR_DESIGN, SAME, NONE)
WITH_ELEMENTS = Basis(THEIR_DESIGN, SAME, SAME)


def example(design: str, workload: str, how: str = "--level batch") -> str:
    """Name the simulation of the document's example of 128 bits."""
    base, exp = {"e": (MESSAGE, KEY_004.e), "d": (CIPHER, KEY_004.d)}[workload]
    return f"simulate {design} --nbits 128 --base {base} --exp {exp} --mod {KEY_004.n} {how}"


def waves(design: str, workload: str, figure: int) -> str:
    """Name the simulation that writes the waves of a figure."""
    return example(design, workload, f"--vcd build/figure-{figure}.vcd")


def cycles(design: str, workload: str) -> Ours:
    """Quote the example's cycles, of translated Verilog."""
    return Ours(example(design, workload), "cycles")


def mean(design: str, nbits: int) -> Ours:
    """Quote our mean of table 1 at a width."""
    row = WIDTHS.index(nbits) * len(ROWS) + ROWS[design]
    return Ours(TABLE, f"table_004.{row}.mean")


def mapped(design: str, nbits: int, what: str = "alms") -> Ours:
    """Quote elements of a Cyclone V."""
    return Ours(f"fpga {design} --nbits {nbits} --device cyclonev", f"metrics.{what}")


def routed(design: str) -> Ours:
    """Quote a clock on an ECP5, placed and routed."""
    return Ours(f"fpga {design} --nbits 128 --device ecp5", "metrics.fmax_mhz")


def of_algorithm_4(nbits: int) -> str:
    """Quote which part of algorithm 4's cycles algorithm 6 takes."""
    return mean("ssmm-004", nbits).over(mean("mmm-004-printed", nbits), ".3f")


def beside(nbits: int) -> str:
    """Quote both algorithms' elements at a width, ours beside the document's."""
    four, six = {128: (1952, 1084), 1024: (16237, 8863)}[nbits]
    ours_4, ours_6 = mapped("mmm-004-printed", nbits), mapped("ssmm-004", nbits)
    return (
        f"In elements, too: algorithm 6 takes {ours_6()} ALMs here and algorithm 4 {ours_4()}, "
        f"{ours_6.over(ours_4)} of them, where {printed(six)} and {printed(four)} are printed. "
        "Both are for a Cyclone V, ours mapped by yosys, not by the vendor's tool"
    )


def between(shares: list[float]) -> str:
    """Write the least and the greatest share."""
    return f"{min(shares):.1f} % to {max(shares):.1f} %"


def figure_2() -> str:
    """Quote when our decryption would end on the time axis of figure 2."""
    both = " + ".join(cycles("mmred-004-printed", w).value for w in "ed")
    return f"{{{{ {CLOCK_NS} * ({both}) + {BESIDE_NS} }}}}"


def table_1() -> str:
    """Quote our table 1 beside the document's."""
    four, six = "mmm-004-printed", "ssmm-004"
    means = ", ".join(mean(four, n)(".1f") for n in WIDTHS[:5])
    elements = "; ".join(
        f"{mapped(design, 128)()} ALMs and {mapped(design, 128, 'ffs')()} registers for "
        f"{printed(alms)} and {printed(registers)}"
        for design, alms, registers in ((six, 1084, 1334), (four, 1952, 1646))
    )
    return (
        "mean cycles from 64 to 1024 bits, the last by formula, for keys of ours but at 128 bits: "
        f"of algorithm 4 {means}, within a cycle of the printed figures; those of algorithm 6 "
        f"depend on all of the key and the message, {mean(six, 64)('.1f')} for {printed(4076)} and "
        f"{mean(six, 1024)('.1f')} for {printed(1048412)}. The row of 2048 bits cannot be: "
        f"{printed(4206448)} is above 2048 * 2053 - 1 = {MOST_2048}, the most that algorithm 6 can "
        "take. Elements are of the same device, mapped by yosys: of algorithms 6 and 4 "
        f"{elements}. The clocks are a vendor's tool's; ours, of another device, are "
        f"{routed(four)('.0f')} and {routed(six)('.0f')} MHz on an ECP5 where {printed(81.31)} "
        f"and {printed(81.82)} are printed of algorithms 4 and 6"
    )


ITEMS = (
    Item(
        "algorithm 0",
        "Montgomery's reduction with m' known before: two products and a subtraction",
        BUILT,
        f"run step by step: the document's z and m give its t, {Ours(REDC, 'result')('d')}, and "
        f"m' = {Ours(REDC, 'm_prime')('d')}, which is the printed {printed(ALGO_0_M_PRIME)} modulo "
        f"2^128. The bits of algorithm 1 find the same t, printed {printed(ALGO_0_T)}",
        REDC,
        STEPS_ALONE,
    ),
    Item(
        "algorithm 1",
        "the same a bit per step, MMRed",
        BUILT,
        "the reduction behind the multipliers of mmred-004-printed and mmred-004, a step per cycle",
        "simulate mmred-004 --nbits 32 --workload e",
        STEPS_ALONE,
    ),
    Item(
        "algorithm 2",
        "exponentiation by a full product and MMRed, 4413 to 67334 cycles at 64 to 256 bits",
        REPRODUCED,
        f"at 128 bits, the one key that is printed, mmred-004-printed takes "
        f"{cycles('mmred-004-printed', 'e')()} and {cycles('mmred-004-printed', 'd')()} cycles, "
        f"whose mean is the printed {printed(17286)}. For keys of ours with exponents as long, its "
        f"formula gives {mean('mmred-004-printed', 64)('.0f')} at 64 bits, as printed, and "
        f"{mean('mmred-004-printed', 256)('.0f')} at 256, where {printed(67334)} is printed: a "
        "cycle depends on the modulus, which is not printed",
        example("mmred-004-printed", "e"),
        STEPS_ALONE,
    ),
    Item(
        "algorithm 3",
        "MMMul: Montgomery's product, a bit per step",
        BUILT,
        "the unit of mmm-004-printed and mmm-004",
        "flow mmm-004 --nbits 32 --unit multiplier",
        STEPS_ALONE,
    ),
    Item(
        "algorithm 4",
        "exponentiation by two MMMul: both operands converted, and the result",
        REPRODUCED,
        f"mmm-004-printed takes {cycles('mmm-004-printed', 'e')()} and "
        f"{cycles('mmm-004-printed', 'd')()} cycles with the printed key of 128 bits, whose mean "
        f"is the printed {printed(17286)}. mmm-004, another algorithm that converts the base only, "
        f"takes {cycles('mmm-004', 'e')()} and {cycles('mmm-004', 'd')()}",
        example("mmm-004-printed", "e"),
        STEPS_ALONE,
    ),
    Item(
        "algorithm 5",
        "SSMMul: double and subtract where p > m",
        REFUTED,
        "must be p >= m: else 3 * 3 mod 9 is 9, and not "
        f"{Ours('simulate ssmm-004 --nbits 8 --base 3 --exp 2 --mod 9', 'result')()}. The printed "
        "Verilog compares by the sign of p - m, which is right. An RSA key of two different primes "
        "and a message below its modulus never meet p = m at the end",
        "simulate ssmm-004 --nbits 8 --base 3 --exp 2 --mod 9",
        Basis(ARITHMETIC, SAME),
    ),
    Item(
        "algorithm 6",
        "exponentiation by two SSMMul, of which the mean cycles are printed: 16752 at 128 bits",
        REPRODUCED,
        f"ssmm-004 takes {cycles('ssmm-004', 'e')()} and {cycles('ssmm-004', 'd')()} cycles with "
        f"the printed key of 128 bits, sum(L_i) + 5k - 1. Their mean is the printed "
        f"{printed(16752)} and a half. The printed Verilog, run with its test bench in Icarus "
        "Verilog, takes the same two. What it gets wrong (a base above m, exponent 0, a start "
        "while busy) is right here",
        example("ssmm-004", "e"),
        STEPS_ALONE,
    ),
    Item(
        "figure 1",
        "waves of an encryption by MMRed, 128 bits",
        REPRODUCED,
        f"the same operation with the same key and result, {cycles('mmred-004-printed', 'e')()} "
        "cycles; the figure's own time cannot be read",
        waves("mmred-004-printed", "e", 1),
        STEPS_ALONE,
    ),
    Item(
        "figure 2",
        "waves of a decryption by MMRed, which ends between 69460 and 69540 ns",
        REPRODUCED,
        "the same operation with the same key and result. After an encryption of "
        f"{cycles('mmred-004-printed', 'e')()} cycles and this one of "
        f"{cycles('mmred-004-printed', 'd')()}, with the clock and the waits of the printed test "
        f"bench, it ends at {figure_2()} ns, between the printed {printed(FIGURE_2_NS[0])} and "
        f"{printed(FIGURE_2_NS[1])}",
        waves("mmred-004-printed", "d", 2),
        STEPS_ALONE,
    ),
    Item(
        "figure 3",
        "algorithms 4 and 6 side by side, with conversions and without",
        BUILT,
        "mmm-004-printed and ssmm-004",
        example("mmm-004-printed", "d"),
        STEPS_ALONE,
    ),
    Item(
        "figure 4",
        "waves of an encryption by SSMMul",
        REPRODUCED,
        f"the same operation with the same key and result, {cycles('ssmm-004', 'e')()} cycles",
        waves("ssmm-004", "e", 4),
        STEPS_ALONE,
    ),
    Item(
        "figure 5",
        "waves of a decryption by SSMMul",
        REPRODUCED,
        f"the same operation with the same key and result, {cycles('ssmm-004', 'd')()} cycles",
        waves("ssmm-004", "d", 5),
        STEPS_ALONE,
    ),
    Item(
        "figure 6",
        "cost and performance at 128 bits: algorithm 6 performs almost as algorithm 4, and is less "
        "hardware",
        REPRODUCED,
        f"with the printed key algorithm 6 takes {of_algorithm_4(128)} of algorithm 4's cycles, "
        f"where {printed(16752)} of {printed(17286)} are printed. {beside(128)}. This is so of "
        "algorithm 4 as printed: mmm-004, which converts the base only, takes "
        f"{mean('mmm-004', 128)('.1f')} cycles, fewer than algorithm 6's "
        f"{mean('ssmm-004', 128)('.1f')}",
        "report document-004",
        WITH_ELEMENTS,
    ),
    Item(
        "figure 7",
        "the same at 1024 bits",
        REPRODUCED,
        "by their formulas, for a key of ours with exponents as long, algorithm 6 takes "
        f"{of_algorithm_4(1024)} of algorithm 4's cycles, where {printed(1048412)} of "
        f"{printed(1053178)} are printed. {beside(1024)}",
        "report document-004",
        WITH_ELEMENTS,
    ),
    Item(
        "table 1",
        "cycles, elements, clock and time of algorithms 2, 4 and 6 at 64 to 2048 bits",
        REPRODUCED,
        table_1(),
        "report document-004",
        WITH_ELEMENTS,
    ),
    Item(
        "claim 1",
        "algorithm 6 takes 55 % to 59 % of the ALMs and 69 % to 85 % of the registers of "
        "algorithm 4",
        REFUTED,
        f"by table 1 it is {between(shares_of_algo_6('alms'))} of the ALMs and "
        f"{between(shares_of_algo_6('registers'))} of the registers: no width has "
        f"{CLAIMED_SHARES['registers'][0]} %. That it takes less is so at every width",
        "documents 004",
        Basis(THEIR_FIGURES),
    ),
)
