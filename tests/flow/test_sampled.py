"""Long windows of which pieces are replayed, each from the state of the RTL and back to it."""

import random
from dataclasses import replace

import numpy as np
import pytest

from flow.gates.mapped import MappedNetlist
from flow.gates.simulate import Mismatch, simulate
from flow.gates.timing import Timing
from flow.netlist import read_netlist
from flow.recording import WARM_UP, Piece, RecordedPort, Recording, Sampled
from sim.translate import translate
from tests.flow.netlists import netlist_of, with_other
from tests.flow.runs import folder_of, kept_run
from tests.flow.toys import PowerToy

NBITS = 8
LONG = 400
SIGNALS = {"add.a": 0, "y": 1}
PIECES = [(3 + i * 40, 3 + i * 40 + 20) for i in range(10)]


def played():
    """What the toy does in reset and in LONG cycles: (reset, val, a, y) of each."""
    rng = random.Random(2)
    total, cycles = 0, []
    for cycle in range(3 + LONG):
        reset, val, a = int(cycle < 2), rng.randrange(2), rng.randrange(1 << NBITS)
        cycles.append((reset, val, a, total))
        total = 0 if reset else total + val * a & (1 << NBITS) - 1
    return cycles


def recording_of(cycles, windows, sampled=None, signals=None):
    columns = zip(*cycles, strict=True)
    names = (("reset", False, 1), ("val", False, 1), ("a", False, NBITS), ("y", True, NBITS))
    ports = tuple(
        RecordedPort(*name, list(values)) for name, values in zip(names, columns, strict=True)
    )
    return Recording(ports, windows, ((0, 2),), {}, sampled or {}, signals or {})


def whole():
    """All cycles, the windows those of the pieces."""
    windows = {f"part{i}": (begin + WARM_UP, end) for i, (begin, end) in enumerate(PIECES)}
    return recording_of(played(), windows)


def in_pieces(change=lambda piece: piece, names=SIGNALS):
    """Reset and an idle cycle, then the pieces alone."""
    cycles, kept, pieces = played(), played()[:3], []
    for begin, end in PIECES:
        at = len(kept)
        kept += cycles[begin:end]
        held = ([99, cycles[cycle][3]] for cycle in (begin, begin + 1, end))
        pieces.append(change(Piece(at, len(kept), *held)))
    return recording_of(kept, {"idle": (2, 3)}, {"full": Sampled(LONG, tuple(pieces))}, names)


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "gated"])
def gated(request):
    return request.param


@pytest.fixture(scope="module")
def run(gated):
    """Run the toy through the flow with a recording."""
    verilog = translate(PowerToy(NBITS), "PowerToy").text
    arguments = {"to": "power", "recipes": ["area"], "gated": gated}
    return lambda recording: kept_run(verilog, "PowerToy", recording, **arguments)


@pytest.fixture(scope="module")
def result(run):
    return run(in_pieces())


@pytest.fixture(scope="module")
def timing(result, library):
    flat = read_netlist(folder_of(result, "synthesis") / "outputs/flat.json")
    return Timing(MappedNetlist(flat, library))


def test_pieces_do_what_the_same_cycles_do_in_the_whole(timing):
    parts = [part for [part] in simulate(timing, whole(), samples=LONG).windows.values()]
    pieces = simulate(timing, in_pieces(), samples=LONG).windows["full"]
    for part, piece in zip(parts, pieces, strict=True):
        assert part.cycles == piece.cycles == part.sampled == piece.sampled == 20 - WARM_UP
        for counts in ("toggles", "high", "sampled_toggles", "delayed_toggles"):
            assert np.array_equal(getattr(part, counts), getattr(piece, counts))
        assert piece.toggles.sum() > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: replace(p, second=[0, p.second[1] ^ 4]), "bit 2 of y differs"),
        (lambda p: replace(p, after=[0, p.after[1] ^ 4]), r"y\[2\]_reg is not as"),
    ],
)
def test_a_state_that_is_not_the_rtls_is_found(timing, change, message):
    with pytest.raises(Mismatch, match=message):
        simulate(timing, in_pieces(change))


