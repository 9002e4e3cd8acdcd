"""Document 001's algorithms, figures, tables, listings, and what its sections claim."""

from eval.printed.document_001 import (
    ACCELERATORS_UM2,
    LEAST_OVERFLOW,
    SAID_DIFFERENCE_UM2,
    SAID_PRODUCTS,
    SYSTEMS,
    SYSTEMS_UM2,
    UNITS_UM2,
)
from eval.printed.items.item import (
    ARITHMETIC,
    BETTERED,
    BUILT,
    NONE,
    OTHERWISE,
    OUR_DESIGN,
    REFUTED,
    REPRODUCED,
    SAME,
    THEIR_DESIGN,
    Basis,
    Item,
)
from eval.printed.items.quoted import Ours, printed

PROGRAM = "run proc/app/benchmark.c --define {}"
NAIVE_C, MONT_PRINTED, MONT = (PROGRAM.format(name) for name in ("NAIVE", "MONT_PRINTED", "MONT"))
XCEL = PROGRAM.format("XCEL") + " --xcel {} --nbits 32"
NAIVE, OUR_NAIVE, MONTGOMERY = (XCEL.format(d) for d in ("mul-rem-001", "mul-rem", "mont-001"))
SPREAD = "spread mul-rem-001 --nbits 32 --messages 20000"
ALONE = "simulate {} --nbits {} --workload d --level cl"
FLOW = "flow {} --nbits 32"
MUL_REM, MONT_MUL_REM = (f"{FLOW.format(d)} --unit multiplier" for d in ("mul-rem-001", "mont-001"))
FIGURE_1 = "simulate mul-rem --nbits 32 --base 5745 --exp 65537 --mod 2603398711"
MODULUS_1 = "simulate mul-rem --nbits 8 --base 5 --exp 0 --mod 1"
ORDER_8A = "flow mont(unit=add-then-reduce) --nbits 32 --clock 1 --unit multiplier"
ORDER_8B = "flow mont-best --nbits 32 --clock 1 --unit multiplier"
SYSTEM_LAYOUT = "flow processor+mont-001 --nbits 32 --to layout --fill 25"

CYCLES = Basis(THEIR_DESIGN, SAME, NONE)
CELLS = Basis(THEIR_DESIGN, SAME, SAME)  # NanGate's 45 nm, by another tool's synthesis


def calls(command: str) -> str:
    """Quote the cycles of both calls, normalised."""
    return " / ".join(Ours(command, f"figures.{name}")() for name in ("encryption", "decryption"))


def of_table_1(number: int) -> str:
    """Quote the printed cycles of a system."""
    both = SYSTEMS[number].calls
    return f"{printed(both['e'].cycles)} / {printed(both['d'].cycles)}"


def area(command: str, how: str = "metrics") -> Ours:
    """Quote an area; how is "hierarchical" for modules that are kept apart."""
    return Ours(command, f"{how}.area_um2")


def beside(command: str, um2: float, how: str = "metrics") -> str:
    """Quote an area beside the printed one."""
    return f"{area(command, how)('.0f')} um2 for {printed(um2)}"


def path_end(command: str) -> str:
    """Quote the register in which the slowest path ends."""
    return Ours(command, "critical_path.end")("s")


def spread(workload: str, what: str, form: str) -> str:
    """Quote what is found of random messages' cycles."""
    return Ours(SPREAD, f"workloads.{workload}.{what}")(form)


def naive_over_montgomery(nbits: int) -> str:
    """Quote how many times the cycles of the Montgomery accelerator the naive one takes."""
    naive, mont = (Ours(ALONE.format(d, nbits), "cycles") for d in ("mul-rem-001", "mont-001"))
    return naive.over(mont, ".1f")


def doubled(design: str) -> str:
    """Quote how many times the cycles at 64 bits a decryption takes at 128."""
    wide, narrow = (Ours(ALONE.format(design, nbits), "cycles") for nbits in (128, 64))
    return wide.over(narrow)


def twice_as_wide(design: str) -> str:
    """Quote how many times the area a unit has at twice the bits."""
    wide, narrow = (
        area(f"flow {design} --nbits {nbits} --unit multiplier", "hierarchical")
        for nbits in (64, 32)
    )
    return wide.over(narrow)


