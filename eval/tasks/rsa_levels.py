"""RSA's operations on a processor of any level: rows are of level batch, and rest on that alone."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pymtl3 import Component

from eval.tasks.rsa_operation import RsaOperation
from proc.run.levels import LEVELS, make_system


@dataclass(frozen=True)
class RsaAtAnyLevel(RsaOperation):
    """An operation as RsaOperation; at level cl the accelerator is of that level, too, unless a bit
    of its hardware is flipped."""

    levels: ClassVar[tuple[str, ...]] = LEVELS

    def system(self) -> Any:
        """Make the processor with its accelerator."""
        return make_system(self.level, self.accelerator)

    def accelerator(self) -> Component:
        """Make the accelerator."""
        if self.level == "cl" and self.point and not self.flip:
            return self.point.entry.xcel("cl", self.nbits)
        return super().accelerator()
