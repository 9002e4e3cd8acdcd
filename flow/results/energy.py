"""What gate-level simulation and its power say, by window of the workload."""

from flow.results.record import Metrics, Record


class Power(Record):
    """Power by what takes it, in mW."""

    internal: float
    switching: float
    clock: float
    leakage: float
    total: float

    @property
    def clock_share(self) -> float:
        """The share that the clock takes."""
        return self.clock / self.total


class ModulePower(Power):
    """The same of the cells directly inside a module."""

    module: str


class Sampled(Record):
    """The cycles of a window that were simulated with delays."""

    cycles: int
    toggle_factor: float
    power_mw: float
    power_with_glitches_mw: float


class Pieces(Record):
    """The pieces of a long window that were simulated, or its parts, if only a stretch of each was
    with delays; and how far off energies may be for it: twice the standard error, by the spread of
    these."""

    count: int
    cycles: int
    energy_error_nj: float
    energy_with_glitches_error_nj: float


class Window(Record):
    """Power and energy of a window."""

    cycles: int
    power_mw: Power
    energy_nj: float
    energy_with_glitches_nj: float
    modules: list[ModulePower]
    sampled: Sampled | None = None
    pieces: Pieces | None = None


class Operation(Record):
    """Energy of an operation, less that of its dummy call; that with glitches may be off by
    the error, if not all cycles were simulated with delays."""

    cycles: int
    power_mw: float
    energy_nj: float
    energy_with_glitches_nj: float
    dummy_energy_nj: float
    dummy_energy_with_glitches_nj: float
    energy_error_nj: float | None = None


class Energy(Record):
    """Power and energy of all windows, and of the operations among them."""

    windows: dict[str, Window]
    operations: dict[str, Operation]
    clock_period_ns: float
    voltage_v: float
    wires: str
    method: dict[str, str]

    def metrics(self) -> Metrics:
        """Take power and energy of each window as metrics."""
        found: Metrics = {}
        for name, window in self.windows.items():
            found |= {
                f"power_{name}_mw": window.power_mw.total,
                f"energy_{name}_nj": window.energy_nj,
                f"energy_{name}_with_glitches_nj": window.energy_with_glitches_nj,
            }
        return found


class SimulatedPiece(Record):
    """A stretch of cycles that was simulated, so many of them with delays."""

    cycles: int
    sampled: int


class SimulatedWindow(Record):
    """What all nets but clocks did in a window, and, if some clocks are gated, in which share of
    its cycles a register is clocked."""

    cycles: int
    pieces: list[SimulatedPiece]
    toggles: int
    sampled_cycles: int
    sampled_toggles: int
    delayed_toggles: int
    toggle_factor: float
    clocked: float = 1.0


class Simulation(Record):
    """The gate-level simulation, by window."""

    windows: dict[str, SimulatedWindow]
    cycles: int
    outputs_compared: int
    workload_sha256: str
    nets: int
    stray_bits: int
    latest_ns: float
