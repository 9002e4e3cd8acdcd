"""The steps of the flow in their order, and which of them a run goes through."""

FRONT_END = ("rtl", "synthesis", "timing")
REPLAY = ("simulation", "power")  # of a recording
PROOF = ("equivalence",)
BACK_END = ("place", "route", "layout")
LAYOUT_ENERGY = "layout_energy"  # after the replay on the layout's netlist
NEED_RECORDING = (*REPLAY, LAYOUT_ENERGY)
STEPS = (*FRONT_END, *REPLAY, *PROOF, *BACK_END, LAYOUT_ENERGY)
LAST = FRONT_END[-1]  # of the steps that every design can go through
SUMMARY = "summary"  # after all others


def names_to(to: str, with_recording: bool) -> list[str]:
    """List the steps on the way to `to`, and that: those that replay a recording if there is one,
    the proof only if it is the aim."""
    left_out = PROOF if with_recording else (*PROOF, *REPLAY)
    return [*(name for name in STEPS[: STEPS.index(to)] if name not in left_out), to]
