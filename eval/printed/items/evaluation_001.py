"""Document 001's tables, listings, and what its sections claim."""

from eval.printed.document_001 import ACCELERATORS_UM2, LEAST_OVERFLOW, SAID_DIFFERENCE_UM2
from eval.printed.items.item import (
    BUILT,
    OTHERWISE,
    REFUTED,
    REPRODUCED,
    SAME,
    THEIR_DESIGN,
    Basis,
    Item,
)
from eval.printed.items.quoted import Ours, follows, printed
from eval.printed.items.quotes_001 import (
    ALONE,
    CELLS,
    CYCLES,
    FLOW,
    MODULUS_1,
    MONT,
    MONT_PRINTED,
    MONTGOMERY,
    NAIVE,
    NAIVE_C,
    area,
    beside,
    calls,
    doubled,
    energies,
    naive_over_montgomery,
    of_table_1,
    path_end,
    twice_as_wide,
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
        "energy of an encryption with every register clocked, and with gated clocks: naive C "
        f"{energies('null', 'naive', 0)}; the naive accelerator "
        f"{energies('mul-rem-001 --nbits 32', 'xcel', 2)}; the Montgomery accelerator "
        f"{energies('mont-001 --nbits 32', 'xcel', 3)}. The document says neither that it gates "
        "clocks nor whether its toggles have glitches, and ours are of mapped cells, its own of "
        "layouts. Its rows that are not normalised stand beside ours, too",
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
        f"from {printed(LEAST_OVERFLOW)} on; ours keeps the carry",
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
        "and every design with stalls at every level. AddRed, which the document does "
        "not test alone, is proved. The error of algorithm 4 shows what random RSA keys miss",
        "check mul-rem-001 --nbits 8 --level rtl",
        Basis(THEIR_DESIGN, SAME),
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
        f"differ by {follows(ACCELERATORS_UM2[1] - ACCELERATORS_UM2[0], '.2f')} um2 by table 2, "
        "not by "
        f"{printed(SAID_DIFFERENCE_UM2)}",
        "flow mul-rem-001 --nbits 64 --unit multiplier",
        CELLS,
    ),
    Item(
        "section 5.3",
        "critical paths: multiplier into divider in RSAXcel and, by a bypass, in all systems; a "
        "first stage of MontMulRem in RSAMontXcel",
        OTHERWISE,
        "the accelerators' in kind as printed: mul-rem-001's goes through the product into "
        f"{path_end(FLOW.format('mul-rem-001'))}, mont-001's through a stage into "
        f"{path_end(FLOW.format('mont-001'))}. The systems' not: processor+null's ends in the "
        f"counter of instructions, {path_end('flow processor+null')}, and with accelerators it is "
        f"in them: {path_end(FLOW.format('processor+mul-rem-001'))} and "
        f"{path_end(FLOW.format('processor+mont-001'))}",
        FLOW.format("processor+mul-rem-001"),
        CELLS,
    ),
)
