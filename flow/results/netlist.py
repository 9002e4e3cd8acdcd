"""What synthesis, timing and the proof of equivalence say of a netlist."""

from flow.results.record import Record

MIXED = "mixed"  # a netlist of modules by several recipes
COMPOSED = "composed"  # the same, for several clocks


class Rtl(Record):
    """What is in the Verilog, and what is wrong with it."""

    verilog_sha256: str
    verilog_lines: int
    modules: list[str]
    operators: dict[str, int]
    widest_adder: int
    factor_bits: int
    undriven: list[str]
    problems: list[str]


class Module(Record):
    """The cells directly inside a module, of each instance and of all. The recipe ends with the
    clock that it was mapped for, if that is another one: "area@3"."""

    module: str
    instances: int
    submodules: dict[str, int]
    cells_each: int
    area_each_um2: float
    area_each_with_submodules_um2: float
    area_um2: float
    sequential_area_um2: float
    recipe: str

    @property
    def by(self) -> str:
        """The recipe without that clock."""
        return self.recipe.partition("@")[0]


class Resized(Record):
    """How a netlist was before its gates were sized, how many have another strength since, and how
    often they were timed for that."""

    gates: int
    area_before_um2: float
    period_before_ns: float | None
    trials: int


class Candidate(Record):
    """A netlist by one recipe, or by several."""

    recipe: str
    area_um2: float
    cells: int
    setup_slack_ns: float | None
    period_ns: float | None
    clock_met: bool
    seconds: float = 0.0  # not known of one from the atlas
    trials: int | None = None
    resized: Resized | None = None


class Attempt(Record):
    """A recipe that was tried: its netlist, of which a Candidate has more, or why there is none: an
    error, or that it was beaten before it was through."""

    recipe: str
    seconds: float = 0.0
    error: str | None = None
    beaten: str | None = None
    area_um2: float | None = None
    cells: int = 0
    period_ns: float | None = None
    clock_met: bool = False
    resized: Resized | None = None


class Gating(Record):
    """How many clock gates a netlist has, what they clock, and how early their enables are."""

    least_registers: int
    clock_gates: int
    gated_registers: int
    registers: int


class Synthesis(Record):
    """The netlist that was taken, the best of either kind, and all that were tried."""

    recipe: str
    flatten: tuple[str, ...]
    mapping: str
    modules: list[Module]
    hierarchical: Candidate | None
    flat: Candidate | None
    front: list[Attempt]
    unmapped: list[str]
    gating: Gating | None = None


class Stretch(Record):
    """A part of a path that stays inside one instance."""

    instance: str
    module: str
    delay_ns: float


class PathPoint(Record):
    """A cell on a path, by its output."""

    pin: str
    cell: str
    delay_ns: float
    at_ns: float
    instance: str
    module: str


class Path(Record):
    """The slowest path from register to register."""

    start: str
    end: str
    arrival_ns: float
    through: list[Stretch]
    points: list[PathPoint]


class InCorner(Record):
    """The slacks and the minimum period in a corner, and where its worst hold path begins."""

    corner: str
    process: str
    setup_slack_ns: float | None
    hold_slack_ns: float | None
    period_ns: float | None
    hold_start: str | None


class Timing(Record):
    """What OpenSTA says of the netlist: in the corner of setup, and in each. Untimed are endpoints
    that no constraint reaches, though they are not constant."""

    clock_period_ns: float
    critical_path: Path | None
    registers: int
    unconstrained_endpoints: int
    combinational_loops: int
    constraints: dict[str, str | float | None]
    enable_slack_ns: float | None = None
    corners: list[InCorner] = []
    untimed: list[str] = []


class Equivalence(Record):
    """Whether netlist and RTL were proved equal, and what the proof went by."""

    outcome: str
    trusted: list[str]
    seconds: float = 0.0
    registers: int | None = None
    registers_paired: int | None = None
    registers_always_0: int | None = None
    registers_twins: int | None = None
    outputs_compared: int | None = None
