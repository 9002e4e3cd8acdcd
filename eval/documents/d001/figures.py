"""What document 001 prints of its four systems, at 32 bits and 3 ns, and how it came by it.

Cycles are those of table 1, areas of table 2b, power and energy of table 3: all of a call less the
same call returning a constant, the dummy call.
"""

from math import isqrt

from eval.catalog.workloads import WORKLOADS
from eval.documents.document import written
from eval.documents.systems import Call, PrintedSystem

TOOLS = (
    "the document's synthesis is Synopsys's with its DesignWare library; it does not name its "
    "cells, which are taken to be the NanGate 45 nm ones"
)
STAGE = "the document's areas are those of its layouts (its figure 15), with clock tree and buffers"
CLOCK = "the document constrains the clock to 3 ns and does not say by how much it is met"

SYSTEMS = tuple(
    PrintedSystem(one["title"], one["area_um2"], {w: Call(*one[w]) for w in WORKLOADS})
    for one in written("001")["systems"]
)

NBITS = 32
DUMMY_CYCLES = 9  # of the call that returns a constant
# As table 1 prints them with the dummy call, and what it makes of its figures; by the four systems.
WITH_DUMMY = {"e": (3532, 3590, 1071, 178), "d": (8157, 5144, 1849, 243)}
SPEEDUP_OF_NAIVE_C = {"e": (None, 0.98, 3.32, 20.85), "d": (None, 1.59, 4.43, 34.82)}
SPEEDUP_OF_MONTGOMERY_C = {"e": (1.02, None, 3.37, 21.19), "d": (0.63, None, 2.79, 21.94)}
# Of table 2: both accelerators and the systems with none and with either. All are whole multiples
# of 0.19 um * 1.4 um, the least cell of NanGate's library; each accelerator's units are a mean.
ACCELERATORS_UM2 = (17512.376, 75283.586)
SYSTEMS_UM2 = (21434.812, 38658.046, 96137.986)
UNITS_UM2 = ((7776.377, 2), (13846.736, 5))
SITE_UM2 = 0.266
SAID_DIFFERENCE_UM2 = 57726.21  # of the accelerators, section 5.2
SAID_PRODUCTS = 17  # of an exponentiation by 65537, section 2.1.3
# The least N for which a product below N^2 and m * N, m = 2^32 - 1, add up to 2^64.
LEAST_OVERFLOW = next(
    n
    for n in range(isqrt(5 << 62) - (1 << 31) - 2, 1 << 32)
    if (n - 1) ** 2 + ((1 << 32) - 1) * n >= 1 << 64
)
