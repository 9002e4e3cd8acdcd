"""The files of this folder that hold entries."""

# Each has MULTIPLIERS, DESIGNS, and perhaps VARIANTS, designs with another parameter for studies of
# them, which are named, not contract-tested, and FAMILIES, which make designs of parameters.
FILES = (
    "naive",
    "shift_sub",
    "interleaved",
    "tiny",
    "montgomery",
    "by_digits",
    "systolic",
    "array",
    "array_blinded",
    "digit_serial",
    "fixed_modulus",
    "what_if",
)
