"""Document 001's algorithms, figures and tables."""

from eval.printed.items.item import BETTERED, BUILT, OTHERWISE, REFUTED, REPRODUCED, Item

BENCHMARK = "run proc/app/benchmark.c --define XCEL --xcel {} --nbits 32"
NAIVE = BENCHMARK.format("mul-rem-001")
MONTGOMERY = BENCHMARK.format("mont-001")

ITEMS = (
    Item(
        "algorithm 1",
        "exponentiation from the right, two products a bit",
        BUILT,
        "mul-rem's loop; two units make both products at once",
        "simulate mul-rem --nbits 32 --workload e",
    ),
    Item(
        "algorithm 2",
        "REDC, Montgomery's reduction",
        BUILT,
        "the reduction behind mmred-004's multipliers, a step per cycle",
        "simulate mmred-004 --nbits 32 --workload e",
    ),
    Item(
        "algorithm 3",
        "exponentiation by Montgomery's products, both operands converted in and one out",
        BUILT,
        "mont-001 in hardware, and the benchmark's program; with a result that is plain from the "
        "start only the base need be converted, as in mont-best",
        "run proc/app/benchmark.c --define MONT_PRINTED",
    ),
    Item(
        "algorithm 4",
        "a Montgomery product by steps, N subtracted at the end where S > N",
        REFUTED,
        "must be S >= N: else a sum that is N stays; the tests plant the printed comparison",
        "simulate mont-001 --nbits 32 --workload e",
    ),
    Item(
        "figure 1",
        "a message of 5745 under the key of n = 2603398711 becomes 1460365373",
        REPRODUCED,
        "the same ciphertext, by every design for any key",
        "simulate mul-rem --nbits 32 --base 5745 --exp 65537 --mod 2603398711",
    ),
    Item(
        "figure 2",
        "a divider of 2k + 1 cycles",
        BUILT,
        "mul-rem-001's; mul-rem's shifts by all leading zeros at once, k + 3 cycles a product",
        "flow mul-rem-001 --nbits 32 --unit multiplier",
    ),
    Item(
        "figure 3",
        "the five stages of the processor",
        BUILT,
        "RV32IM in five stages, in lock step with an interpreter of another project",
        "run proc/app/hello.c",
    ),
    Item(
        "figure 4",
        "the processor with divu, remu, mulhu and lbu",
        BUILT,
        "all of RV32IM, with either of two dividers",
        "run proc/app/hello.c --divider fast",
    ),
    Item(
        "figure 5",
        "MulRem: a product, then its remainder",
        BUILT,
        "the unit of mul-rem-001, 7794 um2 where 7776 are printed; that of mul-rem has another "
        "divider",
        "flow mul-rem-001 --nbits 32 --unit multiplier",
    ),
    Item(
        "figure 6",
        "ModExp: two MulRem units side by side",
        BUILT,
        "mul-rem-001's exponentiator; the square of the last bit's power is made and waited for",
        "simulate mul-rem-001 --nbits 32 --workload d",
    ),
    Item(
        "figure 7",
        "RSAXcel: the naive accelerator behind the port, 1062 and 1840 cycles",
        REPRODUCED,
        "mul-rem-001 takes exactly these, T = 6 + sum(5 + max(2k + 1)); mul-rem 549 and 952 with a "
        "divider that skips zeros and a control that does not wait",
        NAIVE,
    ),
    Item(
        "figure 8",
        "AddRed in two orders; that of 8b is faster",
        REPRODUCED,
        "both are proved equal to the equation; a unit of 8 steps per cycle reaches 2.10 ns in "
        "the order of 8b, 3.05 ns in that of 8a",
        "report document-001",
    ),
    Item(
        "figure 9",
        "MontMulRem: 32 steps in four stages of eight",
        BUILT,
        "mont-001's unit, also in 1, 2 and 8 stages",
        "report mont-split",
    ),
    Item(
        "figure 10",
        "MontModExpMul: two multipliers that make square and product",
        BUILT,
        "two of mont-001's five units",
        "simulate mont-001 --nbits 32 --workload d",
    ),
    Item(
        "figure 11",
        "MontConvertIn: both operands converted side by side",
        BUILT,
        "two more of mont-001's units, with R^2 by the remainder unit",
        "simulate mont-001 --nbits 32 --workload d",
    ),
    Item(
        "figure 12",
        "MontConvertOut: the result converted back",
        BUILT,
        "the last of mont-001's units",
        "simulate mont-001 --nbits 32 --workload d",
    ),
    Item(
        "figure 13",
        "MontModExp: figures 10 to 12 together",
        BUILT,
        "mont-001's exponentiator",
        "flow mont-001 --nbits 32 --unit exponentiator",
    ),
    Item(
        "figure 14",
        "RSAMontXcel: 169 and 234 cycles",
        BETTERED,
        "165 and 230 cycles beside the processor",
        MONTGOMERY,
    ),
    Item(
        "figure 15",
        "layouts of both accelerators",
        REPRODUCED,
        "both placed and routed without an open, a short or a violation",
        "report layout",
    ),
    Item(
        "figure 16",
        "layouts of the processor's systems, the critical path in yellow",
        REPRODUCED,
        "null, mul-rem and mont-001 placed and routed without an open, a short or a violation, the "
        "path in yellow; that with mont-001 misses 3 ns by 0.83 after layout",
        "report layout-systems",
    ),
    Item(
        "figure 17",
        "area against performance of the systems; area grows with N",
        REFUTED,
        "the chart of our systems has the same order; but the naive accelerator, said to grow with "
        "N, has an array multiplier: n^1.63 from 32 to 64 bits (docs/growth.md)",
        "report document-001",
    ),
    Item(
        "figure 18",
        "energy against performance of the systems",
        REPRODUCED,
        "the chart of the same systems, with and without gated clocks",
        "report energy",
    ),
    Item(
        "table 1",
        "cycles of four systems: naive and Montgomery, in C and in hardware",
        BETTERED,
        "with the printed divider the naive accelerator takes the printed 1062 / 1840, the other "
        "one 165 / 230 for 169 / 234; naive C is a tenth slower. The document's Montgomery C takes "
        "2067 / 2545 for 3581 / 5135, with -O1 2920 / 4175; our own program 384 / 642. The claim "
        "that naive C encrypts as fast as Montgomery C depends on that",
        "report document-001",
    ),
    Item(
        "table 2",
        "areas of accelerators and of the processor with them",
        REPRODUCED,
        "systems within 6 %; accelerators by themselves are 11 to 17 % less, which the report "
        "explains",
        "report document-001",
    ),
    Item(
        "table 3",
        "power and energy of the four systems",
        OTHERWISE,
        "more than printed with every register clocked, near it with gated clocks; the document "
        "says neither that it gates them nor whether its toggles have glitches; its rows that are "
        "not normalised stand beside ours, too",
        "report energy",
    ),
)
