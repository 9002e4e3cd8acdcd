"""Our systems beside document 001's four: the processor with what computes, and the benchmark."""

from dataclasses import dataclass

from eval.catalog.processor import ALONE, NULL, Processor
from eval.printed import document_001

AS_PRINTED = ", as printed"  # the end of the title where ours of that name is another one


@dataclass(frozen=True)
class System:
    """A printed system, what ours has attached, and the variant of the benchmark: the function
    that it measures."""

    title: str
    attached: str
    variant: str

    @property
    def printed(self) -> document_001.System:
        """What document 001 prints of it."""
        title = self.title.removesuffix(AS_PRINTED)
        return next(s for s in document_001.SYSTEMS if s.title == title)

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
# The document's own program and divider. With them its table 1 compares what it says.
OF_TABLE_1 = (
    NAIVE,
    System(f"Montgomery C{AS_PRINTED}", NULL, "mont_printed"),
    System(f"naive accelerator{AS_PRINTED}", "mul-rem-001", "xcel"),
    SYSTEMS[-1],
)
ALL_SYSTEMS = tuple(dict.fromkeys((*SYSTEMS, *OF_TABLE_1)))
PROCESSORS = (Processor(ALONE), *dict.fromkeys(system.on("seed") for system in SYSTEMS))
PRINTED_AREAS = {system.attached: system.printed.area_um2 for system in ALL_SYSTEMS}


def system_of(attached: str, variant: str) -> System | None:
    """Find the system of what is attached and a variant, if it is one of the document's."""
    return next((s for s in ALL_SYSTEMS if (s.attached, s.variant) == (attached, variant)), None)


def variants_of(processor: Processor) -> tuple[str, ...]:
    """List the variants of the benchmark that a system runs: software without an accelerator."""
    found = tuple(s.variant for s in SYSTEMS if s.attached == processor.attached)
    return found or ("xcel",)
