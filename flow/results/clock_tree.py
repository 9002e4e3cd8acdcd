"""What a layout's clock tree takes, which the simulation of cycles knows nothing of."""

from flow.results.record import Record


class ClockTree(Record):
    """What the tree's buffers take inside in a cycle, fJ: those that always toggle, and those
    behind each gate, by its net, in a cycle in which it is open; what all leak, and the slowest
    slew at a register."""

    always_fj: float
    gated_fj: dict[str, float]
    leakage_nw: float
    slew_ns: float

    @property
    def all_fj(self) -> float:
        """What they take in a cycle with all gates open."""
        return self.always_fj + sum(self.gated_fj.values())
