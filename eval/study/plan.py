"""The tasks that studies are made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from eval.catalog.point import Point
from eval.catalog.processor import ALONE, DIVIDERS, SYSTEM, Processor, Target
from eval.catalog.workloads import WORKLOADS
from eval.documents.on_fpga import tasks_to
from eval.documents.published import compared
from eval.tasks.clocks import Curve
from eval.tasks.corners import Corners
from eval.tasks.execution import Execution
from eval.tasks.execution_section import on_system
from eval.tasks.flow_run.task import TIMING, FlowRun
from eval.tasks.fpga.task import OnFpga
from eval.tasks.kinds import task_class
from eval.tasks.layout.task import LaidOut
from eval.tasks.leakage.task import Leakage
from eval.tasks.rsa import Rsa
from eval.tasks.signoff.task import Signoff
from eval.tasks.simulation import Simulation
from eval.tasks.supply import Supply
from eval.tasks.systems import ALL_SYSTEMS, PROCESSORS, SYSTEMS
from eval.tasks.task import Task
from eval.tasks.timing import TimeTells
from eval.tasks.unit import ACCELERATOR, MULTIPLIER
from fl.rsa_private import BY_POWERS
from flow.technologies.asked import DEFAULT
from flow.technologies.technology import technology

SYSTEM_FILL = 25  # % of the core of a laid-out system that is cells
COMPARED_AT = 32  # bits at which designs are compared


@dataclass(frozen=True)
class Plan:
    """Makes tasks for a clock, in a technology."""

    clock_ns: float
    tech: str = DEFAULT

    def designs(self, points: Iterable[Point], to: str = TIMING, gated: bool = False) -> list[Task]:
        """Measure the workloads and the accelerator of each point, and its multiplier where a
        document prints a figure of that."""
        tasks: list[Task] = []
        for point in points:
            tasks += self.simulations([point])
            tasks += self._runs(point, ACCELERATOR, to, gated)
            if any(figure.unit == MULTIPLIER for figure in compared(point)):
                tasks.append(FlowRun(point, MULTIPLIER, self.clock_ns, tech=self.tech))
        return tasks

    def simulations(
        self, points: Iterable[Point], workloads: Iterable[str] = tuple(WORKLOADS)
    ) -> list[Simulation]:
        """Measure the cycles of workloads on each point."""
        return [Simulation(point, workload) for point in points for workload in workloads]

    def on_processor(self, nbits: int, operations: Iterable[str], design: str) -> list[Rsa]:
        """Run RSA's operations with a key of so many bits in software, and sign with accelerators
        of half the bits, checked."""
        by_primes = Rsa(nbits, "crt", design, "primes")
        return [*(Rsa(nbits, operation) for operation in operations), by_primes]

    def by_key(self, nbits: int, design: str) -> list[Rsa]:
        """Sign and verify by an accelerator that has a key of so many bits in its parts."""
        return [Rsa(nbits, operation, design) for operation in ("private", "e")]

    def signatures(self, nbits: int, design: str, mask_bits: int) -> list[Rsa]:
        """Sign by both primes, plain, checked against faults by the accelerator in either way, and
        blinded in either way."""
        plain = Rsa(nbits, "crt", design)
        return [
            plain,
            *(replace(plain, check=check) for check in BY_POWERS),
            replace(plain, blind_base=True),
            replace(plain, mask_bits=mask_bits),
        ]

    def systems(self, as_printed: bool = False) -> list[Execution]:
        """Run the systems, with either divider; as_printed: with a document's own program and
        accelerator, too."""
        systems = ALL_SYSTEMS if as_printed else SYSTEMS
        return [on_system(system, divider) for system in systems for divider in DIVIDERS]

    def processors(
        self,
        processors: Sequence[Processor] = PROCESSORS,
        to: str = TIMING,
        gated: bool = False,
    ) -> list[Task]:
        """Take processors through the flow, the last of them first: it is the largest."""
        return [
            run
            for processor in reversed(processors)
            # By itself it has the accelerator's port, and no program runs.
            for run in self._runs(
                processor, SYSTEM, TIMING if processor.attached == ALONE else to, gated
            )
        ]

    def with_accelerators(self, designs: Iterable[str]) -> list[Processor]:
        """Name the processor with a null accelerator, and with each design's."""
        return [Processor(), *(Processor(design, COMPARED_AT) for design in designs)]

    def _runs(self, target: Target, unit: str, to: str, gated: bool) -> list[FlowRun]:
        """Take a unit as it is, and with gated clocks if these are wanted, too."""
        plain = FlowRun(target, unit, self.clock_ns, to, tech=self.tech)
        return [plain, replace(plain, gated=True)] if gated else [plain]

    def layouts(self, points: Iterable[Point], gated: bool = False) -> list[LaidOut]:
        """Place and route the accelerators."""
        return [LaidOut(point, ACCELERATOR, self.clock_ns, gated=gated) for point in points]

    def signed_off(self, points: Iterable[Point]) -> list[Signoff]:
        """Check the layouts of accelerators by their files."""
        return [Signoff(point, ACCELERATOR, self.clock_ns) for point in points]

    def system_layouts(self, designs: Iterable[str]) -> list[LaidOut]:
        """Place and route the processor with a null accelerator, and with each design's: its wires
        are so many that their cores are filled less than those of accelerators."""
        systems = reversed(self.with_accelerators(designs))  # the largest first
        return [LaidOut(one, SYSTEM, self.clock_ns, fill=SYSTEM_FILL) for one in systems]

    def each(self, kind: str, points: Iterable[Point]) -> list[Task]:
        """Ask each point what a kind asks about designs at a clock."""
        return [task_class(kind)(point, self.clock_ns, tech=self.tech) for point in points]

    def curves(self, points: Iterable[Point], energy: bool = True) -> list[Task]:
        """Measure cycles, and area, shortest period and energies over the clock, of each point; at
        the longest clock the curve has no more than area and timing."""
        tasks: list[Task] = []
        for point in points:
            tasks += self.designs([point])
            tasks.append(Curve(point, self.clock_ns, energy, tech=self.tech))
        return tasks

    def in_technology(self, tech: str) -> "Plan":
        """Plan for another technology, at its usual clock."""
        return Plan(technology(tech).clock_ns, tech)

    def accelerators(self, points: Iterable[Point], to: str = TIMING) -> list[Task]:
        """Take the accelerators through the flow, without their multipliers."""
        return [run for point in points for run in self._runs(point, ACCELERATOR, to, False)]

    def in_corners(self, points: Iterable[Point], tech: str) -> list[Corners]:
        """Tell one netlist of each point in every corner of a technology."""
        return [Corners(point, technology(tech).clock_ns, tech=tech) for point in points]

    def at_supplies(self, points: Iterable[Point], tech: str) -> list[Supply]:
        """Tell each point at lower supplies, in a technology with transistors."""
        return [Supply(point, technology(tech).clock_ns, tech=tech) for point in points]

    def timings(self, points: Iterable[Point]) -> list[TimeTells]:
        """Find what time leaks of each point."""
        return [TimeTells(point) for point in points]

    def leakages(
        self,
        points: Iterable[Point],
        blind_base: bool = False,
        mask_bits: int = 0,
        level: str = "rtl",
    ) -> list[Leakage]:
        """Find what power tells of each point, which may be blinded."""
        return [Leakage(point, None, blind_base, mask_bits, level) for point in points]

    def on_fpga(self, device: str, points: Iterable[Point]) -> list[OnFpga]:
        """Map exponentiators to an FPGA."""
        return [OnFpga(point, device) for point in points]

    def on_printed_fpgas(self, nbits: int, device: str | None = None) -> list[OnFpga]:
        """Map our units beside the documents' FPGA figures of at most so many bits; of all devices
        if none is named."""
        return [task for task in tasks_to(nbits) if device in (None, task.device)]

    def points(self, designs: Iterable[str], *widths: int) -> list[Point]:
        """Name designs at each width, or at that at which designs are compared."""
        return [Point(design, nbits) for nbits in widths or (COMPARED_AT,) for design in designs]

    def every_design(self, *widths: int) -> list[Point]:
        """Name all designs of the catalog at those of the widths that they have."""
        from eval.catalog import DESIGNS

        return [
            Point(name, nbits)
            for name, design in DESIGNS.items()
            for nbits in widths or (COMPARED_AT,)
            if design.widths[0] <= nbits <= design.widths[1]
        ]

    def for_any_key(self) -> list[Point]:
        """Name all designs but those built for one modulus, which take minutes to map."""
        return [point for point in self.every_design() if not point.entry.moduli.only]
