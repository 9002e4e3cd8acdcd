"""Figures that are read out of what tools say: slacks, paths, FPGA resources, recordings."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flow import critical_path as timing
from flow import opensta
from flow.fpga import devices
from flow.recording import WARM_UP, Piece, RecordedPort, Recording, Sampled
from flow.results.netlist import Stretch
from flow.technologies.technology import technology

pytestmark = pytest.mark.quick

SAID = """RESULT setup_slack -0.25
RESULT setup_start a/b_reg/Q
RESULT setup_end c_reg/D
RESULT hold_slack 0.125
RESULT enable_slack 0.75
RESULT registers 12
Warning: There are 3 unconstrained endpoints.
Warning: There is 1 combinational loop in the design.
"""


def test_slacks_and_counts_of_opensta() -> None:
    assert opensta.summary(SAID, 3.0) == opensta.Summary(
        **{"setup_slack_ns": -0.25, "hold_slack_ns": 0.125, "enable_slack_ns": 0.75},
        **{"period_ns": 3.25, "clock_met": False, "start": "a/b_reg/Q", "end": "c_reg/D"},
        **{"registers": 12, "unconstrained_endpoints": 3, "combinational_loops": 1},
    )
    nothing = opensta.summary("RESULT registers 0\n", 3.0)
    assert (nothing.clock_met, nothing.period_ns) == (True, None)
    assert (nothing.unconstrained_endpoints, nothing.combinational_loops) == (0, 0)
    assert nothing.enable_slack_ns is None


@pytest.mark.parametrize(("slack", "met"), [("0.0", True), ("-0.00001", False), ("0.1", True)])
def test_a_clock_is_met_without_slack(slack: str, met: bool) -> None:
    said = SAID.replace("setup_slack -0.25", f"setup_slack {slack}")
    assert opensta.summary(said, 3.0).clock_met is met


def test_the_clocks_latency_is_that_of_the_later_register() -> None:
    text = (
        "Latency      CRPR       Skew\na_reg/CK\n   0.1500\nb_reg/CK\n   0.1250   0.0000   0.0250\n"
    )
    assert opensta.clock_tree(text) == {"clock_latency_ns": 0.15, "clock_skew_ns": 0.025}
    later = text.replace("0.1250", "0.1750")
    assert opensta.clock_tree(later)["clock_latency_ns"] == 0.175
    assert opensta.clock_tree("") == {"clock_latency_ns": None, "clock_skew_ns": None}


REPORT = """
  0.0000   0.0000   clock clk (rise edge)
  0.0000   0.0000 ^ a.b_reg/CK (DFF_X1)
  0.1000   0.1000 ^ a.b_reg/Q (DFF_X1)
  0.0300   0.1300 v a._1_/ZN (INV_X1)
  0.2000   0.3300 ^ _2_/ZN (INV_X1)
  0.0400   0.3700 v a._3_/ZN (INV_X1)
  0.0000   0.3700 v c_reg/D (DFF_X1)
           0.3700   data arrival time
  3.0000   3.0000 ^ c_reg/CK (DFF_X1)
