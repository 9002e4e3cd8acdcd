"""The batch runner beyond streams: ports by name, loops of one's own, VCD, and its cache."""

import ctypes
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rtl.mul.mont_digit import MontDigitRTL
from sim import toolchain
from sim.batch import BatchModel
from sim.batch_stream import LOOP as STREAM_LOOP
from sim.errors import RunError
from sim.paths import build_dir
from sim.stream import StreamRunner
from sim.transfers import RESET_CYCLES
from sim.translate import translate
from sim.verilate import BUILD_QUICKLY, SHARED, library_path, model_header, multiplies_wide
from tests.places import ROOT
from tests.toys import AddRTL, FaultyRTL, ProductRTL

LOOP = Path(__file__).parent / "count_loop.cpp"

RUN_ONE = """
from sim.stream import StreamRunner
from tests.toys import AddRTL
print([t.response for t in StreamRunner(AddRTL(16, 1), "batch").run([1 << 16 | 2])])
"""


def test_poke_peek_step() -> None:
    model = BatchModel(AddRTL(40, 2))
    model.reset()
    assert model.cycle == RESET_CYCLES
    assert model.peek("recv.rdy") == 1
    model.poke("recv.val", 1)
    model.poke("recv.msg", 0xFF_FFFF_FFFF << 40 | 2)
    model.poke("send__rdy", 1)
    model.settle()
    model.step()
    assert (model.peek("recv.rdy"), model.peek("send.val")) == (0, 0)
    model.step(2)
    assert (model.peek("send.val"), model.peek("send.msg")) == (1, 1)
    assert model.cycle == RESET_CYCLES + 3
    model.step(5)
    assert model.cycle == RESET_CYCLES + 8
    model.close()
    with pytest.raises(ValueError, match="is closed"):
        model.step()


def test_two_instances_of_one_library() -> None:
    one, two = BatchModel(AddRTL(40, 2)), BatchModel(AddRTL(40, 2))
    for model, value in ((one, 3), (two, 5)):
        model.reset()
        model.poke("recv.val", 1)
        model.poke("recv.msg", value)
        model.step(3)
    assert (one.peek("send.msg"), two.peek("send.msg")) == (3, 5)


def test_wrong_pokes() -> None:
    model = BatchModel(AddRTL(40, 2))
    for port, value, message in (
        ("send.val", 1, "send.val is an output of 1 bits"),
        ("recv.val", 2, "recv.val is an input of 1 bits"),
        ("recv.msg", -1, "recv.msg is an input of 80 bits"),
        ("recv.mgs", 1, "no port recv.mgs; ports: clk, reset, recv__msg"),
    ):
        with pytest.raises(ValueError, match=message):
            model.poke(port, value)


def test_a_loop_of_ones_own() -> None:
    model = BatchModel(FaultyRTL(), LOOP, {"in": "port.req", "out": "port.resp"})
    model.reset()
    last = ctypes.c_uint8()
    count = model.lib.count_responses
    count.restype = ctypes.c_uint64
    seen = count(model.handle, ctypes.c_uint64(1000), ctypes.c_uint8(21), ctypes.byref(last))
    assert (seen, last.value) == (500, 21)
    assert model.cycle == RESET_CYCLES + 1000


def test_verilog_text_runs_like_its_component() -> None:
    requests = [0x0102, 0xFFFF]
    with (
        StreamRunner(AddRTL(8, 3), "batch") as component,
        StreamRunner(translate(AddRTL(8, 3), "netlist"), "batch") as text,
    ):
        assert text.run(requests) == component.run(requests)
        assert text.name == "netlist (batch)"
    with pytest.raises(ValueError, match="only level batch takes it"):
        StreamRunner(translate(AddRTL(8, 3)), "rtl")


@pytest.mark.parametrize("nbits", [40, 100, 1030])
def test_products_of_many_words(nbits: int) -> None:
    """wide_multiply.h replaces Verilator's product."""
    rng = random.Random(nbits)
    ones = (1 << nbits) - 1
    pairs = [(0, ones), (1, ones), (ones, ones), (1 << nbits - 1, 3), (1 << 32, 1 << 33)]
    pairs += [(rng.getrandbits(nbits), rng.getrandbits(rng.randrange(nbits))) for _ in range(40)]
    with StreamRunner(ProductRTL(nbits), "batch") as runner:
        transfers = runner.run([a << nbits | b for a, b in pairs])
    assert [t.response for t in transfers] == [a * b for a, b in pairs]


