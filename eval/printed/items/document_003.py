"""Document 003's algorithms and figures, and what it claims of them."""

from eval.printed.document_003 import BLUM_PAAR, EXPONENT_BITS, NBITS, ROWS, SAVED, SLOWER
from eval.printed.items.item import (
    ARITHMETIC,
    BUILT,
    OTHER,
    OTHERWISE,
    OUR_DESIGN,
    REFUTED,
    REPRODUCED,
    SAME,
    THEIR_DESIGN,
    THEIR_FIGURES,
    Basis,
    Item,
)
from eval.printed.items.quoted import Ours, printed

ENCRYPTION = "simulate serial-pz-32 --nbits 1024 --workload e --level batch"
P_ALONE = "simulate serial-p-32 --nbits 1024 --workload e --level batch"
TAKEN = "fpga serial-pz-32 --nbits 1024 --device virtexe"
P_TAKEN = "fpga serial-p-32 --nbits 1024 --device virtexe"
BY_FIGURES, BY_ARITHMETIC = Basis(THEIR_FIGURES), Basis(ARITHMETIC)
AS_BUILT, OTHER_MEMORIES = Basis(THEIR_DESIGN, SAME), Basis(OUR_DESIGN, SAME)
LEAST, *_, WIDEST = ROWS
WORDS = -(-(NBITS + 2) // LEAST.word_bits)
SUMS_SAVED = WORDS * ((NBITS + 3) / 4 - 1)
ONES = 2  # of e = 2^16 + 1
TOGETHER = EXPONENT_BITS + 2
IN_TURN = EXPONENT_BITS + ONES + 3
RIGHT_TIME = WIDEST.cycles * WIDEST.period_ns / 1e6
SWAPPED = [row.word_bits for row in ROWS if row.word_bits in (64, 128)]

ITEMS = (
    Item(
        "algorithm 17.1.1",
        "a Montgomery product below 2N, a bit of A per addition, for A, B < 2N and R = 2^(K+2)",
        BUILT,
        "serial-pz-S, in the form of section 17.2, (U + V)/2 with V one of 0, 2B, N and 2B + N",
        ENCRYPTION,
        AS_BUILT,
    ),
    Item(
        "algorithm 17.1.2",
        "exponentiation from the right, square and product side by side",
        BUILT,
        "serial-pz-S; the last square, which nobody needs, is left out, and R^2 is found",
        ENCRYPTION,
        AS_BUILT,
    ),
    Item(
        "figure 17.1",
        "a data path of memory section, P-processor and Z-processor, and a control unit of two "
        "levels",
        OTHERWISE,
        "the same two processors and the same two levels of control; the memory section is another "
        "(figure 17.2), and the control also finds R^2 and refuses even moduli",
        ENCRYPTION,
        OTHER_MEMORIES,
    ),
    Item(
        "figure 17.2",
        "the data path: words are fetched, added and written in three stages",
        OTHERWISE,
        "the same stages, adders and registers A, with U in a memory of words: a product takes (2M "
        "+ 2) + (K + 3)M cycles. RAM0, which holds P, Z, 2B + N and N and is read at two ports, is "
        "three memories with one port to read, of N, 2B and 2B + N; P and Z stay in U. There is no "
        "RAM1 of R^2, 1 and X: R^2 is found, 1 set, X kept in a register. There is no shift before "
        "the adder: 2B is written doubled",
        ENCRYPTION,
        OTHER_MEMORIES,
    ),
    Item(
        "figure 17.3",
        "slices, tables and registers of each stage",
        OTHERWISE,
        f"we count the whole processor: at S = {LEAST.word_bits} {Ours(TAKEN, 'metrics.luts')()} "
        f"tables, {Ours(TAKEN, 'metrics.ffs')()} registers and {Ours(TAKEN, 'metrics.bram')()} "
        "blocks "
        f"of memory, mapped by yosys and not placed, where the stages add up to "
        f"{printed(LEAST.slices)} slices of two tables and two registers. Ours takes and gives "
        "numbers whole, in registers, where the document's come in words and stand in memories and "
        "shift registers of tables; its selectors are tables, where the document has tristate "
        "buffers; and it finds R^2. No count is by stage",
        TAKEN,
        Basis(OUR_DESIGN, SAME, SAME),
    ),
    Item(
        "figure 17.4",
        "cycles and times of e = 2^16 + 1 at 1024 bits for S = 32 to 256",
        REPRODUCED,
        f"{', '.join(printed(row.cycles) for row in sorted(ROWS, key=lambda row: -row.cycles))} "
        f"cycles, to the cycle, beside loading and finding R^2: {Ours(ENCRYPTION, 'cycles')()} in "
        f"all at S = {LEAST.word_bits}. Printed with those of S = {SWAPPED[0]} and {SWAPPED[1]} in "
        f"each other's row, and {printed(WIDEST.time_ms)} ms where {printed(WIDEST.cycles)} cycles "
        f"take {printed(RIGHT_TIME, '.2f')}. Its slices: figure 17.3",
        "report document-003",
        OTHER_MEMORIES,
    ),
    Item(
        "claim 1",
        "section 17.2: additions are of K + 2 bits, in M = ceil((K + 2)/S) words",
        REFUTED,
        "U + V reaches K + 4 bits: 272 at K = 5, N = 31, A = 61 and B = 59. With M = ceil((K + "
        "4)/S) words no carry is lost; at K = 1024 and the printed S that is no word more",
        ENCRYPTION,
        BY_ARITHMETIC,
    ),
    Item(
        "claim 2",
        "section 17.2: 2B + N, made once, saves M((K + 3)/4 - 1) cycles of a product",
        REPRODUCED,
        "a quarter of the steps add both 2B and N, to within the two highest bits of A, which are "
        f"0: {printed(SUMS_SAVED, '.0f')} cycles at K = {NBITS} and S = {LEAST.word_bits}, beside "
        "the (2M + 2) + (K + 3)M that a product takes",
        ENCRYPTION,
        BY_ARITHMETIC,
    ),
    Item(
        "claim 3",
        "section 17.2: without the Z-processor an exponentiation takes twice the time",
        REFUTED,
        f"only where all bits of the exponent are 1. For e = 2^16 + 1 it makes {printed(IN_TURN)} "
        f"products one after the other in place of {printed(TOGETHER)}; here "
        f"{Ours(P_ALONE, 'cycles')()} cycles in place of {Ours(ENCRYPTION, 'cycles')()}, and "
        "about one "
        "and a half times as many for an exponent of half ones",
        P_ALONE,
        BY_ARITHMETIC,
    ),
    Item(
        "claim 4",
        "section 17.2: the Z-processor betters the product of area and time",
        OTHERWISE,
        "not for e = 2^16 + 1: with it ours takes "
        f"{Ours(TAKEN, 'metrics.luts').over(Ours(P_TAKEN, 'metrics.luts'))} times "
        f"the tables and {Ours(TAKEN, 'metrics.ffs').over(Ours(P_TAKEN, 'metrics.ffs'))} times "
        "the registers, without it "
        f"{Ours(P_ALONE, 'cycles').over(Ours(ENCRYPTION, 'cycles'))} times the cycles. For an "
        "exponent of half ones, "
        "as d, it is so: the cycles are about one and a half times as many (claim 3)",
        P_TAKEN,
        Basis(OUR_DESIGN, SAME, SAME),
    ),
    Item(
        "claim 5",
        "section 17.3: the adder is the stage that limits the clock",
        REFUTED,
        f"not at S = {LEAST.word_bits}, by its own figures: the memory takes "
        f"{printed(LEAST.parts_ns[0])} ns, the adder {printed(LEAST.parts_ns[1])} and the "
        f"write-back {printed(LEAST.parts_ns[2])}. It does at the other S",
        "report document-003",
        BY_FIGURES,
    ),
    Item(
        "claim 6",
        f"section 17.4: beside Blum and Paar's fastest S = {WIDEST.word_bits} is {SLOWER} times "
        f"slower and {SAVED} % smaller, S = {LEAST.word_bits} smaller than their smallest, and the "
        "product of area and time theirs",
        REPRODUCED,
        f"its figures say so: {printed(WIDEST.time_ms)} to {printed(BLUM_PAAR.time_ms)} ms, "
        f"{printed(WIDEST.slices)} to {printed(BLUM_PAAR.slices)} slices, {printed(LEAST.slices)} "
        "to "
        f"{printed(BLUM_PAAR.least_slices)}, and at best "
        f"{printed(min(row.area_time for row in ROWS))} to {printed(BLUM_PAAR.area_time)} slices x "
        "ms. Theirs is of another family, a CLB counted as a slice, and not built here",
        "report document-003",
        Basis(THEIR_FIGURES, OTHER, OTHER),
    ),
)
