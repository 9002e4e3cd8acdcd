"""`modexplorer probe`: no wire sees both shares of a bit, but where a fault lets them meet."""

from pathlib import Path

import pytest

import rtl.exp.array_blinded
import rtl.exp.array_masked
import rtl.exp.masked_ladder
import rtl.exp.organised
from cl.exponentiator import Exponentiator
from cl.organisation import Organisation
from eval.catalog import find
from eval.probe import SharesProbe
from fl.exponentiator import OK
from fl.masked_ladder import MASKED_LADDER
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.yosys_json import read_module
from rtl.mul.mont_mul import MontMul
from sim.translate import translate
from tests.command_line import assert_refused, run_json
from tests.faults import plant
from tests.flow.toys import LIBERTY
from tests.yosys import run_yosys

NBITS = 8
REQUEST = (201, 0xA5, 251)
ROW = find("array-masked(random=0)").at(NBITS)


def ladder() -> Exponentiator:
    """The same of any units."""
    organisation = Organisation(MASKED_LADDER, forward=False)
    return rtl.exp.organised.organised(MontMul(NBITS, 4), organisation)


def mapped(folder: Path, exponentiator: Exponentiator) -> MappedNetlist:
    """The exponentiator, as simply mapped as can be, with its registers' names."""
    design = translate(exponentiator.rtl(), "Shared")
    verilog, json = folder / "shared.sv", folder / "shared.json"
    verilog.write_text(design.text)
    run_yosys(
        f"read_verilog -sv {verilog}",
        "hierarchy -top Shared; proc; flatten -noscopeinfo",
        "setattr -set register 1 t:$*ff* %co:+[Q] w:* %i",
        "opt; wreduce; opt; alumacc; opt; memory; techmap; opt",
        "dfflegalize -cell $_DFF_P_ x; opt; rename -wire -suffix _reg t:$_*FF*",
        f"dfflibmap -liberty {LIBERTY}",
        f"abc -liberty {LIBERTY}",
        f"opt_clean; write_json {json}",
    )
    return MappedNetlist(read_module(json, "Shared"), Library(LIBERTY))


def probed(folder: Path, exponentiator: Exponentiator = ROW) -> SharesProbe:
    """What wires see in a request, whose answer is right."""
    Request, _ = exponentiator.messages
    shares = SharesProbe(mapped(folder, exponentiator), NBITS, "recv", "send")
    latency = exponentiator.latency(*REQUEST)
    [answer] = shares.run([int(Request(*REQUEST).to_bits())], latency + 1)
    assert answer == pow(*REQUEST) << 1 | OK
    return shares


@pytest.mark.parametrize(
    ("made", "fewest"), [(lambda: ROW, 80), (ladder, 50)], ids=["row", "ladder"]
)
def test_no_wire_sees_both_shares_of_a_bit(tmp_path, made, fewest):
    shares = probed(tmp_path, made())
    assert shares.probed.met == {}
    assert min(map(len, shares.probed.saw)) > fewest
    assert shares.probed.cycles > fewest
    assert len(shares.labels) == 3 * NBITS  # share 1's as it came, too


def test_wires_of_shares_that_meet_are_found(tmp_path, monkeypatch):
    """Share 0 says where results go by both deltas, share 1 nothing; the power is right."""
    broken = plant(
        tmp_path,
        rtl.exp.array_masked,
        "(s.here & s.shares.delta_0) | (s.there & ~s.shares.delta_0)",
        "(s.here | s.there) & (s.shares.delta_0 ^ s.shares.delta_1 ^ s.there)",
    )
    broken = plant(tmp_path, broken, "s.loads & ~s.shares.delta_1", "s.loads")
    broken = plant(tmp_path, broken, "s.other <<= s.shares.delta_1", "s.other <<= 0")
    monkeypatch.setattr(rtl.exp.array_blinded, "LadderOrder", broken.LadderOrder)
    assert probed(tmp_path).probed.met


def test_registers_told_apart_by_both_shares_are_found(tmp_path, monkeypatch):
    """Share 0 says nothing as values are taken, both say which is squared; the power is right."""
    broken = plant(
        tmp_path, rtl.exp.masked_ladder, "s.shares.delta_0 ^ s.exchanged", "~s.exchanged"
    )
    broken = plant(tmp_path, broken, "s.shares.next_0 //= s.writes", "s.shares.next_0 //= s.reads")
    broken = plant(tmp_path, broken, "~s.shares.delta_1", "s.shares.delta_0 ^ s.shares.delta_1")
    monkeypatch.setattr(rtl.exp.organised, "MaskedLadder", broken.MaskedLadder)
    assert probed(tmp_path, ladder()).probed.met


@pytest.mark.long
def test_the_mapped_accelerator():
    found = run_json("probe array-4-masked --nbits 8 --operations 1")
    assert found["met"] == []
    assert min(found["saw"]) > 100
    assert found["cycles"] > 400


@pytest.mark.quick
def test_what_is_refused():
    assert_refused("probe mont-ct --nbits 8", "design: mont-ct has no shares of its exponent")
    assert_refused("probe array-4-blinded --nbits 8", "design: array-4-blinded has no shares")
    assert_refused("probe array-4-masked --nbits 33", "--nbits: 33 bits are too many")