@pytest.mark.parametrize(("nbits", "wide"), [(64, False), (128, True), (257, True)])
def test_two_wide_values_are_told_from_a_digit_and_a_wide_one(nbits: int, wide: bool) -> None:
    """The first are slow with a pass of Verilator that makes all else faster."""
    product = translate(ProductRTL(nbits)).text
    assert " * " in product
    assert multiplies_wide(product) == wide
    digits = translate(MontDigitRTL(nbits, 4)).text
    assert " * " in digits
    assert not multiplies_wide(digits)


def test_header_names_every_port() -> None:
    design = translate(FaultyRTL())
    header = model_header(design, {"in": "port.req"}, trace=False)
    assert "constexpr unsigned PORTS = 8;" in header
    assert "in_val(Model &model) { return model.port___05Freq___05Fval; }" in header
    with pytest.raises(ValueError, match="has no interface memory"):
        model_header(design, {"mem": "memory"}, trace=False)


def changes(vcd: str, signal: str) -> list[tuple[int, int]]:
    """(time, value) of every change of a one-bit signal."""
    code = next(
        words[3]
        for line in vcd.splitlines()
        if (words := line.split())[:1] == ["$var"] and words[4] == signal
    )
    time, found = 0, []
    for line in vcd.splitlines():
        if line.startswith("#"):
            time = int(line[1:])
        elif line in (f"0{code}", f"1{code}"):
            found.append((time, int(line[0])))
    return found


def test_vcd(tmp_path: Path) -> None:
    path = tmp_path / "waves" / "adder.vcd"
    requests = [0x0102, 0x0304]
    with StreamRunner(AddRTL(8, 3), "batch", vcd=path) as runner:
        transfers = runner.run(requests)
    with StreamRunner(AddRTL(8, 3), "batch") as plain:
        assert plain.run(requests) == transfers
    text = path.read_text()
    shown = changes(text, "send__val")
    rises = [time for time, value in shown if value]
    start = 10 * RESET_CYCLES  # ten time units a cycle, the clock rises after five
    assert [(t - 5 - start) // 10 + 1 for t in rises] == [t.arrived for t in transfers]
    assert "busy" in text  # internal registers too


def test_vcd_of_the_python_simulation(tmp_path: Path) -> None:
    with StreamRunner(AddRTL(8, 3), "rtl", vcd=tmp_path / "adder.vcd") as runner:
        runner.run([1])
    assert "$var reg 8" in (tmp_path / "adder.vcd").read_text()


def fresh_builds(folder: Path) -> dict[str, str]:
    """An environment that builds in the folder alone, with the runtime library already there."""
    batch = folder / "batch"
    batch.mkdir(parents=True)
    BatchModel(AddRTL(8, 3))
    for pattern in ("runtime-*.o", ".runtime-*"):
        for built in build_dir("batch").glob(pattern):
            shutil.copy(built, batch)
    own = {"MODEXPLORER_BUILD": str(folder), "PYTHONPATH": str(ROOT), SHARED: ""}
    return os.environ | own


def test_cache_under_two_processes(tmp_path: Path) -> None:
    env = fresh_builds(tmp_path)
    command = [sys.executable, "-c", RUN_ONE]
    both = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [p.communicate(timeout=300)[0].strip() for p in both] == ["[3]", "[3]"]
    (library,) = tmp_path.glob("batch/AddRTL_*.so")
    built = library.stat().st_mtime_ns
    assert subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True).stdout == "[3]\n"
    assert library.stat().st_mtime_ns == built
    assert not list(tmp_path.glob("batch/.building-*"))


