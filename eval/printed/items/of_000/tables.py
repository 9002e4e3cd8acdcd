"""Document 000's tables."""

from eval.printed import derived_000 as derived
from eval.printed.document_000 import ONE, TWO
from eval.printed.items.item import OTHERWISE, REFUTED, REPRODUCED, Item
from eval.printed.items.of_000 import rows
from eval.printed.items.of_000.common import (
    BY_ARITHMETIC,
    BY_ITS_FIGURES,
    DERIVED,
    FIRST,
    FROM_THE_RIGHT,
    ITS_DESIGN,
    ITS_STEPS,
    LONGEST,
    MULTIPLIERS,
    OF_OURS,
    PERIPHERAL,
)
from eval.printed.items.of_000.rows import WHOLE, D, E
from eval.printed.items.quoted import Ours, follows, printed

TABLES = (
    Item(
        "table 1",
        "3^23 mod 29 = 8, step by step",
        REPRODUCED,
        f"{Ours(FROM_THE_RIGHT, 'result')()}, by the printed squares and products",
        FROM_THE_RIGHT,
        ITS_STEPS,
    ),
    Item(
        "table 2",
        "accelerators of others in silicon",
        OTHERWISE,
        "printed in reports beside ours of 1024 bits and more; it names neither cycles nor "
        "exponents, so nothing can be compared but area and clock",
        "report default",
        OF_OURS,
    ),
    Item(
        "table 3",
        "the moduli of figures 13 and 14",
        REPRODUCED,
        "the same forms",
        MULTIPLIERS,
        ITS_DESIGN,
    ),
    Item(
        "table 4",
        "moduli with k such that 3m is 2^N - 1",
        REPRODUCED,
        f"the least N of 341 is {Ours('pseudo 341', 'N')()}, with c = "
        f"{Ours('pseudo 341', 'c')()}. RSA keys are in the family at N = 34, 62 and 122 for "
        "instance, and at none of the lengths of its tables",
        "pseudo 341",
        BY_ARITHMETIC,
    ),
    Item(
        "table 5",
        "delay and area by modulus and pseudo-modulus: it pays",
        REPRODUCED,
        "area x delay with the pseudo-modulus by that with the modulus: "
        f"{rows.gain_of_table_5(8)} at n = 8, printed {follows(rows.printed_gain(8))}. "
        f"{printed('6.417e6')} for 2^4 + 5 is a misprint of {FIRST.product / 1e6:.3f}e6",
        MULTIPLIERS,
        ITS_DESIGN,
    ),
    Item(
        "table 6",
        "the registers",
        REFUTED,
        f"the banks of {follows(derived.bank_words(LONGEST))} words that the text gives to keys of "
        f"{LONGEST} bits cannot hold a ciphertext, of {LONGEST // 32}; nor can a key be loaded, "
        "and nothing answers a bad block. Ours has the printed registers at their places, banks "
        "of the width, registers for keys and an error",
        PERIPHERAL,
        BY_ARITHMETIC,
    ),
    Item(
        "table 7",
        "logic elements of exponentiators, 32 to 1024 bits",
        REFUTED,
        f"{printed(max(TWO.elements['cm-modulus']), '.0f')} elements on a device of "
        f"{follows(derived.PART_ALMS)} "
        f"modules, {follows(derived.PART_ELEMENTS)} elements by its maker's count: trees of "
        f"{follows(derived.keys_above(derived.PART_ELEMENTS)[0])} bits and more do not fit. Two "
        f"combinational multipliers of {LONGEST} bits are about {follows(derived.full_adders())} "
        "full "
        "adders. What fits is the like here, on that family by another tool: "
        f"{rows.modules('cm-pseudo-2', 32)()} modules for {printed('6816')} elements, "
        f"Montgomery's {rows.modules('mm-printed-2', 32)()} and "
        f"{rows.modules('mm-printed-2', 64)()} for {printed('400')} and {printed('774')}",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "table 8",
        "delay of an iteration: that of trees is by 51.4 % shorter by the pseudo-modulus",
        REPRODUCED,
        f"it is shorter here, too: periods of {rows.period('cm-pseudo-2', 8)('.2f')} ns for "
        f"{rows.period('cm-modulus-2', 8)('.2f')} at 8 bits, "
        f"{rows.period('cm-pseudo-2')('.2f')} for {rows.period('cm-modulus-2')('.2f')} at 16. "
        "Table 12 contradicts the printed delays, see there",
        "flow cm-pseudo-2 --nbits 8 --clock 0.5",
        ITS_DESIGN,
    ),
    Item(
        "table 9",
        "delay x logic: the pseudo-modulus' trees have the least",
        REPRODUCED,
        "the document's trees gain as printed: area x period with the pseudo-modulus is "
        f"{rows.gain('cm', 2)} of that with the modulus at 16 bits, printed "
        f"{follows(rows.printed_gain_of_trees(2))} at 32. They gain because the pseudo-modulus "
        "lets them "
        f"fold less: by trees that fold once, at the end, it is {rows.gain_late(2)}",
        "report pseudo-exponentiators",
        ITS_DESIGN,
    ),
    Item(
        "table 10",
        "time of an encryption",
        OTHERWISE,
        "17 iterations by table 8's delays, the correction left out. Ours are cycles by periods: "
        f"cm-pseudo-2 takes {rows.cycles('cm-pseudo-2', E, 32)()} cycles at 32 bits, the "
        "correction with them",
        "simulate cm-pseudo-2 --nbits 32 --workload e",
        ITS_STEPS,
    ),
    Item(
        "table 11",
        "time of a decryption: trees of the pseudo-modulus take 46974 times less than "
        "Montgomery's at 1024 bits",
        OTHERWISE,
        f"the cells give {follows(derived.most_by_time(), '.0f')}; by the clocks of table 12 it is "
        f"{follows(derived.most_by_clock(), '.0f')}. Ours take {rows.slower_montgomery(16)} times "
        "less at 16 "
        f"bits and {rows.slower_montgomery(32)} at 32, where "
        f"{rows.printed_slower('decryption_us')} are printed. {printed('162.8')} ms of "
        "Montgomery's pseudo-modulus at 256 bits is a misprint, its delay gives "
        f"{follows(derived.by_delay('mm-pseudo', 256) / 1000, '.1f')}",
        WHOLE,
        ITS_DESIGN,
    ),
    Item(
        "table 12",
        "highest clocks of the whole system",
        REFUTED,
        "they contradict table 8: an iteration by trees takes one period, and the periods of these "
        f"clocks are up to {follows(derived.by_clock(TWO), '.0f')} times its delays of an "
        "iteration. Those of "
        "Montgomery's fit. Tables 14 and 18 contradict each other in the same way, up to "
        f"{follows(derived.by_clock(ONE), '.0f')} times",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "table 13",
        "table 7 for one multiplier, measured: half of the elements",
        REFUTED,
        f"{follows(derived.halved_elements())} of the {follows(24)} cells of DM and CM are those "
        "of table 7 "
        "halved to "
        "the unit, registers and control with them: they are computed, not measured. And "
        f"{printed(max(ONE.elements['cm-modulus']), '.0f')} elements do not fit the device "
        "either. Near half "
        f"it is here: {rows.mapped('cm-pseudo-1', 'area_um2', 8)('.0f')} um2 for "
        f"{rows.mapped('cm-pseudo-2', 'area_um2', 8)('.0f')} at 8 bits",
        DERIVED,
        BY_ITS_FIGURES,
    ),
    Item(
        "table 14",
        "table 8 for one multiplier: half of the delay",
        REFUTED,
        "the two multipliers of figure 17 work side by side: without one of them the longest path "
        f"is as long. Built so, periods are {rows.period('cm-pseudo-1', 8)('.2f')} ns with one "
        f"and {rows.period('cm-pseudo-2', 8)('.2f')} with two at 8 bits, with the modulus "
        f"{rows.period('cm-modulus-1', 8)('.2f')} and {rows.period('cm-modulus-2', 8)('.2f')}. "
        f"{follows(derived.halved_delays())} of the {follows(24)} cells of DM and CM are those of "
        "table 8 "
        "halved",
        "flow cm-pseudo-1 --nbits 8 --clock 0.5",
        ITS_DESIGN,
    ),
    Item(
        "table 15",
        "table 9 for one multiplier",
        REPRODUCED,
        f"area x period with the pseudo-modulus is {rows.gain('cm', 1)} of that with the modulus "
        f"at 16 bits, printed {follows(rows.printed_gain_of_trees(1))} at 32; by trees that fold "
        "once "
        f"{rows.gain_late(1)}",
        "report pseudo-exponentiators",
        ITS_DESIGN,
    ),
    Item(
        "table 16",
        "table 10 for one multiplier",
        OTHERWISE,
        "17 squarings and 2 products by halves of table 8's delays. cm-pseudo-1 takes "
        f"{rows.cycles('cm-pseudo-1', E, 32)()} cycles at 32 bits, cm-pseudo-2 "
        f"{rows.cycles('cm-pseudo-2', E, 32)()}; as the period stays, one multiplier takes longer",
        "simulate cm-pseudo-1 --nbits 32 --workload e",
        ITS_STEPS,
    ),
    Item(
        "table 17",
        "table 11 for one multiplier",
        OTHERWISE,
        f"as table 16: cm-pseudo-1 takes {rows.cycles('cm-pseudo-1', D, 32)()} cycles at 32 bits, "
        f"cm-pseudo-2 {rows.cycles('cm-pseudo-2', D, 32)()}. Table 11's misprint stands here, too",
        "simulate cm-pseudo-1 --nbits 32 --workload d",
        ITS_STEPS,
    ),
    Item(
        "table 18",
        "table 12 for one multiplier: higher clocks",
        OTHERWISE,
        "clocks of a whole system on an FPGA are not measured here; that one multiplier shortens "
        "the longest path is table 14's claim",
        "flow cm-pseudo-1 --nbits 8 --clock 0.5",
        ITS_DESIGN,
    ),
)
