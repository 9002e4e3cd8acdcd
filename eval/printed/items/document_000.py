"""Document 000's algorithms, figures and tables."""

from eval.printed.items.item import (
    BUILT,
    OTHERWISE,
    REFUTED,
    REPRODUCED,
    SAYS_NOTHING,
    Item,
)

EXPONENTIATORS = "report pseudo-exponentiators"
WHOLE = "report document-000"
MULTIPLIERS = "report pseudo-tables"
PERIPHERAL = "simulate ssmm-best --nbits 32 --workload e --unit peripheral"
AS_PRINTED = "simulate mm-printed-2 --nbits 32 --workload d"
AS_PRINTED_PSEUDO = "simulate mm-printed-pseudo-2 --nbits 32 --workload d"

ITEMS = (
    Item(
        "algorithm 1",
        "Montgomery's product, with a subtraction where u >= n",
        REFUTED,
        "n is the modulus m; with it, it is the product of mont-small",
        "simulate mont-small --nbits 32 --workload e",
    ),
    Item(
        "algorithm 2",
        "the same without the subtraction, n + 2 steps",
        BUILT,
        "mm-000's unit; 1_i is q_i",
        "flow mm-000 --nbits 32 --unit multiplier",
    ),
    Item(
        "algorithm 3",
        "exponentiation by repeated products",
        BUILT,
        "in the integers only: it takes as many products as the exponent says",
        "simulate mm-000 --nbits 8 --base 3 --exp 23 --mod 29 --level fl",
    ),
    Item(
        "algorithm 4",
        "binary exponentiation from the left",
        REFUTED,
        "it scans the exponent from the wrong end: 3^4 mod 101 must be 81; 65537 reads the same "
        "both ways. Put right, it is mont-small's loop",
        "simulate mont-small --nbits 8 --base 3 --exp 4 --mod 101",
    ),
    Item(
        "algorithm 5",
        "binary exponentiation from the right",
        BUILT,
        "the loop of all designs with two units",
        "simulate mul-rem --nbits 32 --workload e",
    ),
    Item(
        "algorithm 6",
        "the same by Montgomery's products",
        BUILT,
        "mm-printed-2: 1 and the base go into the domain side by side, the result out of it; "
        "mm-000 converts the base only, a product less, and finds R^2 itself",
        AS_PRINTED,
    ),
    Item(
        "algorithm 7",
        "exponentiation by m-ary digits",
        REFUTED,
        "it scans the wrong way, as algorithm 4; put right, it is the loop of windows",
        "simulate array-4-window-4 --nbits 32 --workload d",
    ),
    Item(
        "algorithm 8",
        "exponentiation by sliding windows",
        REFUTED,
        "its test is inverted; put right in the integers. Hardware has windows of a fixed length, "
        "whose time tells nothing",
        "simulate array-4-window-4 --nbits 32 --workload d",
    ),
    Item(
        "figure 1",
        "a tree of compressors for n = 29, k = 3",
        BUILT,
        "the same form, drawn stage by stage",
        "dots 2^n+k --k 3 --nbits 29",
    ),
    Item("figure 2", "partial products modulo 2^n", REPRODUCED, "n = 5", "dots 2^n --nbits 5"),
    Item("figure 3", "modulo 2^n - 1", REPRODUCED, "n = 5", "dots 2^n-1 --nbits 5"),
    Item("figure 4", "modulo 2^n + 1", REPRODUCED, "n = 5", "dots 2^n+1 --nbits 5"),
    Item(
        "figure 5",
        "modulo 2^n +- k, k = 3 and 11",
        REPRODUCED,
        "n = 5, weights folded by the sparser signed form",
        "dots 2^n+k --k 11 --nbits 5",
    ),
    Item(
        "figure 6",
        "modular addition",
        REFUTED,
        "equation 6 does not tell A + B < m from m <= A + B < 2m; put right, it ends every tree",
        MULTIPLIERS,
    ),
    Item(
        "figure 7",
        "hardware of Montgomery's product without a last subtraction",
        BUILT,
        "mm-000's unit",
        "flow mm-000 --nbits 32 --unit multiplier",
    ),
    Item("figure 8", "flexibility against efficiency", SAYS_NOTHING, "a picture of an idea"),
    Item(
        "figure 9",
        "an accelerator coupled tightly",
        BUILT,
        "the processor's port",
        "run proc/app/benchmark.c --define XCEL --xcel ssmm-best --nbits 32",
    ),
    Item(
        "figure 10",
        "an accelerator coupled loosely",
        BUILT,
        "the peripheral on a bus",
        PERIPHERAL,
    ),
    Item("figure 11", "a logic block of an FPGA", SAYS_NOTHING, "background"),
    Item("figure 12", "the wires of an FPGA", SAYS_NOTHING, "background"),
    Item(
        "figure 13",
        "delay of multipliers by the form of the modulus, over n, 180 nm",
        REPRODUCED,
        "in 45 nm, at n = 4, 8, 12 and 16: 2^n - 1 is the fastest besides 2^n, and a tree is "
        "the slower the more ones k has; 2^n + 85 or 2^n - 85 is the slowest, though at n = 8 "
        "the weights of 2^n - 85 fold to one bit",
        WHOLE,
    ),
    Item(
        "figure 14",
        "area of multipliers by the form of the modulus, over n",
        REPRODUCED,
        "2^n + 1 is the smallest besides 2^n at n = 8, 12 and 16, 2^n + 85 the largest; the "
        "text says that, too, and that areas fall with the ones of k",
        WHOLE,
    ),
    Item(
        "figure 15",
        "a product modulo m2, and modulo m1 = 3 * m2 with a reduction after",
        REPRODUCED,
        "both mapped side by side",
        MULTIPLIERS,
    ),
    Item(
        "figure 16",
        "the exponentiator with two multipliers",
        BUILT,
        "cm-modulus-2; with a squaring tree in the place of the multiplier that squares, "
        "cm-square-2 takes 22 % less area than cm-pseudo-2 at 16 bits, 2 % less time",
        EXPONENTIATORS,
    ),
    Item(
        "figure 17",
        "the same modulo the pseudo-modulus, reduced once at the end",
        BUILT,
        "cm-pseudo-2",
        "simulate cm-pseudo-2 --nbits 32 --workload d",
    ),
    Item(
        "figure 18",
        "Montgomery's exponentiator from the right",
        BUILT,
        "mm-printed-2: r^2 is given, with the one modulus that it is of; an exponent of k "
        "bits takes k + 2 products of n + 2 steps, each after a cycle that takes its operands",
        AS_PRINTED,
    ),
    Item(
        "figure 19",
        "the same with the pseudo-modulus and a correction",
        BUILT,
        "mm-printed-pseudo-2; a cycle more corrects",
        AS_PRINTED_PSEUDO,
    ),
    Item(
        "figure 20",
        "the block of PKCS#1 v1.5",
        BUILT,
        "padded and unpadded by the peripheral, in a time that tells nothing of the block",
        PERIPHERAL,
    ),
    Item(
        "figure 21",
        "blocks of the accelerator: banks, padder, unpadder, control",
        BUILT,
        "the peripheral around any design",
        PERIPHERAL,
    ),
    Item(
        "figure 22", "bits of the status register", BUILT, "and bits for error and done", PERIPHERAL
    ),
    Item(
        "figure 23",
        "the order of an operation (with figure 22's caption)",
        BUILT,
        "what fl/peripheral_driver.py does",
        PERIPHERAL,
    ),
    Item(
        "figure 24",
        "delay of reducing a number of 32 bits, over n",
        REPRODUCED,
        "a tree is faster than a remainder at every n, up to ten times; both, and of a "
        "remainder as in the print, the less the longer the modulus from n = 10 on",
        WHOLE,
    ),
    Item(
        "figure 25",
        "the same, nearer",
        REPRODUCED,
        "the tree of the pseudo-modulus is the faster one, at n = 10 as fast",
        WHOLE,
    ),
    Item(
        "figure 26",
        "the same of n + 1 bits",
        REFUTED,
        "printed is a remainder that is slower by the pseudo-modulus; here it is the faster "
        "one from n = 6 on, one sum that comes round, and a tree is no faster than it",
        WHOLE,
    ),
    Item(
        "figure 27",
        "delay of direct products and remainders over n",
        OTHERWISE,
        "products of residues: 1.1 to 5 ns at n = 4 to 16; those of 32 bits before a "
        "remainder are figure 24's and a product",
        WHOLE,
    ),
    Item(
        "figure 28",
        "delay of direct, tree and Montgomery multipliers over n",
        REPRODUCED,
        "Montgomery's product is the slowest, 9 to 12 times a tree's of the pseudo-modulus, "
        "at n = 2 to 16; a hundred times are printed at 32 bits, where its one step is said "
        "to take longer than a whole tree",
        WHOLE,
    ),
    Item(
        "figure 29",
        "the same, nearer",
        REFUTED,
        "the tree of the pseudo-modulus is the fastest of these three, as printed, but that "
        "of 2^n + k is slower than a product and a remainder at n = 6 and 8; and a squaring "
        "tree, said to be as slow as a product, takes 0.5 to 0.9 of its delay up to n = 12, "
        "and 0.4 to 0.6 of its area",
        WHOLE,
    ),
    Item(
        "figure 30",
        "logic elements of exponentiators over the key's bits",
        OTHERWISE,
        "the same chart, with our areas and modules of a Cyclone V at 8 and 16 bits, "
        "Montgomery's to 256; two multipliers of 1024 bits as trees are 2.09 million full "
        "adders, which no FPGA of that family holds",
        WHOLE,
    ),
    Item(
        "figure 31",
        "delay of an iteration over the key's bits",
        REFUTED,
        "the printed delays contradict the printed clocks of table 12, by up to 32 times; a "
        "step of Montgomery's, one sum, takes 150 ns of them at 32 bits, a whole tree 48",
        WHOLE,
    ),
    Item(
        "figure 32",
        "the same, nearer",
        REFUTED,
        "as figure 31",
        WHOLE,
    ),
    Item(
        "figure 33",
        "the same for operands below the modulus",
        OTHERWISE,
        "ours take every operand of n bits, reduced once, on entry",
        WHOLE,
    ),
    Item(
        "figure 34",
        "a processor with the accelerator on its bus",
        OTHERWISE,
        "our processor in place of NEORV32",
        PERIPHERAL,
    ),
    Item(
        "figure 35",
        "blocks of NEORV32",
        SAYS_NOTHING,
        "another project's processor",
    ),
    Item(
        "figure 36",
        "how keys become hardware and the whole is tested",
        BUILT,
        "a peripheral of one key, its constants those of a file: modexplorer verilog DESIGN "
        "--unit peripheral --key FILE -o FILE; of cm-modulus, cm-late and dm-modulus the "
        "trees are made for the key's modulus, too, at up to 128 bits",
        PERIPHERAL,
    ),
    Item(
        "figure 37",
        "the exponentiator with one multiplier",
        BUILT,
        "cm-modulus-1: a cycle for a 0 of the exponent, two for a 1",
        EXPONENTIATORS,
    ),
    Item(
        "figure 38",
        "the same with the pseudo-modulus",
        BUILT,
        "cm-pseudo-1",
        "simulate cm-pseudo-1 --nbits 32 --workload d",
    ),
    Item(
        "table 1",
        "3^23 mod 29 = 8, step by step",
        REPRODUCED,
        "8, by every design",
        "simulate mul-rem --nbits 8 --base 3 --exp 23 --mod 29",
    ),
    Item(
        "table 2",
        "accelerators of others in silicon",
        OTHERWISE,
        "printed in reports beside ours of 1024 bits and more; it names neither cycles nor "
        "exponents, so nothing can be compared but area and clock",
        "report default",
    ),
    Item("table 3", "the moduli of figures 13 and 14", REPRODUCED, "the same forms", MULTIPLIERS),
    Item(
        "table 4",
        "moduli with k such that 3m is 2^N - 1",
        REPRODUCED,
        "its family; RSA keys are in it at N = 34, 62 and 122 for instance, and at none of the "
        "lengths of its tables",
        "pseudo 5726623061",
    ),
    Item(
        "table 5",
        "delay and area by modulus and pseudo-modulus: it pays",
        REPRODUCED,
        "at the same widths, with the ratio of each; 6.417e6 for 2^4 + 5 is a misprint of 6.498e6",
        MULTIPLIERS,
    ),
    Item(
        "table 6",
        "the registers",
        REFUTED,
        "at the printed places; but 30 words are too few for a ciphertext of 32, no key can be "
        "loaded, and nothing answers a bad block: ours has banks of the width, registers for keys "
        "and an error",
        PERIPHERAL,
    ),
    Item(
        "table 7",
        "logic elements of exponentiators, 32 to 1024 bits",
        OTHERWISE,
        "area of ours, and modules of a Cyclone V, below the printed figures: at 8 and 16 "
        "bits, of the pseudo-modulus' trees to 32 (4437 for 6816 elements), of Montgomery's "
        "to 256 (353, 621 and 1153 for 400, 774 and 1521)",
        WHOLE,
    ),
    Item(
        "table 8",
        "delay of an iteration",
        REFUTED,
        "contradicts table 12's clocks; ours, periods of mapped netlists, stand below",
        WHOLE,
    ),
    Item(
        "table 9",
        "delay x logic: the pseudo-modulus has the least",
        REFUTED,
        "trees gain because the pseudo-modulus lets them fold less; trees that fold once, at "
        "the end, gain 11 to 28 % at 16 bits, not 72",
        WHOLE,
    ),
    Item(
        "table 10",
        "time of an encryption",
        OTHERWISE,
        "17 iterations by table 8's delays, the correction left out; ours below are cycles by "
        "periods",
        WHOLE,
    ),
    Item(
        "table 11",
        "time of a decryption: up to 10^7 times less than Montgomery's",
        REFUTED,
        "10^7 is in no table: 46974 times by this one, 1846 by its own clocks, about 19 "
        "beside document 004 on that family, and 10 and 19 by ours at 16 and 32 bits, where "
        "105 are printed; 162.8 ms of Montgomery's pseudo-modulus at 256 bits is twice what "
        "its delay gives, 81.4",
        WHOLE,
    ),
    Item(
        "table 12",
        "highest clocks",
        REFUTED,
        "up to 32 times lower than table 8's delays would let them be; ours stand below",
        WHOLE,
    ),
    Item(
        "table 13",
        "table 7 for one multiplier",
        OTHERWISE,
        "as table 7",
        WHOLE,
    ),
    Item(
        "table 14",
        "table 8 for one multiplier",
        REFUTED,
        "as table 8",
        WHOLE,
    ),
    Item(
        "table 15",
        "table 9 for one multiplier",
        REFUTED,
        "as table 9",
        WHOLE,
    ),
    Item(
        "table 16",
        "table 10 for one multiplier",
        OTHERWISE,
        "as table 10",
        WHOLE,
    ),
    Item(
        "table 17",
        "table 11 for one multiplier",
        REFUTED,
        "as table 11",
        WHOLE,
    ),
    Item(
        "table 18",
        "table 12 for one multiplier",
        REFUTED,
        "as table 12",
        WHOLE,
    ),
)
