"""What mapping to an FPGA, and routing on it, say."""

from flow.results.record import Record


class FpgaMap(Record):
    """The cells of an FPGA that a design takes, and whether its hierarchy was flattened, kept, or
    kept of modules that are repeated."""

    device: str
    method: str
    hierarchy: str
    mapped_once: list[str]
    operators: int
    cells: dict[str, int]


class Shell(Record):
    """What the shell around a routed design takes."""

    luts: int
    ffs: int


class RouterRun(Record):
    """What the router reached from one start."""

    seed: int
    fmax_mhz: float
    luts: int
    ffs: int


class FpgaRoute(Record):
    """The runs of the router on an FPGA."""

    device: str
    target_mhz: float
    shell: Shell
    runs: list[RouterRun]