"""


ENDS = replace(opensta.summary(SAID, 3.0), start="s", end="e")


def test_a_path_is_told_by_the_stretches_in_each_instance() -> None:
    points = opensta.path_points(REPORT, technology())
    assert [point.delay_ns for point in points] == [0.1, 0.03, 0.2, 0.04, 0.0]
    assert [point.at_ns for point in points] == [0.1, 0.13, 0.33, 0.37, 0.37]
    assert opensta.path_cells(REPORT, technology()) == ["a.b_reg", "a._1_", "_2_", "a._3_", "c_reg"]
    inside = dict.fromkeys(("a.b_reg", "a._1_", "a._3_"), ("a", "Adder"))
    owners = inside | {"_2_": ("", "Top"), "c_reg": ("", "Top")}
    found = timing.critical_path(ENDS, REPORT, "Top", owners, technology())
    assert found.arrival_ns == 0.37
    assert found.through == [
        Stretch(instance="a", module="Adder", delay_ns=0.13),
        Stretch(instance="", module="Top", delay_ns=0.2),
        Stretch(instance="a", module="Adder", delay_ns=0.04),
        Stretch(instance="", module="Top", delay_ns=0.0),
    ]
    nothing = replace(ENDS, start=None, end=None)
    assert timing.critical_path(nothing, "", "Top", owners, technology()) is None


def test_a_path_in_a_hierarchy_names_instances_with_slashes() -> None:
    report = "  0.1000   0.1000 ^ a/b/_1_/Z (INV_X1)\n  0.2000   0.3000 ^ _7_/Z (INV_X1)\n"
    owners = {"a.b._9_": ("a.b", "Leaf")}
    found = timing.critical_path(ENDS, report, "Top", owners, technology())
    assert [row.module for row in found.through] == ["Leaf", "Top"]
    assert [row.instance for row in found.through] == ["a/b", ""]


@pytest.mark.parametrize(
    ("device", "cells", "metrics"),
    [
        (
            "cyclonev",
            # Three tables of six inputs fill an ALM each; the seven others half of one.
            {"MISTRAL_ALUT6": 3, "MISTRAL_ALUT3": 4, "MISTRAL_ALUT_ARITH": 2, "MISTRAL_NOT": 1}
            | {"MISTRAL_FF": 9, "MISTRAL_MUL27X27": 2, "MISTRAL_M10K": 5, "MISTRAL_CLKBUF": 1},
            {"luts": 10, "ffs": 9, "alms": 7, "dsp": 2, "bram": 5},
        ),
        (
            "artix7",
            {"LUT2": 1, "LUT6": 2, "INV": 1, "RAM32X1D": 3, "RAM64M": 1, "RAM128X1S": 1}
            | {"SRL16E": 1, "FDRE": 4, "FDCE_1": 1, "FDSE": 2, "DSP48E1": 3, "CARRY4": 9}
            | {"RAMB36E1": 2, "RAMB18E1": 3, "MUXF7": 1},
            # 5 tables, 3 and 1 of two, 1 of four; three halves of a block.
            {"luts": 5 + 6 + 2 + 4, "ffs": 7, "dsp": 3, "bram": 4},
        ),
        (
            "virtexe",
            {"LUT4": 3, "SRL16": 1, "RAM16X1D": 2, "RAM32X1S": 1, "FDRE": 2, "XORCY": 9}
            | {"RAMB4_S16": 1},
            {"luts": 3 + 1 + 4 + 2, "ffs": 2, "dsp": 0, "bram": 1},
        ),
        (
            "ecp5",
            {"LUT4": 3, "CCU2C": 2, "TRELLIS_DPR16X4": 1, "TRELLIS_FF": 4, "MULT18X18D": 1}
            | {"DP16KD": 1, "PDPW16KD": 1, "PFUMX": 7},
            {"luts": 3 + 4 + 4, "ffs": 4, "dsp": 1, "bram": 2},
        ),
    ],
)
def test_what_cells_take_of_a_device(device: str, cells: dict, metrics: dict) -> None:
    family = devices.FAMILIES[device]
    assert family.metrics(cells) == metrics
    assert family.unknown([*cells, "$scopeinfo", "BOX"]) == ["BOX"]


def ports(**values: list[int]) -> tuple[RecordedPort, ...]:
    """Ports of 12 bits: outputs begin with y, of which only what is valid counts."""
    return tuple(
        RecordedPort(name, name[0] == "y", 12, column, "val" if name == "y" else None, name == "yz")
        for name, column in values.items()
    )


GIVEN = ports(val=[0, 1, 0, 1], a=[0, 5, 0xABC, 1], y=[1, 2, 3, 0x802], yz=[1, 1, 1, 1])
COLUMNS = [("a", 2), ("y", 11), ("y", 1), ("yz", 0)]
ANY = 9


def test_bits_of_a_recording() -> None:
    recording = Recording(GIVEN, {}, ((2, 4),))
    assert recording.bits(COLUMNS).tolist() == [
        [0, 0, 0, 1],
        [1, 0, 1, 1],
        [1, 0, 1, 1],
        [0, 1, 1, 1],
    ]
    assert Recording(GIVEN, {}).expected(COLUMNS, ANY).tolist() == [
        [0, ANY, ANY, 1],
        [1, 0, 1, 1],
        [1, ANY, ANY, 1],
        [0, 1, 1, 1],
    ]
    unchecked = Recording(GIVEN, {}, ((0, 1), (3, 4))).expected(COLUMNS, ANY)
    assert unchecked.tolist() == [[ANY] * 4, [1, 0, 1, 1], [1, ANY, ANY, 1], [ANY] * 4]
    assert recording.may_stray(COLUMNS).tolist() == [False, False, False, True]
    assert recording.difference(3, "y", 1) == (
        "cycle 3 (no window): bit 1 of y differs from the RTL, which has 0x802 there"
    )


def piece(begin: int, end: int) -> Piece:
    return Piece(begin, end, [1], [2], [3])


def windows(**of: tuple[int, int]) -> Recording:
    return Recording(ports(a=[0] * 20), dict(of))


def test_windows_lie_one_after_another_within_what_was_recorded() -> None:
    assert windows(e=(0, 5), d=(5, 20)).cycles == windows(e=(0, 5)).whole == 20
    for wrong in ({"e": (0, 5), "d": (4, 9)}, {"e": (3, 3)}, {"e": (5, 4)}, {"e": (0, 21)}):
        with pytest.raises(ValueError, match="overlap or are none"):
            windows(**wrong)
    assert windows(e=(2, 5), d=(7, 9)).difference(4, "a", 0).startswith("cycle 4 (e):")
    assert windows(e=(2, 5), d=(7, 9)).difference(5, "a", 0).startswith("cycle 5 (no window):")
    assert windows(e=(2, 5), d=(7, 9)).difference(7, "a", 0).startswith("cycle 7 (d):")


def test_pieces_follow_all_else_and_begin_with_their_warm_up() -> None:
    given = ports(a=[0] * 20)
    sampled = {"d": Sampled(99, (piece(8, 14), piece(14, 20)))}
    found = Recording(given, {"e": (0, 8)}, (), {}, sampled)
    assert found.whole == 8
    assert WARM_UP == 2
    assert "(d)" in found.difference(10, "a", 0)
    assert "(no window)" in found.difference(15, "a", 0)
    for pieces in ((piece(8, 10),), (piece(8, 21),), (piece(8, 14), piece(11, 20))):
        with pytest.raises(ValueError, match="window d: cycles"):
            Recording(given, {"e": (0, 8)}, (), {}, {"d": Sampled(99, pieces)})
    with pytest.raises(ValueError, match="window d: cycles 9 to 14 overlap"):
        Recording(given, {"e": (0, 10)}, (), {}, {"d": Sampled(99, (piece(7, 14),))})


def test_a_recording_needs_its_windows_and_a_value_in_each_cycle() -> None:
    with pytest.raises(ValueError, match="there is no window idle"):
        Recording(GIVEN, {"e": (0, 2)}, (), {"e": "idle"})
    with pytest.raises(ValueError, match="there is no window d"):
        Recording(GIVEN, {"e": (0, 2)}, (), {"d": "e"})
    with pytest.raises(ValueError, match="a value in each cycle"):
        Recording(ports(a=[0], b=[0, 1]), {})


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    wide = RecordedPort("wide", True, 300, [1 << 299, 5, 0, 7], "val", True)
    sampled = {"d": Sampled(99, (Piece(0, 4, [1 << 99], [2], [3]),))}
    recording = Recording((*GIVEN, wide), {}, ((0, 2),), {"d": "d"}, sampled, {"r": 0})
    path = tmp_path / "recording.json"
    path.write_text(recording.to_json())
    found = Recording.from_json(path)
    assert found == recording
    assert np.flatnonzero(found.bits([("wide", bit) for bit in range(300)])[0]).tolist() == [299]
