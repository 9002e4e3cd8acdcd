"""The models of faults: a bit that is flipped or stuck, an instruction that is left out, and a
pair: a power that is wrong in a bit, and an instruction that is left out."""

FLIP, STUCK, SKIP, PAIR = MODELS = ("flip", "stuck", "skip", "pair")
OF_DRIVER = (SKIP, PAIR)
