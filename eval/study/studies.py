"""Studies: which points and workloads are measured together, at which clock."""

from collections.abc import Iterable
from dataclasses import dataclass

from eval.catalog import DESIGNS
from eval.catalog.point import Point
from eval.catalog.processor import HARDENED, SYSTEMS, Processor, System
from eval.printed.document_004 import TABLE_1 as TABLE_1_OF_004
from eval.tasks.fixed_multiplier import FORMS, FixedMultiplier, direct_at, pair_at
from eval.tasks.fpga import OnFpga
from eval.tasks.fpga_printed import tasks_to
from eval.tasks.harden import EQUIVALENCE, POWER, TIMING
from sim.errors import UserError

NAIVE_WIDTHS = (8, 16, 32, 64)
COMPARED_AT = 32  # document 001's width
NOISE_OF = ("mul-rem", "ssmm-small", "ssmm-best", "mont-best", "mont-pipe")
CLOCKS_OF = ("mul-rem", "ssmm-small", "ssmm-best", "mont-small", "mont-best")
ROUTED_ON_ECP5 = (
    *("mul-rem", "ssmm-004", "ssmm-small", "ssmm-best"),
    *("mmm-004", "mm-000", "mont-small", "mont-best"),
)
TABLE_004_QUICK = (64, 128, 256, 512)


@dataclass(frozen=True)
class Study:
    """Named points, measured under the same workloads and hardened for the same clock; systems,
    run with either divider; processors, hardened for that clock; table_004, the widths at which
    document 004's table 1 is measured; to, how far what is hardened goes through the flow; labels,
    what the study calls a design if not its name; gated, whether all that is hardened is so with
    gated clocks, too; noise, points mapped again under other names;
    clocks, points whose area-delay curve is found; layouts, points that are placed and routed;
    fixed_multipliers, those measured by themselves; fpga, units mapped to FPGAs."""

    name: str
    title: str
    points: tuple[Point, ...] = ()
    workloads: tuple[str, ...] = ("e", "d")
    clock_ns: float = 3.0
    systems: tuple[System, ...] = ()
    processors: tuple[Processor, ...] = ()
    table_004: tuple[int, ...] = ()
    to: str = TIMING
    gated: bool = False
    layouts: tuple[Point, ...] = ()
    fixed_multipliers: tuple[FixedMultiplier, ...] = ()
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


# Designs built for one modulus take minutes to map: they are in studies of their own.
GENERAL = {name for name, d in DESIGNS.items() if not d.moduli.only} - {"mul-rem"}


def points_of(designs: Iterable[str]) -> tuple[Point, ...]:
    """Designs at the width at which designs are compared."""
    return tuple(Point(design, COMPARED_AT) for design in designs)


FPGA_QUICK = tuple(OnFpga(Point(design, 64), "cyclonev") for design in ("mmm-004", "ssmm-004"))
ROUTED_QUICK = tuple(OnFpga(point, "ecp5") for point in points_of(("ssmm-best", "mont-best")))
ROUTED = tuple(OnFpga(point, "ecp5") for point in points_of(ROUTED_ON_ECP5))

SPLITS = (
    ("mont-001-1x32", "1 x 32"),
    ("mont-001-2x16", "2 x 16"),
    ("mont-001", "4 x 8"),
    ("mont-001-8x4", "8 x 4"),
)

