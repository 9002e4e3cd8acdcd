"""Document 003's algorithms and figures."""

from eval.printed.items.item import BUILT, OTHERWISE, REFUTED, REPRODUCED, Item

ENCRYPTION = "simulate serial-pz-32 --nbits 1024 --workload e --level batch"

ITEMS = (
    Item(
        "algorithm 17.1.1",
        "a Montgomery product, a bit of A per addition, numbers of K + 3 bits",
        REFUTED,
        "sums reach K + 4 bits: 272 at K = 5. With M = ceil((K + 4)/S) words it is the product of "
        "serial-pz-S; at K = 1024 no word more",
        ENCRYPTION,
    ),
    Item(
        "algorithm 17.1.2",
        "exponentiation from the right, square and product side by side",
        BUILT,
        "serial-pz-S; the last square, which nobody needs, is left out",
        ENCRYPTION,
    ),
    Item(
        "figure 17.1",
        "memory section, P-processor, Z-processor and control",
        BUILT,
        "serial-pz-S; serial-p-S has no Z-processor",
        "simulate serial-p-32 --nbits 1024 --workload e --level batch",
    ),
    Item(
        "figure 17.2",
        "the data path: words are fetched, added and written in three stages",
        BUILT,
        "the same stages; a product takes (2M + 2) + (K + 3)M cycles",
        ENCRYPTION,
    ),
    Item(
        "figure 17.3",
        "slices and clock of each stage; the adder limits the clock",
        OTHERWISE,
        "by its own figures not at S = 32, where the memory takes 8.7 ns and the adder 7.4; we "
        "count the whole processor on a Virtex-E",
        "fpga serial-pz-32 --nbits 1024 --device virtexe",
    ),
    Item(
        "figure 17.4",
        "cycles and times of e = 2^16 + 1 at 1024 bits for S = 32 to 256",
        REPRODUCED,
        "645288, 332440, 176016 and 97804 cycles, to the cycle, beside loading and finding R^2; "
        "printed with those of S = 64 and 128 in each other's row, and 2.99 ms where 97804 cycles "
        "take 3.02",
        "report document-003",
    ),
)
