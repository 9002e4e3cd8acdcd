"""The models of faults: a bit that is flipped or stuck, and an instruction that is left out."""

FLIP, STUCK, SKIP = MODELS = ("flip", "stuck", "skip")
