"""What a part's number makes of an operation: by hand, by other hardware, on the processor."""

import pytest

from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.workloads import Request, request_for
from eval.tasks.exponentiation import simulate
from eval.tasks.sensitivity import Effect, sensitivity
from proc.run.rsa_private import power
from proc.run.systems import make_system
from proc.run.timing import Timing
from tests.command_line import run, run_json


def effects(design: str, nbits: int, request: Request, way: str, by: int = 10):
    """The effects by part and number."""
    found = sensitivity(Point(design, nbits), request, way, by)
    return {(one.part, one.name): one for one in found}


@pytest.mark.quick
def test_by_hand():
    """Exponent 1011: rounds of product and square twice, of a square, of a product: four times 20
    cycles. Where one unit is slower, the rounds that it is in are; where it is faster, those in
    which it is alone. A later interval matters where a unit is asked in the round after: the
    squaring one twice, the other one once. Three rounds follow another one."""
    design = "what-if(latency=20,entry=as-it-is)"
    found = effects(design, 8, Request(7, 0b1011, 251), "exponentiator")
    by_hand = {
        ("all units", "latency"): (-4 * 2, 4 * 2),
        ("squaring unit", "latency"): (-2, 3 * 2),
        ("other units", "latency"): (-2, 3 * 2),
        ("all units", "interval"): (0, 2 * 2),
        ("squaring unit", "interval"): (0, 2 * 2),
        ("other units", "interval"): (0, 2),
        ("all units", "queue"): (None, 0),
        ("squaring unit", "queue"): (None, 0),
        ("other units", "queue"): (None, 0),
        ("loop", "pause"): (None, 3),
    }
    changes = {key: (one.change_less, one.change_more) for key, one in found.items()}
    assert changes == by_hand
    latency = found["all units", "latency"]
    assert latency.cycles == find(design).cycles(8, 7, 0b1011, 251)
    assert latency.weight == pytest.approx(4 * 20 / latency.cycles)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("design", "less", "more"),
    [
        (
            "what-if(latency=30,interval=3,units=1,entry=remainder)",
            "what-if(latency=27,interval=3,units=1,entry=remainder)",
            "what-if(latency=33,interval=3,units=1,entry=remainder)",
        ),
        (
            "what-if(latency=20,units=1,constant=40,entry=remainder)",
            "what-if(latency=18,units=1,constant=40,entry=remainder)",
            "what-if(latency=22,units=1,constant=40,entry=remainder)",
        ),
    ],
)
@pytest.mark.parametrize("nbits", [9, 1024])
def test_other_numbers_are_other_assumptions(design: str, less: str, more: str, nbits: int):
    """The formula of the design that has these numbers, with a way to R^2 without products."""
    request = request_for(nbits, "e", None, None, None)
    found = effects(design, nbits, request, "exponentiator")["unit", "latency"]
    operands = tuple(vars(request).values())
    assert found.cycles_less == find(less).cycles(nbits, *operands)
    assert found.cycles_more == find(more).cycles(nbits, *operands)


@pytest.mark.parametrize("level", [pytest.param("rtl", marks=pytest.mark.quick), "batch"])
def test_the_next_latency_is_that_of_hardware(level: str):
    """A product of mont(steps=8) takes 2 cycles at 8 bits, of mont(steps=4) 3, with the same R."""
    request = Request(200, 0b10110101, 251)
    found = effects("mont(steps=8)", 8, request, "exponentiator")["all units", "latency"]
    assert (found.now, found.more) == (2, 3)
    [slower] = simulate(Point("mont(steps=4)", 8), [request], level)
    assert found.cycles_more == slower.cycles


def test_on_the_processor_it_is_as_in_hardware():
    """A memory that is later, and the operation as it is: those of the processor in hardware."""
    request = request_for(32, "d", None, None, None)
    found = effects("mont-best", 32, request, "processor")["memory", "latency"]
    operands = request.base, request.exp, request.mod
    system = make_system("rtl", lambda: find("mont-best").xcel("rtl", 32))
    for memory, cycles in ((found.now, found.cycles), (found.more, found.cycles_more)):
        done = power(system, *operands, "xcel", 32, Timing(memory))
        assert (done.result, done.cycles) == (request.result, cycles)


@pytest.mark.quick
def test_a_weight_is_of_percents():
    one = Effect("unit", "latency", 20, 18, 22, 1000, 950, 1050)
    assert one.weight == pytest.approx(0.5)  # 10 % of it make 5 % of the operation
    assert Effect("loop", "pause", 0, None, 1, 1000, None, 1010).weight is None
    assert Effect("memory", "latency", 1, None, 2, 1000, None, 1010).weight == pytest.approx(0.01)


@pytest.mark.quick
def test_the_command_prints_and_draws(tmp_path):
    design = "what-if(latency=20,interval=4,units=1)"
    asked = f"sensitivity '{design}' --nbits 32 --unit accelerator"
    answer = run_json(f"{asked} --chart {tmp_path / 'chart.svg'}")
    rows = {(row["part"], row["name"]): row for row in answer["rows"]}
    assert rows["port", "cycles to a result"]["cycles_more"] == answer["cycles"] + 1
    assert rows["unit", "latency"]["more"] == 22
    assert "unit: latency 18, 20, 22" in (tmp_path / "chart.svg").read_text()
    shown = run(f"{asked} --chart {tmp_path / 'chart.png'}")
    assert "Improve first: unit, latency 18 instead of 20" in shown.stdout
    assert (tmp_path / "chart.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.quick
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("sensitivity array-4 --nbits 32", "design: array-4 is not put together from parts"),
        ("sensitivity mont-best --nbits 32 --chart x.gif", "--chart: x.gif does not end in .png"),
        ("sensitivity mont-best --nbits 32 --by 0", "--by: 0 is not from 1 to 90"),
        ("sensitivity mont-best --nbits 32 --workload x", "--workload: no workload"),
        ("sensitivity mont-best --nbits 8 --base 1 --exp 2 --mod 4", "--mod: mont-best does not"),
    ],
)
def test_what_cannot_be(command: str, said: str):
    result = run(command)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.quick
@pytest.mark.parametrize(
    ("now", "by", "step"), [(17, 10, 2), (14, 10, 1), (4, 10, 1), (20, 37, 7), (20, 38, 8)]
)
def test_a_number_is_less_and_more_by_whole_cycles(now: int, by: int, step: int):
    """By the nearest to so many percent, and by one at least."""
    design = f"what-if(latency={now},entry=as-it-is)"
    found = effects(design, 8, Request(7, 0b1011, 251), "exponentiator", by)
    latency = found["all units", "latency"]
    assert (latency.less, latency.now, latency.more) == (now - step, now, now + step)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("less", "more", "swing"),
    [(950, 1010, 50), (990, 1050, 50), (1050, 1010, 50), (None, 990, 10), (None, 1010, 10)],
)
def test_a_swing_is_the_larger_change_of_both(less: int | None, more: int, swing: int):
    assert Effect("unit", "latency", 20, 18, 22, 1000, less, more).swing == swing
