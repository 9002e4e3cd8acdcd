"""Document 004's algorithms, figures, table and claim."""

from eval.printed.document_004 import (
    ALGO_0_M_PRIME,
    ALGO_0_T,
    CLAIMED_SHARES,
    FIGURE_2_NS,
    shares_of_algo_6,
)
from eval.printed.items.item import (
    ARITHMETIC,
    BUILT,
    REFUTED,
    REPRODUCED,
    SAME,
    THEIR_FIGURES,
    Basis,
    Item,
)
from eval.printed.items.quoted import Ours, printed
from eval.printed.items.quotes_004 import (
    REDC,
    STEPS_ALONE,
    WITH_ELEMENTS,
    beside,
    between,
    cycles,
    example,
    figure_2,
    mean,
    of_algorithm_4,
    table_1,
    waves,
)

ITEMS = (
    Item(
        "algorithm 0",
        "Montgomery's reduction with m' known before: two products and a subtraction",
        BUILT,
        f"run step by step: the document's z and m give its t, {Ours(REDC, 'result')('d')}, and "
        f"m' = {Ours(REDC, 'm_prime')('d')}, which is the printed {printed(ALGO_0_M_PRIME)} modulo "
        f"2^128. The bits of algorithm 1 find the same t, printed {printed(ALGO_0_T)}",
        REDC,
        STEPS_ALONE,
    ),
    Item(
        "algorithm 1",
        "the same a bit per step, MMRed",
        BUILT,
        "the reduction behind the multipliers of mmred-004-printed and mmred-004, a step per cycle",
        "simulate mmred-004 --nbits 32 --workload e",
        STEPS_ALONE,
    ),
    Item(
        "algorithm 2",
        "exponentiation by a full product and MMRed, 4413 to 67334 cycles at 64 to 256 bits",
        REPRODUCED,
        f"at 128 bits, the one key that is printed, mmred-004-printed takes "
        f"{cycles('mmred-004-printed', 'e')()} and {cycles('mmred-004-printed', 'd')()} cycles, "
        f"whose mean is the printed {printed(17286)}. For keys of ours with exponents as long, its "
        f"formula gives {mean('mmred-004-printed', 64)('.0f')} at 64 bits, as printed, and "
        f"{mean('mmred-004-printed', 256)('.0f')} at 256, where {printed(67334)} is printed: a "
        "cycle depends on the modulus, which is not printed",
        example("mmred-004-printed", "e"),
        STEPS_ALONE,
    ),
    Item(
        "algorithm 3",
        "MMMul: Montgomery's product, a bit per step",
        BUILT,
        "the unit of mmm-004-printed and mmm-004",
        "flow mmm-004 --nbits 32 --unit multiplier",
        STEPS_ALONE,
    ),
    Item(
        "algorithm 4",
        "exponentiation by two MMMul: both operands converted, and the result",
        REPRODUCED,
        f"mmm-004-printed takes {cycles('mmm-004-printed', 'e')()} and "
        f"{cycles('mmm-004-printed', 'd')()} cycles with the printed key of 128 bits, whose mean "
        f"is the printed {printed(17286)}. mmm-004, another algorithm that converts the base only, "
        f"takes {cycles('mmm-004', 'e')()} and {cycles('mmm-004', 'd')()}",
        example("mmm-004-printed", "e"),
        STEPS_ALONE,
    ),
    Item(
        "algorithm 5",
        "SSMMul: double and subtract where p > m",
        REFUTED,
        "must be p >= m: else 3 * 3 mod 9 is 9, and not "
        f"{Ours('simulate ssmm-004 --nbits 8 --base 3 --exp 2 --mod 9', 'result')()}. The printed "
        "Verilog compares by the sign of p - m, which is right. An RSA key of two different primes "
        "and a message below its modulus never meet p = m at the end",
        "simulate ssmm-004 --nbits 8 --base 3 --exp 2 --mod 9",
        Basis(ARITHMETIC, SAME),
    ),
    Item(
        "algorithm 6",
        "exponentiation by two SSMMul, of which the mean cycles are printed: 16752 at 128 bits",
        REPRODUCED,
        f"ssmm-004 takes {cycles('ssmm-004', 'e')()} and {cycles('ssmm-004', 'd')()} cycles with "
        f"the printed key of 128 bits, sum(L_i) + 5k - 1. Their mean is the printed "
        f"{printed(16752)} and a half. The printed Verilog, run with its test bench in Icarus "
        "Verilog, takes the same two. What it gets wrong (a base above m, exponent 0, a start "
        "while busy) is right here",
        example("ssmm-004", "e"),
        STEPS_ALONE,
    ),
    Item(
        "figure 1",
        "waves of an encryption by MMRed, 128 bits",
        REPRODUCED,
        f"the same operation with the same key and result, {cycles('mmred-004-printed', 'e')()} "
        "cycles; the figure's own time cannot be read",
        waves("mmred-004-printed", "e", 1),
        STEPS_ALONE,
    ),
    Item(
        "figure 2",
        "waves of a decryption by MMRed, which ends between 69460 and 69540 ns",
        REPRODUCED,
        "the same operation with the same key and result. After an encryption of "
        f"{cycles('mmred-004-printed', 'e')()} cycles and this one of "
        f"{cycles('mmred-004-printed', 'd')()}, with the clock and the waits of the printed test "
        f"bench, it ends at {figure_2()} ns, between the printed {printed(FIGURE_2_NS[0])} and "
        f"{printed(FIGURE_2_NS[1])}",
        waves("mmred-004-printed", "d", 2),
        STEPS_ALONE,
    ),
    Item(
        "figure 3",
        "algorithms 4 and 6 side by side, with conversions and without",
        BUILT,
        "mmm-004-printed and ssmm-004",
        example("mmm-004-printed", "d"),
        STEPS_ALONE,
    ),
    Item(
        "figure 4",
        "waves of an encryption by SSMMul",
        REPRODUCED,
        f"the same operation with the same key and result, {cycles('ssmm-004', 'e')()} cycles",
        waves("ssmm-004", "e", 4),
        STEPS_ALONE,
    ),
    Item(
        "figure 5",
        "waves of a decryption by SSMMul",
        REPRODUCED,
        f"the same operation with the same key and result, {cycles('ssmm-004', 'd')()} cycles",
        waves("ssmm-004", "d", 5),
        STEPS_ALONE,
    ),
    Item(
        "figure 6",
        "cost and performance at 128 bits: algorithm 6 performs almost as algorithm 4, and is less "
        "hardware",
        REPRODUCED,
        f"with the printed key algorithm 6 takes {of_algorithm_4(128)} of algorithm 4's cycles, "
        f"where {printed(16752)} of {printed(17286)} are printed. {beside(128)}. This is so of "
        "algorithm 4 as printed: mmm-004, which converts the base only, takes "
        f"{mean('mmm-004', 128)('.1f')} cycles, fewer than algorithm 6's "
        f"{mean('ssmm-004', 128)('.1f')}",
        "report document-004",
        WITH_ELEMENTS,
    ),
    Item(
        "figure 7",
        "the same at 1024 bits",
        REPRODUCED,
        "by their formulas, for a key of ours with exponents as long, algorithm 6 takes "
        f"{of_algorithm_4(1024)} of algorithm 4's cycles, where {printed(1048412)} of "
        f"{printed(1053178)} are printed. {beside(1024)}",
        "report document-004",
        WITH_ELEMENTS,
    ),
    Item(
        "table 1",
        "cycles, elements, clock and time of algorithms 2, 4 and 6 at 64 to 2048 bits",
        REPRODUCED,
        table_1(),
        "report document-004",
        WITH_ELEMENTS,
    ),
    Item(
        "claim 1",
        "algorithm 6 takes 55 % to 59 % of the ALMs and 69 % to 85 % of the registers of "
        "algorithm 4",
        REFUTED,
        f"by table 1 it is {between(shares_of_algo_6('alms'))} of the ALMs and "
        f"{between(shares_of_algo_6('registers'))} of the registers: no width has "
        f"{printed(CLAIMED_SHARES['registers'][0])} %. That it takes less is so at every width",
        "documents 004",
        Basis(THEIR_FIGURES),
    ),
)
