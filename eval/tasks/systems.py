"""Our systems beside document 001's four: the processor with what computes, and the benchmark."""

from dataclasses import dataclass

from eval.catalog.processor import ALONE, NULL, Processor
from eval.printed import document_001


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
        return next(s for s in document_001.SYSTEMS if s.title == self.title)

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
PROCESSORS = (Processor(ALONE), *dict.fromkeys(system.on("seed") for system in SYSTEMS))
PRINTED_AREAS = {system.attached: system.printed.area_um2 for system in SYSTEMS}


def system_of(attached: str, variant: str) -> System | None:
    """Find the system of what is attached and a variant, if it is one of the document's."""
    return next((s for s in SYSTEMS if (s.attached, s.variant) == (attached, variant)), None)


def variants_of(processor: Processor) -> tuple[str, ...]:
    """List the variants of the benchmark that a system runs: software without an accelerator."""
    found = tuple(s.variant for s in SYSTEMS if s.attached == processor.attached)
    return found or ("xcel",)
