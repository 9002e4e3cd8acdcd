"""What attacks find of an accelerator's exponent by its power: what is asked, and the row of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.tasks.attack.campaign import ATTACKS, HORIZONTAL, Asked, Outcome, attack_all
from eval.tasks.leakage.keys import stages_at, tools_of
from eval.tasks.task import SHORT, Result, Task
from eval.tasks.unit import ACCELERATOR, OnStep
from sim.errors import UserError

WIDEST = 64  # bits, for other attacks than the horizontal one


class AttackResult(Result):
    """How often each attack found keys; those that know too little of a design are left out."""

    attacks: list[Outcome]

    @property
    def broken_by(self) -> int | None:
        """Return the least number of traces by which an attack found a key."""
        return min((n for one in self.attacks if (n := one.first) is not None), default=None)


@dataclass(frozen=True)
class Attack(Task[AttackResult]):
    """Attacks on a point's accelerator by the toggles of its registers at RTL, or by the energy of
    its nets at gates, without or with glitches, or after layout."""

    point: Point
    how: Asked = Asked()
    attacks: tuple[str, ...] = ATTACKS
    kind = "attack"
    Result = AttackResult
    text = "{0.point} attacks"
    shell = "attack {0.point.arguments}{0.options}"
    unit = ACCELERATOR
    rank = SHORT
    by_entry = True

    def __post_init__(self) -> None:
        self.point.check_hardware("design")
        for name in self.attacks:
            if name not in ATTACKS:
                raise UserError(
                    f"--only: no attack {shorten(name)!r}; choose from {', '.join(ATTACKS)}"
                )
        if self.point.nbits > WIDEST and self.attacks != (HORIZONTAL,):
            raise UserError(f"--nbits: more than {WIDEST} bits take --only {HORIZONTAL}; give both")
        entry = self.point.entry
        if entry.at(self.point.nbits).measured or entry.moduli.key:
            raise UserError(
                f"design: {self.point.design} is not attacked; give one of RSA moduli and RTL"
            )

    def parameters(self) -> dict[str, Any]:
        """Name all that is asked."""
        return vars(self.how) | {"attacks": list(self.attacks)}

    @property
    def options(self) -> str:
        """The options of a command line."""
        usual, asked = vars(Asked()), vars(self.how)
        given = [f" --{name} {asked[name]}" for name in asked if asked[name] != usual[name]]
        only = f" --only {','.join(self.attacks)}" if self.attacks != ATTACKS else ""
        return only + "".join(given)

    def tools(self) -> dict[str, str]:
        """Name what the traces are made with."""
        return tools_of(self.how.level)

    def stages(self) -> Iterable[str]:
        """List the stages that map, lay out and simulate gates."""
        return stages_at(self.how.level)

    def compute(self, on_step: OnStep) -> AttackResult:
        """Try the attacks; RunError if an answer is wrong."""
        found = attack_all(self.point, self.how, self.attacks, on_step)
        return AttackResult(self.tools(), found)
