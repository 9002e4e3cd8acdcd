"""Document 000's equations that say what can be checked."""

from eval.printed import derived_000 as derived
from eval.printed.items.item import BUILT, OTHERWISE, REFUTED, REPRODUCED, Item
from eval.printed.items.of_000.common import (
    ALL_DIGITS,
    BY_ARITHMETIC,
    ITS_STEPS,
    LONGEST,
    ON_THE_BUS,
    ONE_DIGIT,
    OUR_REMAINDER,
    SLIDING,
    WIDTH,
)
from eval.printed.items.quoted import Ours, follows
from fl.pkcs1 import OVERHEAD

EQUATIONS = (
    Item(
        "equation 18",
        "2^w - 2 + (1 + 1/w) log2 e products at most by digits of w bits",
        REPRODUCED,
        "holds where the first digit's power is taken from the table. As algorithm 7 begins, from "
        f"1, it can take up to w + 1 products more: {Ours(ALL_DIGITS, 'products')()} for "
        f"e = 0x1111, w = {WIDTH}, where the limit is "
        f"{follows(derived.most_products(0x1111, WIDTH), '.1f')}",
        ALL_DIGITS,
        BY_ARITHMETIC,
    ),
    Item(
        "equation 19",
        "2^w - 2 + log2 e products for powers of two",
        REPRODUCED,
        "at most so many, and so many where w divides log2 e, if the first digit's power is taken "
        f"from the table. From 1, {Ours(ONE_DIGIT, 'products')()} products for e = 2^16, w = "
        f"{WIDTH}, w + 1 more than the {follows(derived.products_of_power(16, WIDTH))} of the "
        "equation",
        ONE_DIGIT,
        BY_ARITHMETIC,
    ),
    Item(
        "equation 20",
        "sliding windows take O(n/w * w + 2^w)",
        REPRODUCED,
        "true as an order, but w cancels: it does not say what windows save. "
        f"{Ours(SLIDING, 'squarings')()} squarings and {Ours(SLIDING, 'multiplications')()} "
        f"products of two values for e = 0xffff, w = {WIDTH}; odd powers alone are kept, 2^(w - 1)",
        SLIDING,
        BY_ARITHMETIC,
    ),
    Item(
        "equation 22",
        "k is the sum of 2^(2i) for i = 0 to n/2",
        REFUTED,
        f"for n = 4 that is {follows(derived.k_of_equation_22(4))}, and table 4 has 5: the sum "
        "ends at "
        "i = n/2 - 1, and 3 * (2^n + k) is 2^(n+2) - 1 only so",
        "pseudo 21",
        BY_ARITHMETIC,
    ),
    *(
        Item(name, says, verdict, found, "flow dm-modulus-2 --nbits 8 --unit multiplier", basis)
        for name, says, verdict, found, basis in (
            (
                "equation 24",
                "the direct multiplier's product, C = A * B",
                BUILT,
                "the first part of dm-modulus-2's unit",
                ITS_STEPS,
            ),
            (
                "equation 25",
                "and its remainder, R = C mod m",
                BUILT,
                "the second part of it, an operator % by a constant",
                ITS_STEPS,
            ),
            (
                "equation 26",
                "both in one expression, which Quartus makes the same hardware of",
                OTHERWISE,
                "a product and an operator % behind each other are the one way here, flattened "
                "before they are mapped; Quartus was not asked",
                OUR_REMAINDER,
            ),
        )
    ),
    Item(
        "equation 27",
        "a message has at most key bits / 8 - 11 bytes",
        REPRODUCED,
        f"{LONGEST // 8 - OVERHEAD} bytes for {LONGEST} bits, by the peripheral, too",
        ON_THE_BUS,
        ITS_STEPS,
    ),
    Item(
        "equation 28",
        "the padding has key bits / 8 - message bytes - 3 bytes",
        REPRODUCED,
        f"{follows(derived.padding_bytes(LONGEST, LONGEST // 8 - OVERHEAD))} bytes around the "
        "longest "
        "message, the least that there may be, and the more the shorter it is",
        ON_THE_BUS,
        ITS_STEPS,
    ),
)