def test_a_library_that_was_cut_in_half_is_built_anew(tmp_path: Path) -> None:
    """In a process of its own, which such a library would kill."""
    env = fresh_builds(tmp_path)
    command = [sys.executable, "-c", RUN_ONE]
    assert subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True).stdout == "[3]\n"
    for pattern in ("AddRTL_*.so", "headers-*.gch"):
        for built in (tmp_path / "batch").glob(pattern):
            os.truncate(built, built.stat().st_size // 2)
    again = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True)
    assert (again.returncode, again.stdout) == (0, "[3]\n")


@pytest.mark.parametrize("wave", [False, True])
def test_a_library_as_people_get_it(
    wave: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests have another, which takes less time to compile."""
    vcd = tmp_path / "adder.vcd" if wave else None
    with StreamRunner(AddRTL(24, 3), "batch", vcd=vcd) as runner:
        quickly = runner.run([5 << 24 | 9, 1])
    asked = (runner.engine.model.design, STREAM_LOOP, {"recv": "recv", "send": "send"}, wave)
    tests_own = library_path(*asked)
    monkeypatch.delenv(BUILD_QUICKLY)
    with StreamRunner(AddRTL(24, 3), "batch", vcd=vcd) as runner:
        assert runner.run([5 << 24 | 9, 1]) == quickly
    assert [transfer.response for transfer in quickly] == [14, 1]
    assert tests_own != library_path(*asked)
    assert tests_own.exists()
    assert library_path(*asked).exists()


def test_a_broken_build_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEXPLORER_BUILD", fresh_builds(tmp_path)["MODEXPLORER_BUILD"])
    broken = tmp_path / "broken_loop.cpp"
    broken.write_text("#error this loop does not compile\n")
    with pytest.raises(RunError, match="this loop does not compile"):
        BatchModel(AddRTL(8, 3), broken)
    assert not list(tmp_path.glob("batch/AddRTL*"))
    assert not list(tmp_path.glob("batch/.building-*"))


def test_what_goes_into_a_build_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MODEXPLORER_VERILATOR chooses the program; its version is part of what identifies a build."""
    fake = tmp_path / "other-verilator"
    fake.write_text(
        '#!/bin/sh\ncase "$1" in --getenv) echo /opt/other;; *) echo Other 9.9;; esac\n'
    )
    fake.chmod(0o755)
    design = translate(AddRTL(8, 3))
    usual = library_path(design, None, {}, False)
    assert library_path(design, None, {}, False) == usual
    assert library_path(design, LOOP, {}, False) != usual
    assert library_path(design, None, {}, True) != usual
    assert library_path(translate(AddRTL(8, 4)), None, {}, False) != usual
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("MODEXPLORER_VERILATOR", fake.name)
    chosen = toolchain.verilator()
    assert (chosen.path, chosen.version, chosen.root) == (fake, "Other 9.9", Path("/opt/other"))
    assert chosen.env["VERILATOR_ROOT"] == "/opt/other"
    assert library_path(design, None, {}, False) != usual
    monkeypatch.setenv("MODEXPLORER_VERILATOR", "no-such-verilator")
    with pytest.raises(RunError, match="MODEXPLORER_VERILATOR: no program no-such-verilator"):
        toolchain.verilator()


def test_missing_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain.compiler.cache_clear()
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nonexistent")
        with pytest.raises(RunError, match="apt-get install g"):
            toolchain.compiler()
    assert toolchain.compiler().version


def test_import_keeps_to_its_folder_and_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    here = sorted(Path.cwd().iterdir())
    built = []
    for _ in range(3):  # the second one from the cache, the third one anew
        with StreamRunner(AddRTL(8, 3), "verilog") as runner:
            assert runner.run([0x0102])[0].response == 3
        (library,) = build_dir("verilator-import", "cache").glob("*.so")
        built.append((library.stat().st_ino, library.stat().st_size))
        if len(built) == 2:
            os.truncate(library, library.stat().st_size // 2)
    assert built[0] == built[1]
    assert built[2][1] == built[0][1]
    assert sorted(Path.cwd().iterdir()) == here


def test_imports_of_the_same_class_do_not_mix() -> None:
    runners = [StreamRunner(AddRTL(8, latency), "verilog") for latency in (3, 4)]
    assert [r.run([0x0102])[0].cycles for r in runners] == [4, 5]
    for runner in runners:
        runner.close()
