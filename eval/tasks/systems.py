"""The systems: the processor with what computes, and the benchmark."""

from dataclasses import dataclass

from eval.catalog.processor import ALONE, NULL, Processor

AS_PRINTED = ", as printed"  # the end of the title where ours of that name is another one


@dataclass(frozen=True)
class System:
    """A system's title, what the processor has attached, and the variant of the benchmark: the
    function that it measures."""

    title: str
    attached: str
    variant: str

    def on(self, divider: str) -> Processor:
        """Name our processor with a divider."""
        return Processor(self.attached, divider=divider)


NAIVE = System("naive C", NULL, "naive")
MONTGOMERY = System("Montgomery C", NULL, "mont")
SYSTEMS = (
    NAIVE,
    MONTGOMERY,
    System("naive accelerator", "mul-rem", "xcel"),
    System("Montgomery accelerator", "mont-001", "xcel"),
)
# With the program and the divider of a document, which its table 1 compares.
OF_TABLE_1 = (
    NAIVE,
    System(f"Montgomery C{AS_PRINTED}", NULL, "mont_printed"),
    System(f"naive accelerator{AS_PRINTED}", "mul-rem-001", "xcel"),
    SYSTEMS[-1],
)
ALL_SYSTEMS = tuple(dict.fromkeys((*SYSTEMS, *OF_TABLE_1)))
PROCESSORS = (Processor(ALONE), *dict.fromkeys(system.on("seed") for system in SYSTEMS))


def system_of(attached: str, variant: str) -> System | None:
    """Find the system of what is attached and a variant, if there is one."""
    return next((s for s in ALL_SYSTEMS if (s.attached, s.variant) == (attached, variant)), None)


def variants_of(processor: Processor) -> tuple[str, ...]:
    """List the variants of the benchmark that a system runs: software without an accelerator."""
    found = tuple(s.variant for s in SYSTEMS if s.attached == processor.attached)
    return found or ("xcel",)