ALGORITHMS = (
    Item(
        "algorithm 1",
        f"exponentiation from the right, two products a bit; e = 65537 takes {SAID_PRODUCTS}",
        BUILT,
        "mul-rem's loop; two units make both products at once. As it is written, e = 65537 takes "
        f"{(65537).bit_length()} squares and {(65537).bit_count()} products, not "
        f"{printed(SAID_PRODUCTS)} in all; the last square is of no use",
        "simulate mul-rem --nbits 32 --workload e",
        CYCLES,
    ),
    Item(
        "algorithm 2",
        "REDC, Montgomery's reduction by two products",
        BUILT,
        "run step by step; the program of listing 4 and, a bit per step, mmred-004's hardware are "
        "made of it",
        "redc 1000 --mod 97 --nbits 8",
        CYCLES,
    ),
    Item(
        "algorithm 3",
        "exponentiation by Montgomery's products, both operands converted in and one out",
        BUILT,
        "mont-001 in hardware, and the program of listing 4; with a result that is plain from the "
        "start only the base need be converted, as in mont-best",
        MONT_PRINTED,
        CYCLES,
    ),
    Item(
        "algorithm 4",
        "a Montgomery product by steps, N subtracted at the end where S > N",
        REFUTED,
        "must be S >= N: else a product that is a multiple of N gives N, not 0. Between factors "
        "below N, neither of them 0, an N of two different primes meets this in no step of an "
        "exponentiation, so the document's tests could not; the tests here plant it",
        "simulate mont-001 --nbits 8 --base 3 --exp 2 --mod 9",
        Basis(ARITHMETIC, SAME),
    ),
)

FIGURES = (
    Item(
        "figure 1",
        "a message of 5745 under the key of n = 2603398711 becomes 1460365373",
        REPRODUCED,
        f"{Ours(FIGURE_1, 'result')()} by every design for any key",
        FIGURE_1,
        Basis(ARITHMETIC, SAME),
    ),
    Item(
        "figure 2",
        "a divider that moves the divisor and a bit of the quotient, and subtracts; its cycles are "
        "not printed",
        BUILT,
        "mul-rem-001's: k places up and down again in 2k + 1 cycles, our reading, which figure 7 "
        "bears out. mul-rem has another, which skips leading zeros: k + 3 cycles a product",
        "check mul-rem-001 --nbits 8 --part multiplier --level rtl",
        CYCLES,
    ),
    Item(
        "figure 3",
        "the five stages of the processor",
        BUILT,
        "RV32IM in five stages, in lock step with an interpreter of another project",
        "run proc/app/hello.c",
        Basis(THEIR_DESIGN, SAME),
    ),
    Item(
        "figure 4",
        "the processor with divu, remu, mulhu and lbu, the last for aligned bytes only",
        BUILT,
        "all of RV32IM, every byte, with either of two dividers",
        "run proc/app/hello.c --divider fast",
        Basis(THEIR_DESIGN, SAME),
    ),
    Item(
        "figure 5",
        "MulRem: a product, then its remainder",
        BUILT,
        f"the unit of mul-rem-001: {beside(MUL_REM, UNITS_UM2[0][0], 'hierarchical')} with its "
        f"modules kept apart, {area(MUL_REM)('.0f')} dissolved. The unit of mul-rem has another "
        "divider",
        MUL_REM,
        CELLS,
    ),
    Item(
        "figure 6",
        "ModExp: two MulRem units side by side",
        BUILT,
        "mul-rem-001's exponentiator; the square of the last bit's power is made and waited for",
        "simulate mul-rem-001 --nbits 32 --workload d",
        CYCLES,
    ),
    Item(
        "figure 7",
        f"RSAXcel: the naive accelerator behind the port, {SYSTEMS[2].calls['e'].cycles} and "
        f"{SYSTEMS[2].calls['d'].cycles} cycles",
        REPRODUCED,
        f"consistent with mul-rem-001, which takes {calls(NAIVE)}: T = 6 + sum(5 + max(2k + 1)). "
        "The four control states per bit are inferred. Of the key e and d are printed; with primes "
        "of the 17 and 15 bits that the package rsa makes, 2148676643 alone fits them. The message "
        "is not printed, and ours is chosen to fit: of "
        f"{Ours(SPREAD, 'messages')()} random ones {Ours(SPREAD, 'same')()} take both figures. "
        f"Without the call's 4 cycles our message takes {spread('e', 'workload', 'd')} and "
        f"{spread('d', 'workload', 'd')}, a random one {spread('e', 'mean', '.0f')} +- "
        f"{spread('e', 'deviation', '.0f')} and {spread('d', 'mean', '.0f')} +- "
        f"{spread('d', 'deviation', '.0f')}: the printed figures lie within a deviation of the "
        f"mean. mul-rem, with another divider and control, takes {calls(OUR_NAIVE)}",
        NAIVE,
        CYCLES,
    ),
    Item(
        "figure 8",
        "AddRed in two orders; that of 8b is faster",
        REPRODUCED,
        "both are proved equal to the equation; a unit of 8 steps per cycle reaches "
        f"{Ours(ORDER_8B, 'metrics.period_reached_ns')('.2f')} ns in the order of 8b, "
        f"{Ours(ORDER_8A, 'metrics.period_reached_ns')('.2f')} ns in that of 8a. The document "
        "prints no figure",
        "report document-001",
        CELLS,
    ),
    Item(
        "figure 9",
        "MontMulRem: 32 steps in four stages of eight",
        BUILT,
        f"mont-001's unit: {beside(MONT_MUL_REM, UNITS_UM2[1][0])}; also in 1, 2 and 8 stages",
        "report mont-split",
        CELLS,
    ),
    Item(
        "figure 10",
        "MontModExpMul: two multipliers that make square and product",
        BUILT,
        "two of mont-001's five units",
        "simulate mont-001 --nbits 32 --workload d",
        CYCLES,
    ),
    Item(
        "figure 11",
        "MontConvertIn: R^2 by a remainder, then both operands converted side by side",
        BUILT,
        "two more of mont-001's units, with R^2 by the remainder unit, which has 65 bits: 2^64 "
        "does not fit the 64 of the drawn one",
        "simulate mont-001 --nbits 32 --workload d",
        CYCLES,
    ),
    Item(
        "figure 12",
        "MontConvertOut: the result converted back",
        BUILT,
        "the last of mont-001's units",
        "simulate mont-001 --nbits 32 --workload d",
        CYCLES,
    ),
    Item(
        "figure 13",
        "MontModExp: figures 10 to 12 together",
        BUILT,
        "mont-001's exponentiator",
        "simulate mont-001 --nbits 32 --workload d",
        CYCLES,
    ),
    Item(
        "figure 14",
        f"RSAMontXcel: {SYSTEMS[3].calls['e'].cycles} and {SYSTEMS[3].calls['d'].cycles} cycles",
        BETTERED,
        f"{calls(MONTGOMERY)} cycles beside the processor for {of_table_1(3)}; as many per bit of "
        "the exponent, fewer around them",
        MONTGOMERY,
        CYCLES,
    ),
    Item(
        "figure 15",
        "layouts of both accelerators",
        REPRODUCED,
        "mul-rem, another divider in the same place, and mont-001 placed and routed without an "
        "open, a short or a violation",
        "report layout",
        CELLS,
    ),
    Item(
        "figure 16",
        "layouts of the processor's systems, the critical path in yellow",
        REPRODUCED,
        "null, mul-rem and mont-001 placed and routed without an open, a short or a violation, the "
        "path in yellow. That with mont-001 has "
        f"{Ours(SYSTEM_LAYOUT, 'metrics.layout_setup_slack_ns')('.2f')} ns of slack at 3 ns. Where "
        "the paths lead is section 5.3's",
        "report layout-systems",
        CELLS,
    ),
    Item(
        "figure 17",
        "area against performance of the systems: faster ones are larger, none is better in both",
        REPRODUCED,
        "the chart of our systems has the printed order of areas and, of hardware, of cycles: "
        f"{beside('flow processor+null', SYSTEMS_UM2[0])}, "
        f"{beside(FLOW.format('processor+mul-rem-001'), SYSTEMS_UM2[1])} and "
        f"{beside(FLOW.format('processor+mont-001'), SYSTEMS_UM2[2])}. What it says of wider "
        "numbers is section 5.2's",
        "report document-001",
        CELLS,
    ),
    Item(
        "figure 18",
        "energy against performance of the systems",
        REPRODUCED,
        "the chart of the same systems, with and without gated clocks; the amounts are table 3's",
        "report energy",
        CELLS,
    ),
)

