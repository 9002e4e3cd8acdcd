"""What document 003 prints of its datapaths of S bits, for 1024-bit operands on a Virtex-E."""

from eval.printed.published import Published

NBITS = 1024
FIGURES = tuple(
    Published("slices", f"S = {bits}", NBITS, slices, "003, fig. 17.4")
    for bits, slices in ((32, 995), (64, 1188), (128, 1870), (256, 2902))
)
