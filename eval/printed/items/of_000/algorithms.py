"""Document 000's algorithms."""

from eval.printed.items.item import BUILT, REFUTED, Item
from eval.printed.items.of_000.common import (
    AS_PRINTED,
    BY_ARITHMETIC,
    FROM_THE_RIGHT,
    ITS_STEPS,
    REPEATED,
    WRONG_4,
    WRONG_7,
    WRONG_8,
    wrong,
)
from eval.printed.items.quoted import Ours

ALGORITHMS = (
    Item(
        "algorithm 1",
        "Montgomery's product, with a subtraction where u >= n",
        REFUTED,
        "n is none of its inputs: with n the bits of m it takes m from results below m. With m in "
        "its place it is right, and mont-small makes this product step by step",
        "simulate mont-small --nbits 32 --workload e",
        BY_ARITHMETIC,
    ),
    Item(
        "algorithm 2",
        "the same without the subtraction, n + 2 steps",
        BUILT,
        "mm-000's unit, a step per cycle; the printed 1_i is q_i",
        "flow mm-000 --nbits 32 --unit multiplier",
        ITS_STEPS,
    ),
    Item(
        "algorithm 3",
        "exponentiation by repeated products",
        BUILT,
        f"in integers: 3^23 mod 29 takes {Ours(REPEATED, 'products')()} products, as many as the "
        "exponent says. No hardware, as the exponents of keys are long",
        REPEATED,
        ITS_STEPS,
    ),
    Item(
        "algorithm 4",
        "binary exponentiation from the left",
        REFUTED,
        f"it takes the exponent's bits from the wrong end and makes of 3^4 mod 101 {wrong(WRONG_4)}"
        "; 65537 reads the same both ways. Put right, it is schedule left-to-right",
        WRONG_4,
        BY_ARITHMETIC,
    ),
    Item(
        "algorithm 5",
        "binary exponentiation from the right",
        BUILT,
        "product by product; in hardware the loop of all designs with two units",
        FROM_THE_RIGHT,
        ITS_STEPS,
    ),
    Item(
        "algorithm 6",
        "the same by Montgomery's products",
        BUILT,
        "mm-printed-2: 1 and the base go into the domain side by side, the result out of it; "
        "mm-000 converts the base only, a product less, and finds R^2 itself",
        AS_PRINTED,
        ITS_STEPS,
    ),
    Item(
        "algorithm 7",
        "exponentiation by m-ary digits",
        REFUTED,
        "it takes the digits from the wrong end, as algorithm 4: with digits of 4 bits it makes of "
        f"3^16 mod 101 {wrong(WRONG_7)}. Put right, it is schedule k-ary",
        WRONG_7,
        BY_ARITHMETIC,
    ),
    Item(
        "algorithm 8",
        "exponentiation by sliding windows",
        REFUTED,
        f"it only squares where the exponent has a 1, and makes of 3^1 mod 101 {wrong(WRONG_8)}. "
        "Put right, it is schedule left-windows. Hardware here has windows of a fixed length, "
        "whose time tells nothing",
        WRONG_8,
        BY_ARITHMETIC,
    ),
)