TABLES = (
    Item(
        "table 1",
        "cycles of four systems: naive and Montgomery, in C and in hardware",
        OTHERWISE,
        f"part by part: the naive accelerator {calls(NAIVE)} for {of_table_1(2)} (consistent, see "
        f"figure 7); the Montgomery one {calls(MONTGOMERY)} for {of_table_1(3)} (better); naive C "
        f"{calls(NAIVE_C)} for {of_table_1(0)} (slower); Montgomery C by algorithm 3 "
        f"{calls(MONT_PRINTED)} for {of_table_1(1)} (other: what the document does for N' and R^2 "
        f"is not printed), and our own program {calls(MONT)}. That naive C encrypts as fast as "
        "Montgomery C is so in the document's figures and not in ours",
        "report document-001",
        CYCLES,
    ),
    Item(
        "table 2",
        "areas of accelerators and of the processor with them",
        REPRODUCED,
        "accelerators with their modules kept apart: "
        f"{beside(FLOW.format('mul-rem-001'), ACCELERATORS_UM2[0], 'hierarchical')} and "
        f"{beside(FLOW.format('mont-001'), ACCELERATORS_UM2[1], 'hierarchical')}; dissolved they "
        f"take {area(FLOW.format('mul-rem-001'))('.0f')} and "
        f"{area(FLOW.format('mont-001'))('.0f')}. Systems: see figure 17. The printed areas are of "
        "layouts by another tool, ours of mapped cells; all printed ones of wholes are multiples "
        "of the least cell of NanGate's library, which the document does not name",
        "report document-001",
        CELLS,
    ),
    Item(
        "table 3",
        "power and energy of the four systems",
        OTHERWISE,
        "more than printed with every register clocked, near it with gated clocks; the document "
        "says neither that it gates them nor whether its toggles have glitches; its rows that are "
        "not normalised stand beside ours, too",
        "report energy",
        CELLS,
    ),
)