PSEUDO_MODULUS = (
    *("near-power-4", "scaled-low-4", "scaled-high-4", "mont-digit-4"),
    *("near-power-16", "scaled-low-16", "scaled-high-16", "mont-digit-16"),
    *("mont-best", "cm-pseudo-2", "cm-pseudo-1"),
)
# Its trees fold as it says and, late, better; its MM with the modulus is mm-000.
EXPONENTIATORS_OF_000 = (
    *(f"{kind}-{u}" for kind in ("cm-modulus", "cm-late", "cm-pseudo") for u in (2, 1)),
    *(f"{kind}-{u}" for kind in ("dm-modulus", "dm-pseudo") for u in (2, 1)),
    *("mm-000", "mm-pseudo-2"),
)
PSEUDO_MODULUS_WITHOUT = (("near-power-16", 32), ("cm-pseudo-2", 64), ("cm-pseudo-1", 64))
MEASURED_FOR_ENERGY = ("mul-rem", "mont-001", "ssmm-best", "mont-best")
LAID_OUT = points_of(("mont-001", "mul-rem", "mont-best"))  # document 001's two, the longest first
PSEUDO_TABLES = (
    *FORMS,
    *(m for n in (4, 6, 8, 10) for m in (*pair_at(n), *direct_at(n)) if m not in FORMS),
)

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        Study(
            "default",
            "every design for any key at 32 bits, the naive one at 8 to 64, the processor's "
            "systems, document 004's table 1, 3 ns",
            (
                *(Point("mul-rem", nbits) for nbits in NAIVE_WIDTHS),
                *(p for p in every_design(COMPARED_AT) if p.design in GENERAL),
            ),
            systems=SYSTEMS,
            processors=HARDENED,
            table_004=TABLE_004_QUICK,
            to=POWER,
            layouts=LAID_OUT,
            noise=points_of(("ssmm-small",)),
            fpga=(*FPGA_QUICK, *ROUTED_QUICK),
        ),
        Study(
            "full",
            "every design at 8, 16, 32 and 64 bits, those of 32 placed and routed, the processor's "
            "systems, noise and area-delay curves, documents 000's and 004's tables, 3 ns",
            every_design(*NAIVE_WIDTHS),
            systems=SYSTEMS,
            processors=HARDENED,
            table_004=TABLE_004_QUICK,
            to=POWER,
            layouts=every_design(COMPARED_AT),
            noise=points_of(NOISE_OF),
            clocks=points_of(CLOCKS_OF),
            fixed_multipliers=PSEUDO_TABLES,
            fpga=(*tasks_to(1024), *ROUTED),
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
            "energy",
            "power and energy of accelerators and of the processor's systems, without and with "
            "gated clocks, at 32 bits, 3 ns",
            points_of(MEASURED_FOR_ENERGY),
            systems=SYSTEMS,
            processors=(
                Processor(),
                *(Processor(design, COMPARED_AT) for design in MEASURED_FOR_ENERGY),
            ),
            to=EQUIVALENCE,
            gated=True,
        ),
        Study(
            "mont-split",
            "mont-001 at 32 bits, each multiplier split into stages x steps a stage, 3 ns",
            points_of(design for design, _ in SPLITS),
            labels=SPLITS,
        ),
        Study(
            "noise",
            "how far synthesis moves a design's figures without cause, 32 bits, 3 ns",
            noise=points_of(NOISE_OF),
        ),
        Study(
            "clocks",
            "area-delay curves of the naive design and of the best ones, 32 bits",
            clocks=points_of(CLOCKS_OF),
        ),
        Study(
            "pseudo-modulus",
            "products modulo 2^n - k and c*m, and Montgomery's by digits, at 32 and 64 bits, 3 ns",
            tuple(
                Point(design, nbits)
                for nbits in (32, 64)
                for design in PSEUDO_MODULUS
                # Its digit has 4 bits at 32; trees of 64 bits take long.
                if (design, nbits) not in PSEUDO_MODULUS_WITHOUT
            ),
        ),
        Study(
            "pseudo-exponentiators",
            "document 000's tables 7 to 18: exponentiators by modulus or pseudo-modulus, at 8 and "
            "16 bits, as fast as they become (0.5 ns)",
            tuple(Point(design, nbits) for nbits in (8, 16) for design in EXPONENTIATORS_OF_000),
            clock_ns=0.5,
        ),
        Study(
            "pseudo-exponentiators-long",
            "the same up to 32 bits",
            tuple(Point(design, n) for n in (8, 16, 32) for design in EXPONENTIATORS_OF_000),
            clock_ns=0.5,
        ),
        Study(
            "layout",
            "document 001's accelerators and the best ones, placed and routed, 3 ns",
            layouts=(*LAID_OUT, *points_of(["ssmm-best"])),
        ),
        Study(
            "fpga",
            "documents' FPGA figures up to 1024 bits beside ours, and designs on ECP5 at 32 bits",
            fpga=(*tasks_to(1024), *ROUTED),
        ),
        Study(
            "fpga-long",
            "the same with the documents' figures at 2048 bits",
            fpga=(*tasks_to(2048), *ROUTED),
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
        Study(
            "pseudo-tables",
            "document 000's tables 3 and 5: multipliers by form of the modulus, up to 10 bits",
            fixed_multipliers=PSEUDO_TABLES,
        ),
        Study(
            "pseudo-tables-long",
            "the same up to 32 bits",
            fixed_multipliers=(*PSEUDO_TABLES, *pair_at(16), *direct_at(16), *pair_at(32)),
        ),
    )
}


def find_study(name: str) -> Study:
    """The study of that name; UserError with those that there are."""
    if name not in STUDIES:
        raise UserError(f"study: no study named {name!r}; choose from {', '.join(sorted(STUDIES))}")
    return STUDIES[name]
