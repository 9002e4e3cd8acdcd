"""What document 002 prints of its systolic array of radix 2^16 on an Artix-7."""

from eval.printed.published import Published

# What, bits, table: look-up tables, registers, DSP blocks.
_TABLES = (
    ("multiplier", 512, 1, (3098, 2670, 34)),
    ("multiplier", 1024, 2, (6736, 5337, 66)),
    ("multiplier", 2048, 3, (12854, 10648, 130)),
    ("exponentiator", 1024, 5, (7587, 9499, 66)),
)
FIGURES = tuple(
    Published(resource, what, nbits, value, f"002, table {table}")
    for what, nbits, table, values in _TABLES
    for resource, value in zip(("luts", "ffs", "dsp"), values, strict=True)
)
