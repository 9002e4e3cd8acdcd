"""A reset of one cycle, in any cycle of the work, leaves nothing: what follows is answered as by a
fresh component, to the cycle."""

from contextlib import suppress

import pytest
from pymtl3 import Component

import cl.server
import cl.xcel
import fl.component.stream
import fl.component.xcel
from cl.server import ServerCL
from eval.catalog import DESIGNS, MULTIPLIERS, find
from eval.contract.xcel import GO_AHEAD, POP, STATUS, packed, pushes
from sim.stream import NO_STALLS, SimulationTimeout, Stalls, StreamRunner
from tests.faults import CAUGHT, faults, plant
from tests.harness import design_runner, model_level, multiplier_runner, xcel_runner

NBITS = 8
LATE = Stalls("late", (0,), (5,))  # so that answers wait, too
LATER = Stalls("later", (3, 0), (0,))  # so that there is nothing to do at first
KEEPS = "array-4-kept"


@pytest.fixture(autouse=True)
def _short_resets(monkeypatch: pytest.MonkeyPatch) -> None:
    for driver in ("sim.python", "sim.batch"):
        monkeypatch.setattr(f"{driver}.RESET_CYCLES", 1)


def leaves_nothing(runner: StreamRunner, requests: list, again: list) -> bool:
    """Whether requests, broken off after any number of cycles, change nothing of those again."""
    fresh = {stalls: runner.run(again, stalls) for stalls in (NO_STALLS, LATER)}
    tries = 200 if runner.level == "batch" else 60  # of more cycles not all are tried
    cycles = runner.run(requests, LATE)[-1].arrived
    for cycle in range(1, cycles + 1, 1 + cycles // tries):
        for stalls, right in fresh.items():
            with suppress(SimulationTimeout):
                runner.run(requests, LATE, max_cycles=cycle)
            try:
                found = runner.run(again, stalls)
            except CAUGHT:
                return False
            if found != right:
                return False
    return True


@pytest.mark.parametrize("name", [n for n in MULTIPLIERS if n not in ("array-8", "array-16")])
def test_multiplier(name: str):
    unit = MULTIPLIERS[name].by_itself(NBITS)
    Request, _ = unit.messages
    m = unit.only_modulus or 251
    requests = [Request(201 % m, 187 % m, m), Request(250 % m, 250 % m, m)]
    again = [Request(77 % m, 91 % m, m), Request(3, 5, m)]
    assert leaves_nothing(multiplier_runner(name, NBITS, "batch"), requests, again)


def powers(name: str) -> tuple[list, list]:
    """Requests that differ, and others with the modulus of the first, which may be kept."""
    Request, _ = find(name).at(NBITS).messages
    only = find(name).moduli.only
    first, second = [only(NBITS)] * 2 if only else (251, 253)
    requests = [Request(201, 0b1011, first), Request(7, 0, 0), Request(200, 0b101, second)]
    return requests, [Request(99, 0b110, first), Request(9, 3, first)]


@pytest.mark.parametrize("name", DESIGNS)
def test_exponentiator(name: str):
    assert leaves_nothing(design_runner(name, NBITS, "batch"), *powers(name))


def through_the_port(name: str) -> tuple[list, list]:
    """The same through the accelerator's port: what is answered before operands come, and after."""
    only = find(name).moduli.only
    first, second = [only(NBITS)] * 2 if only else (251, 253)
    requests = [*pushes(NBITS, 201, 11, first)[0], GO_AHEAD, STATUS, POP, STATUS]
    requests += [*pushes(NBITS, 99, 6, second)[0], GO_AHEAD, POP]
    again = [STATUS, POP, *pushes(NBITS, 99, 6, first)[0], GO_AHEAD, STATUS, POP, STATUS]
    return packed(requests), packed(again)


def accelerator(name: str, level: str) -> StreamRunner:
    return StreamRunner(find(name).xcel(model_level(level), NBITS), level, "xcel.req", "xcel.resp")


@pytest.mark.parametrize("name", ["mul-rem", "ssmm-004", "mont-best", "cm-pseudo-1"])
def test_accelerator(name: str):
    assert leaves_nothing(xcel_runner(name, NBITS, "batch"), *through_the_port(name))


@pytest.mark.parametrize("level", ["fl", "cl", "batch"])
def test_what_is_kept_of_a_modulus(level: str):
    component = find(KEEPS).component(model_level(level), NBITS)
    with StreamRunner(component, level) as runner:
        assert leaves_nothing(runner, *powers(KEEPS))
    with accelerator(KEEPS, level) as runner:
        assert leaves_nothing(runner, *through_the_port(KEEPS))


@pytest.mark.quick
@pytest.mark.parametrize("level", ["fl", "cl"])
def test_model_of_an_exponentiator(level: str):
    assert leaves_nothing(design_runner("mont-best", NBITS, level), *powers("mont-best"))


def pipeline(server: type[Component]) -> bool:
    """A server of a unit with several requests inside at once."""
    unit = MULTIPLIERS["mont-mul-rem-8"].by_itself(NBITS)
    Request, _ = unit.messages
    requests = [Request(i, 200, 251) for i in range(6)]
    with StreamRunner(server(unit), "cl") as runner:
        return leaves_nothing(runner, requests, requests[:2])


def keeper(server: type[Component]) -> bool:
    """One of an exponentiator that keeps what it finds of a modulus."""
    with StreamRunner(server(find(KEEPS).at(NBITS)), "cl") as runner:
        return leaves_nothing(runner, *powers(KEEPS))


@pytest.mark.quick
def test_model_of_a_pipeline():
    assert pipeline(ServerCL)


SERVER_FAULTS = {
    "requests stay": ("                s.inside.clear()\n", ""),
    "what is kept of a modulus": ("                s.now = model\n", ""),
    "the next request waits": ("                s.next_accept = 0\n", ""),
}


@pytest.mark.quick
@faults(SERVER_FAULTS)
def test_a_server_that_a_reset_leaves_as_it_is(tmp_path, sound: str, faulty: str):
    server = plant(tmp_path, cl.server, sound, faulty).ServerCL
    assert not (pipeline(server) and keeper(server))


PORT_FAULTS = {
    "a result": ("                s.registers.reset()\n", ""),
    "when it is free": ("s.cycle = s.free_from = 0", "s.cycle = 0"),
    "a request": (
        "                s.request = None\n                s.full",
        "                s.full",
    ),
    "an answer": (
        "s.full <<= 0\n                s.offer <<= 0\n            else",
        "s.full <<= 0\n            else",
    ),
    "that it holds a request": (
        "                s.full <<= 0\n                s.offer",
        "                s.offer",
    ),
}


@pytest.mark.quick
@faults(PORT_FAULTS)
def test_a_port_that_a_reset_leaves_as_it_is(tmp_path, sound: str, faulty: str):
    broken = plant(tmp_path, fl.component.xcel, sound, faulty)
    imported = "from fl.component.xcel import", f"from {broken.__name__} import"
    timed = plant(tmp_path, cl.xcel, *imported)
    port = timed.XcelCL(find("mul-rem").at(NBITS))
    with StreamRunner(port, "cl", "xcel.req", "xcel.resp") as runner:
        assert not leaves_nothing(runner, *through_the_port("mul-rem"))


@pytest.mark.quick
def test_a_component_that_a_reset_leaves_as_it_is(tmp_path):
    sound = "                s.full <<= 0\n            elif s.recv"
    broken = plant(tmp_path, fl.component.stream, sound, sound.replace("<<= 0", "<<= s.full"))
    with StreamRunner(broken.StreamFL(find("mul-rem").at(NBITS)), "fl") as runner:
        assert not leaves_nothing(runner, *powers("mul-rem"))
