"""The peripheral on the command line: simulated, and written as Verilog."""

import re
from pathlib import Path

import pytest
import rsa
import yaml

from cl.peripheral import busy_cycles, operation_cycles
from eval.catalog import DESIGNS
from eval.catalog.processor import ALONE, Processor, on_bus
from eval.tasks.answers import workloads_of
from fl.rsa_keys import even_key
from sim.translate import translate
from tests.command_line import assert_refused, run, run_json
from tests.yosys import run_yosys

E = "--nbits 32 --workload e --unit peripheral"
KEY = even_key(64, 1)


@pytest.fixture
def key(tmp_path: Path) -> str:
    """A file with a key of 64 bits."""
    file = tmp_path / "key.pem"
    file.write_bytes(rsa.PrivateKey(KEY.n, KEY.e, KEY.d, KEY.p, KEY.q).save_pkcs1())
    return str(file)


@pytest.mark.quick
@pytest.mark.parametrize("level", ["fl", "cl", "rtl"])
def test_every_level_computes(level: str):
    found = run_json(f"simulate ssmm-best {E} --level {level}")
    assert (found["result"], found["through"]) == (2050940851, "peripheral")
    operands = [found[name] for name in ("base", "exp", "mod")]
    busy = busy_cycles(32, DESIGNS["ssmm-best"].cycles(32, *operands))
    # The interrupt enabled; modulus, exponent and base; kind, length, start; status, length, word.
    right = operation_cycles(1 + 3 * 2 + 3 + 2 + 2, busy)
    assert found["cycles"] == (None if level == "fl" else right)


@pytest.mark.quick
def test_a_trace_shows_the_bus():
    shown = run(f"simulate ssmm-best {E} --level cl --trace").output
    assert "W[30] =00000001" in shown


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"simulate ssmm-best {E} --level verilog", "--level: the peripheral is not imported"),
        ("simulate ssmm-best --nbits 32 --workload e --waves 0-7", "--waves: exponentiator"),
        (f"simulate ssmm-best {E} --xcel", "--xcel: excludes --unit peripheral"),
        ("simulate mul-rem --nbits 8 --workload e --unit peripheral", "--nbits: 8 is less than"),
        ("verilog mul-rem --nbits 31 --unit peripheral -o a.v", "--nbits: 31 is less than"),
        ("verilog mul-rem --nbits 32 -o /proc/a.v", "--output: cannot write /proc/a.v"),
        ("verilog mul-rem --nbits 32 -o a.core --core", "--core: a.core is where it would be"),
        ("verilog mul-rem --nbits 32 -o /proc/a.v --core", "--output: cannot write /proc/a.v"),
        ("verilog mul-rem -o a.v", "--nbits: give the width"),
        ("verilog mul-rem --key KEY -o a.v", "--key: no accelerator holds a key"),
        ("verilog dm-modulus-1 --unit multiplier --key KEY -o a.v", "--key: no multiplier holds"),
        ("verilog dm-modulus-1 --key KEY --nbits 90 -o a.v", "--nbits: c*m must be at least 2^90"),
        ("verilog mul-rem --unit peripheral --key KEY --nbits 32 -o a.v", "--nbits: 32 is less"),
        ("verilog near-power-4 --unit peripheral --key KEY -o a.v", "--key: near-power-4 does not"),
        ("verilog mul-ram --nbits 32 -o a.v", "no design named"),
        ("flow processor+null --unit peripheral", "design: there is no null peripheral"),
        ("flow processor+mul-rem --nbits 31 --unit peripheral", "--nbits: 31 is less than"),
        ("flow processor --unit multiplier", "--unit: the processor has no units"),
        ("flow processor+mul-rem --nbits 32 --unit peripheral --to power", "has no workload"),
        ("flow mul-rem --nbits 31 --unit peripheral", "--nbits: 31 is less than"),
        ("flow mul-rem --nbits 32 --unit multiplier --to power", "has no workload"),
        ("flow mul-rem --nbits 8 --to power --fill 40", "--fill 40: fills the core of a layout"),
        ("flow mul-rem --nbits 8 --to layout --fill 4", "--fill 4: must be from 5 to 85"),
        ("flow mul-rem --nbits 8 --to layout --fill 86", "--fill 86: must be from 5 to 85"),
        ("flow mul-rem --nbits 512 --unit peripheral --to power", "--to: an operation of mul-rem"),
    ],
)
def test_refused(line: str, says: str, key: str):
    assert_refused(line.replace("KEY", key), says)


@pytest.mark.quick
def test_a_key_is_constant_in_the_verilog(tmp_path: Path, key: str):
    file = tmp_path / "keyed.v"
    line = f"verilog ssmm-best --unit peripheral --key {key} -o {file}"
    assert run(line).stdout.startswith("module ssmm_best_64_peripheral_keyed\n")
    constants = {int(digits) for digits in re.findall(r"64'd(\d+)", file.read_text())}
    assert {KEY.n, KEY.e, KEY.d} <= constants


@pytest.mark.quick
@pytest.mark.parametrize("unit", ["accelerator", "exponentiator", "peripheral"])
def test_hardware_is_made_for_a_key(tmp_path: Path, key: str, unit: str):
    file = tmp_path / "made.v"
    line = f"verilog dm-modulus-1 --unit {unit} --key {key} -o {file}"
    end = "" if unit == "accelerator" else f"_{unit}"
    assert run(line).stdout.startswith(f"module dm_modulus_1_64{end}_keyed\n")
    assert {int(digits) for digits in re.findall(r"'d(\d+)", file.read_text())} >= {KEY.n}


def test_a_core_file_names_the_verilog_and_its_top(tmp_path):
    path = tmp_path / "rsa.v"
    found = run_json(f"verilog ssmm-best --nbits 32 --unit peripheral -o {path} --core")
    text = (tmp_path / "rsa.core").read_text()
    assert (found["core"], text.splitlines()[0]) == (str(tmp_path / "rsa.core"), "CAPI=2:")
    core = yaml.safe_load(text.partition("\n")[2])
    assert core["name"] == f"modexplorer:peripheral:{found['module']}:1.0.0"
    assert core["filesets"]["rtl"]["files"] == ["rsa.v"]
    for target in core["targets"].values():
        assert (target["toplevel"], target["filesets"]) == (found["module"], ["rtl"])


@pytest.mark.parametrize("unit", ["peripheral", "multiplier"])
def test_verilog_is_what_yosys_takes(tmp_path, unit: str):
    path = tmp_path / "unit.v"
    found = run_json(f"verilog ssmm-best --nbits 32 --unit {unit} -o {path}")
    names = {port["name"] for port in found["ports"]}
    assert "clk" in names
    assert (unit == "peripheral") == ("s_axi_awvalid" in names)
    run_yosys(
        f"read_verilog -sv {path}",
        f"hierarchy -check -top {found['module']}",
        "proc",
        "check -assert",
    )


@pytest.mark.quick
def test_the_processor_with_a_bus_is_another_one():
    alone, attached = (on_bus(Processor(design)) for design in (ALONE, "ssmm-best"))
    for one in (alone, attached):
        plain = Processor(one.attached)
        assert (str(one), one.arguments) == (f"{plain}-bus", f"{plain.arguments} --unit peripheral")
        assert one.top_of("system") != plain.top_of("system")
    ports = {port.name for port in translate(alone.component("system")).ports}
    assert "irq" in ports
    assert [type(task).__name__ for task in workloads_of(attached)] == ["Simulation"] * 2
    assert list(workloads_of(alone)) == []
