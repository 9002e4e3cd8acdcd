"""Design points, workloads, metrics: hardly any hardware is run."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.catalog.workloads import WORKLOADS, Request, key_for, request_for
from eval.study.studies import STUDIES, find_study
from eval.tasks.exponentiation import (
    check_level,
    check_request,
    check_vcd,
    simulate,
    simulate_xcel,
)
from eval.tasks.metrics import METRICS, with_derived
from fl.exponentiator import BAD_MODULUS
from sim.errors import UserError

pytestmark = pytest.mark.quick
WIDTHS = (8, 9, 15, 16, 17, 18, 31, 32, 33, 64, 256, 512)


def test_a_point_has_a_verilog_name_of_its_own() -> None:
    points = {t.about for study in STUDIES.values() for t in study.tasks if t.about}
    tops = {p.top for p in points}
    assert len(tops) == len(points) > 3
    assert all(top.isidentifier() and "__" not in top for top in tops)


@pytest.mark.parametrize(
    ("make", "design", "nbits", "says"),
    [
        (Point, "mul-rem", 7, "--nbits: 7 is not a width of mul-rem; choose from 8 to 4096"),
        (Point, "mul-rem", 4097, "8 to 4096"),
        (Point, "mul-rem", 8.5, "--nbits: 8.5 is not a width"),
        (Point, "mul-rem", 10**40, "--nbits: 1000.*000 is not a width"),
        (Point, "mulrem", 8, "design: no design named 'mulrem'; did you mean mul-rem"),
        (
            Point,
            "nothing",
            8,
            "design: no design named 'nothing'; `modexplorer list` shows them all",
        ),
        (Processor, "mul-rem", 7, "--nbits: 7 is not a width"),
        (Processor, "mulrem", 8, "design: no design named"),
    ],
)
def test_points_that_do_not_exist(make: Callable, design: str, nbits: int, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        make(design, nbits)


def test_points_at_the_ends_of_the_widths_exist() -> None:
    assert Point("mul-rem", 8).nbits == 8
    assert Point("mul-rem", 4096).nbits == 4096


@pytest.mark.parametrize(
    ("operands", "says"),
    [
        ((-1, 1, 3), "--base: -1 is not a whole number from 0 on"),
        ((1, 1.0, 3), "--exp: 1.0 is not"),
        ((1, 1, "3"), "--mod: '3' is not"),
    ],
)
def test_operands_that_are_none(operands: tuple, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Request(*operands)


@pytest.mark.parametrize("run", [simulate, simulate_xcel])
def test_a_request_that_does_not_fit_is_not_run(run: Callable) -> None:
    with pytest.raises(ValueError, match="--exp: 256 has 9 bits, but --nbits is 8"):
        run(Point("mul-rem", 8), [Request(2, 256, 7)], "fl")


def test_a_modulus_that_is_not_taken_is_answered_so() -> None:
    [answer] = simulate(Point("mul-rem", 8), [Request(2, 5, 0)], "rtl")
    assert (answer.result, answer.status) == (0, BAD_MODULUS)


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (Request(1, 1, 0), "--mod: mul-rem does not take 0"),
        (Request(256, 1, 3), "--base: 256 has 9 bits, but --nbits is 8; reduce it modulo"),
        (Request(1, 256, 3), "--exp: 256 has 9 bits"),
        (Request(1, 1, 256), "--mod: 256 has 9 bits"),
    ],
)
def test_requests_that_do_not_fit(request_: Request, says: str) -> None:
    with pytest.raises(UserError, match=says):
        check_request(Point("mul-rem", 8), request_)


def test_requests_at_the_edge_fit() -> None:
    check_request(Point("mul-rem", 8), Request(255, 255, 255))
    check_request(Point("mul-rem", 8), Request(0, 0, 1))


def test_levels_and_waveform_files_are_checked(tmp_path) -> None:
    with pytest.raises(UserError, match="fl, cl, rtl, verilog, batch"):
        check_level("gate")
    with pytest.raises(UserError, match="level batch"):
        check_vcd("verilog", tmp_path / "a.vcd")
    with pytest.raises(UserError, match=r"name it .*a\.vcd"):
        check_vcd("rtl", tmp_path / "a.wave")
    check_vcd("rtl", tmp_path / "new" / "a.vcd")
    assert (tmp_path / "new").is_dir()


def test_workloads_at_32_bits_are_the_benchmark() -> None:
    encrypt, decrypt = (WORKLOADS[name].request(32) for name in "ed")
    assert encrypt == Request(995313404, 65537, 2148676643)
    assert decrypt == Request(2050940851, 977851481, 2148676643)


@pytest.mark.parametrize("nbits", WIDTHS)
def test_workloads_fit_and_undo_each_other(nbits: int) -> None:
    encrypt, decrypt = (WORKLOADS[name].request(nbits) for name in "ed")
    for request in (encrypt, decrypt):
        check_request(Point("mul-rem", nbits), request)
        assert 1 < request.base < request.mod
    assert encrypt.result == decrypt.base
    assert decrypt.result == encrypt.base
    key = key_for(nbits)
    assert key.e * key.d % ((key.p - 1) * (key.q - 1)) == 1
    assert encrypt.exp == (65537 if nbits >= 17 and key.nbits >= 17 else 257 if nbits >= 16 else 17)


def test_workloads_have_the_full_length() -> None:
    for nbits in (8, 16, 32, 64, 512):
        assert key_for(nbits).nbits == nbits
    assert key_for(33).nbits == 32


@pytest.mark.seconds
def test_workloads_are_the_same_in_another_process() -> None:
    code = "from eval.catalog.workloads import key_for; print(key_for(64).n, key_for(64).d)"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert printed.split() == [str(key_for(64).n), str(key_for(64).d)]


def test_a_request_is_a_workload_or_three_operands() -> None:
    assert request_for(32, "e", None, None, None) == WORKLOADS["e"].request(32)
    assert request_for(32, None, 1, 2, 3) == Request(1, 2, 3)
    with pytest.raises(UserError, match="--exp: not given"):
        request_for(32, None, 1, None, 3)
    with pytest.raises(UserError, match="excludes --mod"):
        request_for(32, "e", None, None, 3)
    with pytest.raises(UserError, match="no workload 'x'; choose from e, d"):
        request_for(32, "x", None, None, None)


def test_metrics_have_a_unit_and_a_format() -> None:
    assert all(name == metric.name for name, metric in METRICS.items())
    assert METRICS["area_um2"].format(16770.502) == "16770.5"
    assert METRICS["setup_slack_ns"].format(-0.0254) == "-0.025"
    assert METRICS["cells"].format(None) == "-"


def test_time_is_cycles_times_the_clock_asked_for_or_what_was_reached() -> None:
    values = {"xcel_cycles_e": 550, "xcel_cycles_d": 953, "period_ns": 2.0}
    assert with_derived(values, 3.0)["time_e_us"] == pytest.approx(1.65)
    assert with_derived(values, 1.5)["time_e_us"] == pytest.approx(1.1)
    assert "least_time_e_us" not in with_derived(values, 1.5)
    values["shortest_period_ns"] = 1.0
    assert with_derived(values, 3.0)["least_time_d_us"] == pytest.approx(0.953)
    assert "time_e_us" not in with_derived({"xcel_cycles_e": 550}, 3.0)


def test_studies_are_named_points_that_exist() -> None:
    for name, study in STUDIES.items():
        assert find_study(name) is study
        points = dict.fromkeys(task.about for task in study.tasks if task.about)
        assert points or study.tasks
        if name == "default":
            assert [point.nbits for point in points][:3] == [8, 16, 32]
    with pytest.raises(UserError, match="choose from .*default, "):
        find_study("nothing")
