"""Document 000's figures."""

from eval.printed.items.item import (
    BUILT,
    NONE,
    OTHER,
    OTHERWISE,
    OUR_DESIGN,
    REFUTED,
    REPRODUCED,
    SAME,
    SAYS_NOTHING,
    THEIR_DESIGN,
    Basis,
    Item,
)
from eval.printed.items.of_000 import rows
from eval.printed.items.of_000.common import (
    AS_PRINTED,
    AS_PRINTED_PSEUDO,
    BY_ARITHMETIC,
    ITS_DESIGN,
    ITS_STEPS,
    MULTIPLIERS,
    OF_OUR_SCHEDULE,
    ON_THE_BUS,
    OUR_REMAINDER,
    PERIPHERAL,
)
from eval.printed.items.of_000.rows import WHOLE
from eval.printed.items.quoted import Ours

FIGURES = (
    Item(
        "figure 1",
        "a carry-save tree modulo 2^n - k for n = 29, k = 3, not iterative",
        OTHERWISE,
        "the same modulus, another tree: ours folds the carries of every stage, as the document's "
        "iterative trees do, the figure's folds the product once before it is compressed. Ours "
        f"begins with {Ours('dots 2^n-k --k 3 --nbits 29', 'stages[stage=0].dots')()} dots",
        "dots 2^n-k --k 3 --nbits 29",
        Basis(OUR_DESIGN, OTHER, NONE),
    ),
    *(
        Item(name, says, REPRODUCED, found, f"dots {form} --nbits 5", ITS_STEPS)
        for name, says, found, form in (
            ("figure 2", "partial products modulo 2^n", "n = 5", "2^n"),
            ("figure 3", "modulo 2^n - 1", "n = 5", "2^n-1"),
            ("figure 4", "modulo 2^n + 1", "n = 5", "2^n+1"),
            (
                "figure 5",
                "modulo 2^n +- k, k = 3 and 11",
                "n = 5, weights folded by the sparser signed form",
                "2^n+k --k 11",
            ),
        )
    ),
    Item(
        "figure 6",
        "modular addition, A + B less 0 to 3 times m",
        REFUTED,
        "equation 6 chooses the same sum for A + B < m and for m <= A + B < 2m. With D or (B and "
        "not C) it is right, and ends every tree here",
        "dots 2^n+k --k 11 --nbits 5",
        BY_ARITHMETIC,
    ),
    Item(
        "figure 7",
        "hardware of Montgomery's product without a last subtraction",
        BUILT,
        "mm-000's unit",
        "flow mm-000 --nbits 32 --unit multiplier",
        ITS_STEPS,
    ),
    Item("figure 8", "flexibility against efficiency", SAYS_NOTHING, "a picture of an idea"),
    Item(
        "figure 9",
        "an accelerator coupled tightly",
        BUILT,
        "the processor's port",
        "run proc/app/benchmark.c --define XCEL --xcel ssmm-best --nbits 32",
        ITS_STEPS,
    ),
    Item(
        "figure 10",
        "an accelerator coupled loosely",
        BUILT,
        "the peripheral on a bus",
        PERIPHERAL,
        ITS_STEPS,
    ),
    Item("figure 11", "a logic block of an FPGA", SAYS_NOTHING, "background"),
    Item("figure 12", "the wires of an FPGA", SAYS_NOTHING, "background"),
    Item(
        "figure 13",
        "delay of multipliers by the form of the modulus, over n, 180 nm: 2^n - 1 is the fastest "
        "besides 2^n, 2^n +- 85 the slowest",
        REPRODUCED,
        f"2^n - 1 is at n = 4, 8, 12 and 16, with {rows.of_unit('2^8-1 document')('.2f')} ns at "
        f"n = 8; 2^n + 85 takes {rows.of_unit('2^8+85 document')('.2f')} there. 2^n - 85 is fast "
        "at n = 8, where its weights fold to one bit",
        WHOLE,
        ITS_DESIGN,
    ),
    Item(
        "figure 14",
        "area of multipliers by the form of the modulus, over n: 2^n + 1 is the smallest besides "
        "2^n, 2^n +- 85 the largest",
        REPRODUCED,
        "2^n + 1 is at n = 8, 12 and 16, with "
        f"{rows.of_unit('2^8+1 document', 'area_um2')('.0f')} um2 at n = 8; 2^n + 85 takes "
        f"{rows.of_unit('2^8+85 document', 'area_um2')('.0f')}. The text also says that areas fall "
        "with the ones of k; here they grow, and by its own extremes they do there",
        WHOLE,
        ITS_DESIGN,
    ),
    Item(
        "figure 15",
        "a product modulo m2, and modulo m1 = 3 * m2 with a reduction after",
        REPRODUCED,
        f"at n = 8 the trees take {rows.both('document', 8)} ns, both mapped side by side",
        MULTIPLIERS,
        ITS_DESIGN,
    ),
    Item(
        "figure 16",
        "the exponentiator with two multipliers",
        BUILT,
        "cm-modulus-2 with trees, dm-modulus-2 with products and remainders",
        "simulate cm-modulus-2 --nbits 8 --workload d",
        ITS_STEPS,
    ),
    Item(
        "figure 17",
        "the same modulo the pseudo-modulus, reduced once at the end",
        BUILT,
        "cm-pseudo-2 and dm-pseudo-2, a cycle more corrects",
        "simulate cm-pseudo-2 --nbits 32 --workload d",
        ITS_STEPS,
    ),
    Item(
        "figure 18",
        "Montgomery's exponentiator from the right",
        BUILT,
        "mm-printed-2: r^2 is given, with the one modulus that it is of; an exponent of k "
        "bits takes k + 2 products of n + 2 steps, each after a cycle that takes its operands: "
        f"{Ours(AS_PRINTED, 'cycles')()} cycles for d of 32 bits",
        AS_PRINTED,
        ITS_STEPS,
    ),
    Item(
        "figure 19",
        "the same with the pseudo-modulus and a correction",
        BUILT,
        f"mm-printed-pseudo-2, {Ours(AS_PRINTED_PSEUDO, 'cycles')()} cycles for d of 32 bits; a "
        "cycle of them corrects",
        AS_PRINTED_PSEUDO,
        ITS_STEPS,
    ),
    Item(
        "figure 20",
        "the block of PKCS#1 v1.5",
        BUILT,
        "padded and unpadded by the peripheral, in a time that tells nothing of the block",
        ON_THE_BUS,
        ITS_STEPS,
    ),
    Item(
        "figure 21",
        "blocks of the accelerator: banks, padder, unpadder, control",
        BUILT,
        "the peripheral around any design",
        PERIPHERAL,
        ITS_STEPS,
    ),
    Item(
        "figure 22",
        "bits of the status register",
        BUILT,
        "and bits for error and done",
        PERIPHERAL,
        ITS_STEPS,
    ),
    Item(
        "figure 23",
        "the order of an operation (with figure 22's caption)",
        BUILT,
        "what fl/peripheral_driver.py does",
        PERIPHERAL,
        ITS_STEPS,
    ),
    Item(
        "figure 24",
        "delay of reducing a number of 32 bits, over n: a tree is far faster than mod",
        REPRODUCED,
        f"at n = 6 trees take {rows.reduction(6, 'document', 32)('.2f')} and "
        f"{rows.reduction(6, 'document', 32, pseudo=True)('.2f')} ns, remainders "
        f"{rows.reduction(6, 'direct', 32)('.2f')} and "
        f"{rows.reduction(6, 'direct', 32, pseudo=True)('.2f')}; of a remainder, as printed, the "
        "less the longer the modulus, from n = 10 on. The trees are the document's, the remainders "
        "those of yosys, not of Quartus",
        WHOLE,
        ITS_DESIGN,
    ),
    Item(
        "figure 25",
        "the same, nearer: the pseudo-modulus' tree is the faster one",
        REPRODUCED,
        f"it is, at n = 30 {rows.reduction(30, 'document', 32, pseudo=True)('.2f')} ns for "
        f"{rows.reduction(30, 'document', 32)('.2f')}; at n = 10 both are as fast",
        WHOLE,
        ITS_DESIGN,
    ),
    Item(
        "figure 26",
        "the same of n + 1 bits: mod is slower by the pseudo-modulus",
        OTHERWISE,
        "Quartus' remainders are not measured here. Those of yosys in these cells are faster by "
        "the "
        f"pseudo-modulus from n = 6 on: {rows.reduction(6, 'direct', pseudo=True)('.2f')} ns "
        f"for {rows.reduction(6, 'direct')('.2f')} at n = 6",
        WHOLE,
        OUR_REMAINDER,
    ),
    Item(
        "figure 27",
        "delay of direct products and remainders of 32 bits over n",
        OTHERWISE,
        f"products of residues, {rows.multiplier(4, 'direct')('.2f')} ns at n = 4 to "
        f"{rows.multiplier(16, 'direct')('.2f')} at n = 16; those of 32 bits before a remainder "
        "are figure 24's and a product",
        WHOLE,
        OUR_REMAINDER,
    ),
    Item(
        "figure 28",
        "delay of direct, tree and Montgomery multipliers over n: Montgomery's is the slowest",
        REPRODUCED,
        "it is at every n; a step of it takes "
        f"{rows.multiplier(16, 'montgomery', pseudo=True)('.2f')} ns at n = 16, all steps of the "
        f"product {rows.product_of_steps(16)}, a tree of the pseudo-modulus "
        f"{rows.multiplier(16, pseudo=True)('.2f')}",
        WHOLE,
        ITS_DESIGN,
    ),
    Item(
        "figure 29",
        "the same, nearer: trees are faster than mod, those of the pseudo-modulus the fastest",
        REPRODUCED,
        "the pseudo-modulus' trees are the fastest at every n. With the modulus a tree is faster "
        f"at n = 16 ({rows.multiplier(16)('.2f')} ns, a product and a remainder of yosys' "
        f"{rows.multiplier(16, 'direct')('.2f')}), not at n = 8 ({rows.multiplier(8)('.2f')} and "
        f"{rows.multiplier(8, 'direct')('.2f')})",
        WHOLE,
        ITS_DESIGN,
    ),
    Item(
        "figure 30",
        "logic elements of exponentiators up to 32 bits: most for trees with the modulus, fewer "
        "for those of the pseudo-modulus, by far the fewest for Montgomery's",
        REPRODUCED,
        "on a Cyclone V, mapped by yosys, 16 bits: "
        f"{rows.modules('cm-modulus-2', 16)()} modules for trees with the modulus, "
        f"{rows.modules('cm-pseudo-2', 16)()} with the pseudo-modulus, "
        f"{rows.modules('mm-printed-2', 16)()} for Montgomery's. Direct products take "
        f"{rows.modules('dm-modulus-2', 16)()} and multipliers of the device",
        "fpga cm-modulus-2 --nbits 16 --device cyclonev",
        Basis(THEIR_DESIGN, SAME, SAME),
    ),
    *(
        Item(
            name,
            says,
            REPRODUCED,
            "the order is: of multipliers at n = 16, in ns with the modulus and the "
            f"pseudo-modulus, trees take {rows.both('document', 16)}, products and remainders "
            f"{rows.both('direct', 16)}, all steps of Montgomery's product "
            f"{rows.product_of_steps(16)}",
            WHOLE,
            ITS_DESIGN,
        )
        for name, says in (
            (
                "figure 31",
                "delay of an iteration over the key's bits: Montgomery's is by far the slowest",
            ),
            (
                "figure 32",
                "the same, nearer: trees of the pseudo-modulus are the fastest, then trees, then "
                "products with mod",
            ),
        )
    ),
    Item(
        "figure 33",
        "the same for operands below the modulus",
        OTHERWISE,
        "ours take every operand of n bits, reduced once, on entry",
        "simulate dm-modulus-2 --nbits 8 --workload d",
        OF_OUR_SCHEDULE,
    ),
    Item(
        "figure 34",
        "a processor with the accelerator on its bus",
        OTHERWISE,
        "our processor in place of NEORV32",
        ON_THE_BUS,
        Basis(OUR_DESIGN, OTHER, NONE),
    ),
    Item("figure 35", "blocks of NEORV32", SAYS_NOTHING, "another project's processor"),
    Item(
        "figure 36",
        "how keys become hardware and the whole is tested",
        BUILT,
        "a peripheral of one key, its constants those of a file: modexplorer verilog DESIGN "
        "--unit peripheral --key FILE -o FILE; of cm-modulus, cm-late and dm-modulus the "
        "trees are made for the key's modulus, too, at up to 128 bits",
        PERIPHERAL,
        ITS_STEPS,
    ),
    Item(
        "figure 37",
        "the exponentiator with one multiplier",
        BUILT,
        "cm-modulus-1: a cycle for a 0 of the exponent, two for a 1",
        "simulate cm-modulus-1 --nbits 8 --workload d",
        ITS_STEPS,
    ),
    Item(
        "figure 38",
        "the same with the pseudo-modulus",
        BUILT,
        "cm-pseudo-1",
        "simulate cm-pseudo-1 --nbits 32 --workload d",
        ITS_STEPS,
    ),
)
