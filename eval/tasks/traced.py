"""The processor that is simulated: with the ports that show what retires."""

from functools import lru_cache

from eval.catalog.processor import Processor
from eval.tasks.unit import verilog_digest
from sim.translate import Translation, translate


@lru_cache(None)
def traced(processor: Processor) -> Translation:
    """Translate it."""
    from proc.rtl.system import ProcessorSystem

    return translate(ProcessorSystem(processor.divider, processor.accelerator))


def traced_digest(processor: Processor) -> str:
    """Hash its Verilog."""
    return verilog_digest(processor, "traced", lambda: traced(processor))