@pytest.mark.quick
def test_a_register_that_synthesis_made_starts_with_what_the_others_give_it(library):
    def shift(second):
        return Timing(
            MappedNetlist(
                netlist_of(
                    *("Shift", "clk a -> y", "DFF_X1 first_reg CK=clk D=a Q=n"),
                    f"DFF_X1 {second} CK=clk D=n Q=y",
                ),
                library,
            )
        )

    a = [0, 1, 1, 0, 1, 0, 0, 1, 1, 0]
    first, y = [0, *a[:-1]], [0, 0, *a[:-2]]
    pieces = tuple(
        Piece(at, at + 4, [first[cycle]], [first[cycle + 1]], [first[cycle + 4]])
        for at, cycle in ((0, 2), (4, 3), (8, 5))
    )
    spans = [cycle for at in (2, 3, 5) for cycle in range(at, at + 4)]
    ports = (
        RecordedPort("a", False, 1, [a[cycle] for cycle in spans]),
        RecordedPort("y", True, 1, [y[cycle] for cycle in spans]),
    )
    recording = Recording(ports, {}, sampled={"all": Sampled(10, pieces)}, signals={"first": 0})
    found = simulate(shift("_1_"), recording)
    assert [piece.cycles for piece in found.windows["all"]] == [2, 2, 2]
    with pytest.raises(Mismatch, match="the RTL has no register second"):
        simulate(shift("second_reg"), recording)


def test_a_register_that_the_rtl_lacks_is_named(timing):
    with pytest.raises(Mismatch, match=r"the RTL has no register y\[\d\], so"):
        simulate(timing, in_pieces(names={"add.a": 0, "other": 1}))


def test_every_wrong_kind_of_gate_is_found(result, library):
    flat = read_netlist(folder_of(result, "synthesis") / "outputs/flat.json")
    tried = 0
    for right, wrong in (("NAND2_X1", "NOR2_X1"), ("NOR2_X1", "NAND2_X1")):
        changed = with_other(flat, right, wrong)
        tried += changed is not flat
        if changed is not flat:
            with pytest.raises(Mismatch):
                simulate(Timing(MappedNetlist(changed, library)), in_pieces())
    assert tried


def test_a_recording_in_pieces_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "recording.json"
    path.write_text(in_pieces().to_json())
    assert Recording.from_json(path) == in_pieces()


@pytest.mark.quick
def test_pieces_must_not_overlap():
    def moved(piece):
        return replace(piece, begin=piece.begin - 5)

    with pytest.raises(ValueError, match="window full: cycles"):
        in_pieces(moved)


def test_a_gate_clocks_the_registers_that_pieces_set(gated, result):
    gating = result["steps"]["synthesis"].get("gating", {})
    assert gating.get("gated_registers") == (NBITS if gated else None)


def test_energy_is_that_of_the_whole_within_its_error(run, result):
    window = result["steps"]["power"]["windows"]["full"]
    assert (window["cycles"], window["pieces"]["count"]) == (LONG, len(PIECES))
    assert window["pieces"]["cycles"] == sum(end - begin - WARM_UP for begin, end in PIECES)
    assert window["energy_nj"] == pytest.approx(window["power_mw"]["total"] * LONG * 3e-3)
    exact = run(recording_of(played(), {"full": (3, 3 + LONG)}))
    exact = exact["steps"]["power"]["windows"]["full"]
    for energy in ("energy", "energy_with_glitches"):
        off = abs(window[f"{energy}_nj"] - exact[f"{energy}_nj"])
        error = window["pieces"][f"{energy}_error_nj"]
        assert off <= 1.5 * error < 0.2 * exact["energy_nj"]
