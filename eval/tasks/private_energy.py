"""Time and energy of a private operation by CRT in hardware, with plain and with gated clocks."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from eval.tasks.exponentiation import FORMULA
from eval.tasks.flow_run.private_recording import record_private
from eval.tasks.flow_run.task import POWER, EnergyAtClock
from eval.tasks.private import PRIVATE, check_private, simulate_private
from eval.tasks.task import Result
from eval.tasks.unit import ACCELERATOR, OnStep, translation
from flow.results.record import Record
from flow.results.run import Results, read_results
from flow.run import run_flow
from flow.technologies.technology import no_gates
from sim.paths import build_dir

CLOCKS = {"plain": False, "gated": True}
METRICS = ("area_um2", "setup_slack_ns", "period_ns")


class OfClocks(Record):
    """What the flow says of a netlist, and the energy of the operation by it. One that was replayed
    in pieces may be off by the error."""

    area_um2: float
    setup_slack_ns: float
    period_ns: float
    energy_uj: float
    energy_with_glitches_uj: float
    energy_error_uj: float | None


class PrivateResult(Result):
    """The cycles of the operation from go to its result, and the netlists by their clocks."""

    cycles: int
    netlists: dict[str, OfClocks]


@dataclass(frozen=True)
class PrivateEnergy(EnergyAtClock[PrivateResult]):
    """Tell time and energy of a private operation by CRT that DESIGN makes in hardware.

    The netlist is mapped for --clock, with plain and with gated clocks. The operation is recorded
    at register-transfer level, where its result is compared with pow, and replayed on the gates;
    the same pushes without a go are subtracted.
    """

    kind = "private"
    Result = PrivateResult
    by_entry = True

    def __post_init__(self) -> None:
        check_private(self.point)

    def stages(self) -> Iterable[str]:
        """Add what records the operation to the stages of the flow."""
        return ["run", *super().stages()]

    def compute(self, on_step: OnStep) -> PrivateResult:
        """Record the operation once, and replay it on each netlist."""
        on_step("recording the private operation")
        recording = record_private(self.point)
        cycles = simulate_private(self.point, FORMULA).from_go
        assert cycles, self
        done = translation(self.point, ACCELERATOR)
        netlists, tools = {}, {}
        for clocks, gated in CLOCKS.items():
            if gated and no_gates(self.tech):
                break

            def say(step: str, event: str, clocks: str = clocks) -> None:
                on_step(f"{clocks} clocks, {step} {event}")

            run = replace(self.flow_run, gated=gated)
            found = run_flow(
                f"{run.folder}-{PRIVATE}",
                done.text,
                done.top,
                build_dir("flow"),
                clock_period=self.clock_ns,
                to=POWER,
                recording=recording,
                flatten=done.flattened,
                carry_save=done.carry_save,
                gated=gated,
                tech=self.tech,
                on_step=say,
                wait=True,
            )
            results = read_results(found)
            netlists[clocks], tools = _of(results), results.tools
        return PrivateResult(tools, cycles, netlists)


def _of(found: Results) -> OfClocks:
    assert found.steps.power, found
    operation = found.steps.power.operations[PRIVATE]
    error = operation.energy_error_nj
    return OfClocks(
        **{name: found.metrics[name] for name in METRICS},
        energy_uj=operation.energy_nj / 1000,
        energy_with_glitches_uj=operation.energy_with_glitches_nj / 1000,
        energy_error_uj=None if error is None else error / 1000,
    )
