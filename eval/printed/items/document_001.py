"""Document 001's algorithms and figures, and all of its items."""

from eval.printed.document_001 import SAID_PRODUCTS, SYSTEMS, SYSTEMS_UM2, UNITS_UM2
from eval.printed.items.evaluation_001 import LISTINGS, SECTIONS, TABLES
from eval.printed.items.item import (
    ARITHMETIC,
    BETTERED,
    BUILT,
    REFUTED,
    REPRODUCED,
    SAME,
    THEIR_DESIGN,
    Basis,
    Item,
)
from eval.printed.items.quoted import Ours, printed
from eval.printed.items.quotes_001 import (
    CELLS,
    CYCLES,
    FIGURE_1,
    FLOW,
    MONT_MUL_REM,
    MONT_PRINTED,
    MONTGOMERY,
    MUL_REM,
    NAIVE,
    ORDER_8A,
    ORDER_8B,
    OUR_DIVIDER,
    OUR_NAIVE,
    SPREAD,
    SYSTEM_LAYOUT,
    area,
    beside,
    calls,
    of_table_1,
    spread,
)

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
        f"Without the call's own cycles our message takes {spread('e', 'workload', 'd')} and "
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
        f"mont-001's unit: {beside(MONT_MUL_REM, UNITS_UM2[1][0], 'hierarchical')} with its "
        f"modules kept apart, {area(MONT_MUL_REM)('.0f')} dissolved; also in 1, 2 and 8 stages",
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
        OUR_DIVIDER,
    ),
    Item(
        "figure 16",
        "layouts of the processor's systems, the critical path in yellow",
        REPRODUCED,
        "null, mul-rem and mont-001 placed and routed without an open, a short or a violation, the "
        "path in yellow. That with mont-001 has "
        f"{Ours(SYSTEM_LAYOUT, 'metrics.layout_setup_slack_ns')('.2f')} ns of slack. Where "
        "the paths lead is section 5.3's",
        "report layout-systems",
        OUR_DIVIDER,
    ),
    Item(
        "figure 17",
        "area against performance of the systems: faster ones are larger, none is better in both",
        REPRODUCED,
        "our systems stand in the printed order of areas, and but for encryption in C, see table "
        "1, of cycles: "
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
        OUR_DIVIDER,
    ),
)

ITEMS = ALGORITHMS + FIGURES + TABLES + LISTINGS + SECTIONS
