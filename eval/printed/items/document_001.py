"""Document 001's algorithms, figures and tables."""

from eval.printed.items.item import BETTERED, BUILT, OPEN, OTHERWISE, REFUTED, REPRODUCED, Item

BENCHMARK = "run proc/app/benchmark.c --define XCEL --xcel {} --nbits 32"
NAIVE = BENCHMARK.format("mul-rem")
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
        OTHERWISE,
        "only the base is converted: the result is plain from the start, and nothing is converted "
        "out",
        "simulate mont-best --nbits 32 --workload e",
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
        BETTERED,
        "ours shifts by all leading zeros at once: k + 3 cycles",
        "simulate mul-rem --nbits 32 --workload d",
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
        "mul-rem's unit",
        "flow mul-rem --nbits 32 --unit multiplier",
    ),
    Item(
        "figure 6",
        "ModExp: two MulRem units side by side",
        BUILT,
        "mul-rem's exponentiator",
        "simulate mul-rem --nbits 32 --workload d",
    ),
    Item(
        "figure 7",
        "RSAXcel: the naive accelerator behind the port, 1062 and 1840 cycles",
        BETTERED,
        "549 and 952 cycles beside the processor, by the divider; with the printed one it is not "
        "built, and T = 6 + sum(5 + max(2k + 1)) gives the printed cycles exactly",
        NAIVE,
    ),
    Item(
        "figure 8",
        "AddRed in two orders; that of 8b is faster",
        OPEN,
        "both are proved equal to the equation; nobody maps one multiplier in both",
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
        OPEN,
        "the flow takes a system that far; no study does, and no picture has the path",
        "flow processor+mul-rem --nbits 32 --to layout",
    ),
    Item(
        "figure 17",
        "area against performance of the systems; area grows with N",
        REFUTED,
        "the naive accelerator has an array multiplier: n^1.63 from 32 to 64 bits. The systems' "
        "areas and cycles are in tables, not yet in a chart",
        "report systems",
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
        "accelerators take 549 / 952 and 165 / 230 cycles where 1062 / 1840 and 169 / 234 are "
        "printed; naive C is a tenth slower with the same divider; Montgomery C is another "
        "program, 384 / 642 for 3581 / 5135, so that its speed-up says nothing of the printed one",
        "report systems",
    ),
    Item(
        "table 2",
        "areas of accelerators and of the processor with them",
        REPRODUCED,
        "systems within 6 %; accelerators by themselves are 11 to 17 % less, which the report "
        "explains",
        "report systems",
    ),
    Item(
        "table 3",
        "power and energy of the four systems",
        OTHERWISE,
        "more than printed with every register clocked, near it with gated clocks; the document "
        "says neither that it gates them nor whether its toggles have glitches",
        "report energy",
    ),
)
