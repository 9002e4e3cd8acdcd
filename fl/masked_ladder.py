"""The Montgomery ladder whose exponent is two random shares, around any unit.

Its products are those of the ladder. Two registers keep its values, and neither of them is always
the one that is squared. As a bit ends, share 0 says which register takes the product; the other one
takes the square. Before the next bit share 1 says which register is squared: the sum mod 2 of what
both say is whether the bits differ (fl/array_masked.py).
"""

from dataclasses import replace

from fl.schedule import LADDER

MASKED_LADDER = replace(
    LADDER, name="masked-ladder", text="Montgomery ladder by two shares of the exponent,"
)
