"""Sign-off: a finished layout checked by its files alone, with KLayout.

The layout step checks what it has drawn by what it knows. Here the rules are the technology's rule
file, on all layers, and the netlist is read back from shapes, cells and labels.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.tasks.at_clock import DesignAtClock
from eval.tasks.layout.task import GDS, LaidOut, files_of
from eval.tasks.task import Result
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.signoff.rulefile import read_rules, rules_path
from flow.signoff.signed import Signed, sign_off
from flow.technologies.kit import view

NETLIST, CELLS = "layout.v", "stdcells.gds"


class SignoffResult(Result):
    """What the checks found, what of it is wrong, and where the file is that was checked."""

    signed: Signed
    wrong: tuple[str, ...]
    gds: str


@dataclass(frozen=True)
class Signoff(DesignAtClock[SignoffResult]):
    """Check the layout of DESIGN's accelerator by its files alone."""

    kind = "signoff"
    Result = SignoffResult

    def __post_init__(self) -> None:
        rules_path(self.tech)  # refuses a technology without rules

    @property
    def laid_out(self) -> LaidOut:
        """The run of the flow that makes the layout."""
        return LaidOut(self.point, ACCELERATOR, self.clock_ns, tech=self.tech)

    def tools(self) -> dict[str, str]:
        """The tools of that run, and the rules."""
        digest = hashlib.sha256(rules_path(self.tech).read_bytes()).hexdigest()
        return self.laid_out.tools() | {"rules": digest}

    def uses(self) -> Iterable[str]:
        """What that run uses."""
        return self.laid_out.uses()

    def parameters(self) -> dict[str, Any]:
        """The clock, and the workloads that the run records."""
        return super().parameters() | self.laid_out.workloads()

    def compute(self, on_step: OnStep) -> SignoffResult:
        """Lay the design out, unless that is done, and check the files."""
        found = self.laid_out.finished(on_step)
        files = {name: Path(path) for name, path in files_of(found.run).items()}
        on_step("rules, density and netlist")
        rules = read_rules(rules_path(self.tech))
        signed = sign_off(files[GDS], files[NETLIST], view(self.tech) / CELLS, rules)
        return SignoffResult(found.tools, signed, tuple(signed.wrong()), str(files[GDS]))
