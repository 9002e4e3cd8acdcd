"""Studies: which points and workloads are measured together, at which clock."""

from dataclasses import dataclass

from eval.catalog import DESIGNS
from eval.fpga import OnFpga
from eval.fpga_printed import tasks_to
from eval.points import Point
from eval.printed_004 import TABLE_1 as TABLE_1_OF_004
from eval.systems import HARDENED, SYSTEMS, Processor, System
from sim.errors import UserError

NAIVE_WIDTHS = (8, 16, 32, 64)
COMPARED_AT = 32  # document 001's width
NOISE_OF = ("mul-rem", "ssmm-small", "ssmm-best", "mont-best", "mont-pipe")
CLOCKS_OF = ("mul-rem", "ssmm-small", "ssmm-best", "mont-small", "mont-best")
TABLE_004_QUICK = (64, 128, 256, 512)


@dataclass(frozen=True)
class Study:
    """Named points, measured under the same workloads and hardened for the same clock; systems,
    run with either divider; processors, hardened for that clock; table_004, the widths at which
    document 004's table 1 is measured; labels, what the study calls a design if not its name;
    noise, points mapped again under other names; clocks, points whose area-delay curve is found;
    fpga, units mapped to FPGAs."""

    name: str
    title: str
    points: tuple[Point, ...] = ()
    workloads: tuple[str, ...] = ("e", "d")
    clock_ns: float = 3.0
    systems: tuple[System, ...] = ()
    processors: tuple[Processor, ...] = ()
    table_004: tuple[int, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    noise: tuple[Point, ...] = ()
    clocks: tuple[Point, ...] = ()
    fpga: tuple[OnFpga, ...] = ()

    def label(self, design: str) -> str:
        """What the study calls a design."""
        return dict(self.labels).get(design, design)


def every_design(*widths: int) -> tuple[Point, ...]:
    """All designs of the catalog at those of the widths that they have."""
    return tuple(
        Point(name, nbits)
        for name, design in DESIGNS.items()
        for nbits in widths
        if design.widths[0] <= nbits <= design.widths[1]
    )


FPGA_DEFAULT = (
    OnFpga(Point("mmm-004", 64), "cyclonev"),
    OnFpga(Point("ssmm-004", 64), "cyclonev"),
    OnFpga(Point("ssmm-best", COMPARED_AT), "ecp5"),
    OnFpga(Point("mont-best", COMPARED_AT), "ecp5"),
)
FPGA_ROUTED = tuple(OnFpga(point, "ecp5") for point in every_design(COMPARED_AT))

SPLITS = (
    ("mont-001-1x32", "1 x 32"),
    ("mont-001-2x16", "2 x 16"),
    ("mont-001", "4 x 8"),
    ("mont-001-8x4", "8 x 4"),
)

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        Study(
            "default",
            "every design at 32 bits, the naive one at 8 to 64, the processor's systems, "
            "document 004's table 1, 3 ns",
            (
                *(Point("mul-rem", nbits) for nbits in NAIVE_WIDTHS),
                *(p for p in every_design(COMPARED_AT) if p.design != "mul-rem"),
            ),
            systems=SYSTEMS,
            processors=HARDENED,
            table_004=TABLE_004_QUICK,
            fpga=FPGA_DEFAULT,
        ),
        Study(
            "full",
            "every design at 8, 16, 32 and 64 bits, and the processor's systems, 3 ns",
            every_design(*NAIVE_WIDTHS),
            systems=SYSTEMS,
            processors=HARDENED,
            table_004=TABLE_004_QUICK,
            fpga=(*tasks_to(1024), *FPGA_ROUTED),
        ),
        Study(
            "fpga",
            "documents' FPGA figures up to 1024 bits beside ours, every design at 32 bits on ECP5",
            fpga=(*tasks_to(1024), *FPGA_ROUTED),
        ),
        Study(
            "quick", "the naive design at 8 bits, 3 ns: to try the tools", (Point("mul-rem", 8),)
        ),
        Study(
            "systems",
            "document 001's systems: the processor alone and with accelerators, 3 ns",
            systems=SYSTEMS,
            processors=HARDENED,
        ),
        Study(
            "mont-split",
            "mont-001 at 32 bits, each multiplier split into stages x steps a stage, 3 ns",
            tuple(Point(design, COMPARED_AT) for design, _ in SPLITS),
            labels=SPLITS,
        ),
        Study(
            "noise",
            "how far synthesis moves a design's figures without cause, 32 bits, 3 ns",
            noise=tuple(Point(design, COMPARED_AT) for design in NOISE_OF),
        ),
        Study(
            "clocks",
            "area-delay curves of the naive design and of the best ones, 32 bits",
            clocks=tuple(Point(design, COMPARED_AT) for design in CLOCKS_OF),
        ),
        Study(
            "table-004",
            "document 004's table 1, measured up to 512 bits",
            table_004=TABLE_004_QUICK,
        ),
        Study(
            "table-004-long",
            "document 004's table 1, measured at all its widths, up to 2048 bits",
            table_004=tuple(row.nbits for row in TABLE_1_OF_004),
        ),
    )
}


def find_study(name: str) -> Study:
    """The study of that name; UserError with those that there are."""
    if name not in STUDIES:
        raise UserError(f"study: no study named {name!r}; choose from {', '.join(sorted(STUDIES))}")
    return STUDIES[name]
