"""Document 002's algorithms, figures and tables."""

from eval.printed.items.item import BUILT, OTHERWISE, REFUTED, REPRODUCED, Item

PRODUCT = "simulate systolic-16 --nbits 512 --workload e --level batch"
PROCESSING = "flow systolic-16 --nbits 64 --unit multiplier"

ITEMS = (
    Item(
        "algorithm 1",
        "a Montgomery product by words, with a subtraction at the end",
        BUILT,
        "mont-digit-16's product",
        "simulate mont-digit-16 --nbits 64 --workload e",
    ),
    Item(
        "algorithm 2",
        "the same without the subtraction, for 2m < R",
        REFUTED,
        "R > 4m is needed: words of 4 bits, s = 2 and m = 145 give 109 for 15 * 142 / 2^8, which "
        "is 125",
        "simulate systolic-16 --nbits 64 --workload e",
    ),
    Item(
        "algorithm 3",
        "the product for elements in a line",
        REFUTED,
        "as printed u_i multiplies all of m, c is never 0 and the last carry is lost; put right, "
        "it is systolic-16's product",
        PRODUCT,
    ),
    Item(
        "algorithm 4",
        "the multiplier's controller",
        REFUTED,
        "it compares after counting, and makes n - 1 steps of n; ours makes all",
        PRODUCT,
    ),
    Item(
        "algorithm 5",
        "square and multiply at every bit, from the left",
        BUILT,
        "systolic-16's loop, 2n + 2 products whatever the exponent",
        "simulate systolic-16 --nbits 32 --workload d",
    ),
    Item("figure 1", "elements in a line, behind a controller", BUILT, "the array", PROCESSING),
    Item("figure 2", "the first element", BUILT, "proved by its equation", PROCESSING),
    Item("figure 3", "the general element", BUILT, "proved by its equation", PROCESSING),
    Item("figure 4", "the last element", BUILT, "proved by its equation", PROCESSING),
    Item(
        "figure 5",
        "the quotient digit: two products in one cycle",
        BUILT,
        "it is the slowest path; systolic-late-16 forms the digit a cycle ahead, "
        "systolic-scaled-16 without a product",
        PROCESSING,
    ),
    Item(
        "figure 6",
        "the exponentiator: 397700 cycles at 1024 bits",
        REPRODUCED,
        "399369 with the printed words, of which 1669 find R and R^2; with the word that full "
        "moduli need 405545",
        "simulate systolic-printed --nbits 1024 --workload d --level batch",
    ),
    Item(
        "table 1",
        "the product of 512 bits on an Artix-7: 98 cycles, 3098 tables, 2670 registers, 34 DSP",
        REPRODUCED,
        "98 cycles as printed, 101 for every modulus; 3703 tables, 2706 registers, 33 DSP",
        "fpga systolic-16 --nbits 512 --device artix7 --unit multiplier",
    ),
    Item(
        "table 2",
        "of 1024 bits: 194 cycles, 6736 tables, 5337 registers, 66 DSP",
        REPRODUCED,
        "194 cycles as printed, 197 for every modulus",
        "fpga systolic-16 --nbits 1024 --device artix7 --unit multiplier",
    ),
    Item(
        "table 3",
        "of 2048 bits: 386 cycles, 12854 tables, 10648 registers, 130 DSP",
        REPRODUCED,
        "386 cycles as printed, 389 for every modulus; 14992 tables, 14739 registers, 129 DSP",
        "fpga systolic-16 --nbits 2048 --device artix7 --unit multiplier",
    ),
    Item(
        "table 4",
        "beside others at 1024 bits: it speeds the product up",
        REFUTED,
        "in cycles only: by the printed clocks it takes 1.94 us, where Wang, McIvor and Mrabet "
        "take 1.66, 1.91 and 1.02; Perin's alone are slower",
        "report document-002",
    ),
    Item(
        "table 5",
        "the exponentiator of 1024 bits on an Artix-7: 7587 tables, 9499 registers, 66 DSP",
        OTHERWISE,
        "ours finds R and R^2 itself, and holds its operands",
        "fpga systolic-16 --nbits 1024 --device artix7",
    ),
)
