"""What the items of document 000 share: bases, commands, and what is wrong as printed."""

from eval.printed.document_000 import KEY_BITS, TABLE_5
from eval.printed.items.item import (
    ARITHMETIC,
    NONE,
    OTHER,
    OUR_DESIGN,
    SAME,
    THEIR_DESIGN,
    THEIR_FIGURES,
    Basis,
)
from eval.printed.items.quoted import Ours

BY_ARITHMETIC = Basis(ARITHMETIC)
BY_ITS_FIGURES = Basis(THEIR_FIGURES)
ITS_STEPS = Basis(THEIR_DESIGN, SAME, NONE)
ITS_DESIGN = Basis(THEIR_DESIGN, SAME, OTHER)  # 45 nm, where it has 180 nm or a Cyclone V
OUR_REMAINDER = Basis(OUR_DESIGN, OTHER, OTHER)  # yosys' in 45 nm, where it has Quartus'
OF_OURS = Basis(OUR_DESIGN, OTHER, OTHER)
OF_OUR_SCHEDULE = Basis(OUR_DESIGN, SAME, NONE)

MULTIPLIERS = "report pseudo-tables"
DERIVED = "documents 000 --derived"
PERIPHERAL = "simulate ssmm-best --nbits 32 --workload e --unit peripheral"
ON_THE_BUS = "rsa mont-best --nbits 128 --unit peripheral"
AS_PRINTED = "simulate mm-printed-2 --nbits 32 --workload d"
AS_PRINTED_PSEUDO = "simulate mm-printed-pseudo-2 --nbits 32 --workload d"
REPEATED = "schedule repeated --base 3 --exp 23 --mod 29"
FROM_THE_RIGHT = "schedule right-to-left --base 3 --exp 23 --mod 29 --steps"
WRONG_4 = "schedule left-to-right-as-printed --base 3 --exp 4 --mod 101"
WRONG_7 = "schedule k-ary-as-printed --base 3 --exp 16 --mod 101"
WRONG_8 = "schedule sliding-as-printed --base 3 --exp 1 --mod 101"
ALL_DIGITS = "schedule k-ary --base 3 --exp 0x1111 --mod 101"
ONE_DIGIT = "schedule k-ary --base 3 --exp 65536 --mod 101"
SLIDING = "schedule left-windows --base 3 --exp 0xffff --mod 101"
WIDTH = 4  # of the runs above
LONGEST = KEY_BITS[-1]
FIRST = TABLE_5[0].modulus


def wrong(command: str) -> str:
    """Quote what an algorithm makes as printed, and what is right."""
    return f"{Ours(command, 'result')()} where {Ours(command, 'right')()} is right"