LISTINGS = (
    Item(
        "listing 1",
        "algorithm 1 in Python",
        BUILT,
        "the same loop runs as listing 3's program. For exponent 0 and modulus 1 it returns 1, "
        f"which is not below the modulus; mul-rem returns {Ours(MODULUS_1, 'result')()}",
        f"{NAIVE_C} --level fl",
        Basis(THEIR_DESIGN, SAME),
    ),
    Item(
        "listing 2",
        "algorithm 3 in Python; the class that converts and multiplies is not printed",
        BUILT,
        "the same loop runs as listing 4's program; such a class is among the tests' own models "
        "only",
        f"{MONT_PRINTED} --level fl",
        Basis(THEIR_DESIGN, SAME),
    ),
    Item(
        "listing 3",
        "algorithm 1 in C, by products and remainders of 64 bits",
        BUILT,
        f"the benchmark's naive program, {calls(NAIVE_C)} cycles, see table 1",
        NAIVE_C,
        CYCLES,
    ),
    Item(
        "listing 4",
        "algorithm 3 in C; the functions that it calls are not printed",
        BUILT,
        f"the benchmark's program for it, {calls(MONT_PRINTED)} cycles, see table 1; the functions "
        "are ours. The sum of algorithm 2 passes the 64 bits that the text gives it for moduli "
        f"from {LEAST_OVERFLOW} on; ours keeps the carry",
        MONT_PRINTED,
        CYCLES,
    ),
)

SECTIONS = (
    Item(
        "section 4",
        "tests from units to systems against the Python package rsa, with 1000 new keys",
        BUILT,
        "the tests here take as many new keys of the same package through every order of products, "
        "and every design with stalls, at every level and edge. AddRed, which the document does "
        "not test alone, is proved. The error of algorithm 4 shows what random RSA keys miss",
        "check mul-rem-001 --nbits 8 --level rtl",
        Basis(OUR_DESIGN),
    ),
    Item(
        "section 5.1",
        "with more bits the Montgomery accelerator gains on the naive one, and cycles grow as N^2",
        REPRODUCED,
        "decryptions by the naive one take "
        f"{naive_over_montgomery(32)}, {naive_over_montgomery(64)} and "
        f"{naive_over_montgomery(128)} times the cycles of the other at 32, 64 and 128 bits. From "
        f"64 to 128 bits they take {doubled('mul-rem-001')} and {doubled('mont-001')} times as "
        "many, with eight steps per stage as at 32",
        ALONE.format("mont-001", 128),
        CYCLES,
    ),
    Item(
        "section 5.2",
        "the naive accelerator's area grows with N, the Montgomery accelerator's with N^2",
        REFUTED,
        f"from 32 to 64 bits MulRem becomes {twice_as_wide('mul-rem-001')} times as large, where N "
        "says 2: its multiplier is an array of N by N. MontMulRem becomes "
        f"{twice_as_wide('mont-001')} times as large, where N^2 says 4. And the accelerators "
        f"differ by {ACCELERATORS_UM2[1] - ACCELERATORS_UM2[0]:.2f} um2 by table 2, not by "
        f"{printed(SAID_DIFFERENCE_UM2)}",
        "flow mul-rem-001 --nbits 64 --unit multiplier",
        CELLS,
    ),
    Item(
        "section 5.3",
        "critical paths: multiplier into divider in RSAXcel and, by a bypass, in all systems; a "
        "first stage of MontMulRem in RSAMontXcel",
        OTHERWISE,
        "the accelerators' as printed: mul-rem-001's goes through the product into "
        f"{path_end(FLOW.format('mul-rem-001'))}, mont-001's through a stage into "
        f"{path_end(FLOW.format('mont-001'))}. The systems' not: processor+null's ends in the "
        f"counter of instructions, {path_end('flow processor+null')}, and with accelerators it is "
        f"in them: {path_end(FLOW.format('processor+mul-rem-001'))} and "
        f"{path_end(FLOW.format('processor+mont-001'))}",
        FLOW.format("processor+mul-rem-001"),
        CELLS,
    ),
)

ITEMS = ALGORITHMS + FIGURES + TABLES + LISTINGS + SECTIONS
