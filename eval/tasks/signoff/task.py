"""Sign-off: a finished layout checked by its files alone, with KLayout.

The layout step checks what it has drawn by what it knows. Here the rules are the technology's rule
file, on all layers, and the netlist is read back from shapes, cells and labels.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from eval.tasks.flow_run.grids import not_timed
from eval.tasks.layout.task import GDS, OfLayout, files_of
from eval.tasks.task import LAYOUT, Result
from eval.tasks.unit import OnStep
from flow.results.netlist import InCorner
from flow.signoff.rulefile import read_rules, rules_path
from flow.signoff.signed import Signed, sign_off
from flow.technologies.cells import cell_files
from flow.technologies.kit import view

NETLIST = "powered.v"


class SignoffResult(Result):
    """What the checks found, the timing in each corner, what of all that is wrong, and where the
    file is that was checked."""

    signed: Signed
    corners: list[InCorner]
    wrong: tuple[str, ...]
    gds: str
    beside: ClassVar[frozenset[str]] = Result.beside | {"gds"}


@dataclass(frozen=True)
class Signoff(OfLayout[SignoffResult]):
    """A layout checked by its files alone."""

    kind = "signoff"
    Result = SignoffResult
    text = "{0.point} {0.unit} sign-off{0.how}"
    shell = "signoff {0.point.arguments} --clock {0.clock_ns:.10g}{0.options}"
    rank = LAYOUT

    def __post_init__(self) -> None:
        super().__post_init__()
        rules_path(self.tech)  # refuses a technology without rules

    def tools(self) -> dict[str, str]:
        """Add the rules to the tools of the layout."""
        digest = hashlib.sha256(rules_path(self.tech).read_bytes()).hexdigest()
        return super().tools() | {"rules": digest}

    def stages(self) -> Iterable[str]:
        """Add sign-off to the stages of the layout."""
        return ["signoff", *super().stages()]

    def compute(self, on_step: OnStep) -> SignoffResult:
        """Lay the unit out, unless that is done, and check the files."""
        found = self.finished(on_step)
        files = {name: Path(path) for name, path in files_of(found.run).items()}
        on_step("rules, density and netlist")
        rules = read_rules(rules_path(self.tech))
        library = cell_files(self.tech, view(self.tech)).gds
        signed = sign_off(files[GDS], files[NETLIST], library, rules)
        assert found.steps.layout, self
        corners = found.steps.layout.corners
        wrong = (*signed.wrong(), *late(corners), *not_timed(found.steps.layout.untimed))
        return SignoffResult(found.tools, signed, corners, wrong, str(files[GDS]))


def late(corners: Iterable[InCorner]) -> Iterator[str]:
    """Say in which corners data comes too late or too early."""
    for one in corners:
        for what, slack in (("setup", one.setup_slack_ns), ("hold", one.hold_slack_ns)):
            if slack is not None and slack < 0:
                yield f"{what} slack {slack:.3f} ns in corner {one.corner}"
