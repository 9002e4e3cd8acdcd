"""One exponentiator behind every protocol of the library: the same powers, with any stalls."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from pymtl3 import DefaultPassGroup

from eval.catalog import bring, find
from eval.cli.new import ADAPTERS
from eval.contract.exponentiator import check_exponentiator, edge_cases, random_cases
from eval.foreign import designs, guess, writing
from eval.foreign.core import Core
from eval.foreign.designs import ANY, foreign_exponentiator
from rtl.foreign import buses, protocols
from rtl.foreign.steps import HIGH, Do, Drive, Handshake
from rtl.foreign.taken import Taken, TakenModulus
from sim.errors import RunError
from sim.stream import NO_STALLS, StreamRunner, random_stalls
from tests.command_line import run_json

HERE, N = Path(__file__).parent, 16
PLACES = {"base": 0, "exp": 64, "mod": 128}
BUS = {"base": 0, "exp": 16, "mod": 32}
PORTS = {"base": "base", "exp": "exp", "mod": "mod"}


def core(top: str, **more) -> Core:
    """A module of power.v."""
    return Core(HERE, ("power.v",), top, **({"parameters": {"N": lambda nbits: nbits}} | more))


def on_bus(status: str) -> buses.Registers:
    """The registers of power.v behind a bus."""
    return buses.Registers(8, BUS, 0, (48, 1), status, 48, stride=4)


CORES: dict[str, tuple[Core, Handshake]] = {
    "start-done": (core("power"), protocols.start_done(PORTS, "result")),
    "load": (
        core("fixed", reset="rst", parameters={}),
        protocols.start_done(
            {"indata": "base", "inexp": "exp", "inmod": "mod"}, "cypher", load="load"
        ),
    ),
    "val-rdy": (
        core("handshake", reset="rst"),
        protocols.val_rdy({"base": "base", "e": "exp", "n": "mod"}, "y"),
    ),
    "word-memory": (
        core("memories"),
        protocols.word_memory(
            8, PLACES, 192, address="addr", data="din", write="we", output="dout"
        ),
    ),
    "own-ports": (
        core("own_ports", inverted=("start_n",), parameters={"NBITS": lambda nbits: nbits}),
        protocols.word_memory(
            8,
            {name: protocols.Words(write=f"ld_{name}", address=f"{name}_addr") for name in PORTS},
            protocols.Words(address="res_addr"),
            **{"address": "", "data": "din", "write": "", "output": "res"},
            **{"start": "start_n", "done": "!busy", "first": HIGH},
        ),
    ),
    "selected": (
        core("selected"),
        protocols.word_memory(
            N,
            {"base": 1, "exp": 2, "mod": 3},
            None,
            **{"address": "sel", "data": "data", "write": "load", "output": "y"},
            **{"start": "go", "done": "!busy"},
        ),
    ),
    "registers": (
        core("registers", reset="!reset_n"),
        buses.registers(
            buses.Registers(
                8,
                {"mod": 0x31, "exp": 0x41, "base": 0x51},
                result=0x61,
                control=(8, 1, 0),
                status="read_data[0]",
                status_at=9,
                stride=0,
                first=HIGH,
                rewind={"result": 0x60, "mod": 0x30},
                values={0x20: lambda nbits: nbits // 8},
            ),
            pause=1,
        ),
    ),
    "wishbone": (
        core("on_wishbone", clock="wb_clk_i", reset="wb_rst_i"),
        buses.wishbone(on_bus("wb_dat_o[0]"), ports={"sel": ""}),
    ),
    "axi-lite": (
        core("on_axi", clock="aclk", reset="!aresetn"),
        buses.axi_lite(on_bus("s_axi_rdata[0]"), strobes=False),
    ),
    "word-stream": (
        core("stream", reset="rst"),
        protocols.word_stream(
            8,
            {"mod": "data_in", "base": "data_in", "exp": "data_in"},
            "data_out",
            val="valid_in",
            ready="ready_in",
            answer="valid_out",
            take="ready_out",
        ),
    ),
}


def accepts(base: int, exp: int, mod: int) -> bool:
    """The core wants a base up to the modulus."""
    return base <= mod


@pytest.mark.parametrize("name", CORES)
def test_powers_come_right_by(name):
    [design] = foreign_exponentiator("theirs", *CORES[name], moduli=ANY, accepts=accepts)
    model = design.at(N)
    cases = [
        case for case in edge_cases(N) + random_cases(N, 20, 1) if model.accepts(*case.operands)
    ]
    with StreamRunner(model.rtl(), "batch") as runner:
        for stalls in (NO_STALLS, random_stalls(1)):
            check_exponentiator(runner, model, cases, stalls)


def test_the_levels_agree_on_values_and_cycles():
    """PyMTL3's simulator with the Verilated text in it, and the import of the whole."""
    [design] = foreign_exponentiator("theirs", *CORES["registers"], moduli=ANY, accepts=accepts)
    model = design.at(N)
    requests = [(b << N | e) << N | m for b, e, m in ((5, 13, 77), (3, 65535, 65535), (4, 9, 0))]
    found = {}
    for level in ("rtl", "verilog", "batch"):
        with StreamRunner(model.rtl(), level) as runner:
            found[level] = runner.run(requests)
    assert [one.response for one in found["rtl"]] == [
        pow(5, 13, 77) << 1,
        pow(3, 65535, 65535) << 1,
        1,
    ]
    assert found["rtl"] == found["verilog"] == found["batch"]
    assert [one.cycles for one in found["rtl"]] == [
        model.latency(5, 13, 77),
        model.latency(3, 65535, 65535),
        1,
    ]


ECHO = """
module echo(
  input clk, input start, input [15:0] which, input [15:0] r, input [15:0] step, input [W-1:0] core,
  input [15:0] based, output reg done, output [15:0] q
);
  assign q = which == 0 ? r : which == 1 ? step : which == 2 ? core
           : which == 4 ? core >> 16 : based;
  always @(posedge clk) done <= start;
endmodule
"""


@pytest.mark.parametrize(("host", "word"), [(False, 9), (True, 9), (False, 20), (True, 20)])
def test_constants_of_the_modulus_stand_before_the_first_step(tmp_path, host, word):
    """Their names are those of ports and of the adapter's own registers: none may be mistaken. The
    inverse is of a word, which may be wider than the modulus."""
    (tmp_path / "echo.v").write_text(ECHO.replace("W-1", f"{word - 1}"))
    echo = Core(tmp_path, ("echo.v",), "echo", reset="")

    def drive(nbits: int) -> Drive:
        pins = {"which": "base", "r": "word", "step": "kept", "core": "refused"}
        constants = {"word": ("r", 18), "kept": ("r2", 18), "refused": ("m_inv", word)}
        if host:
            pins["based"], constants["waited"] = "waited", ("base_r", 18)
        return Drive([Do({"start": 1}), Do(until="done", take="q")], pins, constants)

    [design] = foreign_exponentiator("theirs", echo, drive, moduli=Taken(odd=True), host=host)
    moduli = (1, 3, 5, 511, 513, 12345, 32769, 65535)
    asked = (0, 1, 2, 4, 65535)[: 4 + host]
    requests = [(which << N | 0) << N | m for m in moduli for which in asked]
    with StreamRunner(design.at(N).rtl(), "batch") as runner:
        found = runner.run(requests)
    expected = []
    for m in moduli:
        high, low = divmod(-pow(m, -1, 2**word) % 2**word, 1 << N)
        expected.append((2**18 % m, 2**36 % m, low, high, (65535 << 18) % m)[: 4 + host])
    assert [one.response >> 1 for one in found] == [v for values in expected for v in values]
    assert {one.cycles for one in found} == {3 if host else 3 + 37}


MIXED = """
module mixed(input clk, input reset, input start, input [15:0] base, input [15:0] exp,
             input [15:0] mod, output done, output [15:0] q);
  reg [1:0] count;
  reg [2:0] ended;
  reg old;
  wire end_ = count == 3;
  assign done = end_ || old;
  assign q = ended[LATE] ? base ^ exp ^ mod : 16'hffff;
  localparam LATE = 1;
  always @(posedge clk) begin
    count <= reset || !start || end_ ? 0 : count + 1;
    ended <= reset ? 0 : {ended[1:0], end_};
    old <= !reset && (end_ || old && count != 1);
  end
endmodule
"""
REQUESTS = [(0x1234, 0x0F0F, 0x8001), (1, 2, 3), (0xFFFF, 0, 0xAAAB)]


def answers(design, bits: int = N) -> list[int]:
    """What a core says to the requests, of the width."""
    packed = [(b << bits | e) << bits | m for b, e, m in REQUESTS]
    with StreamRunner(design.at(bits).rtl(), "batch") as runner:
        return [one.response >> 1 for one in runner.run(packed, max_cycles=5000)]


def test_a_start_that_stays_an_old_done_and_a_result_that_comes_late(tmp_path):
    """The core gives up where start falls before done, which is high for a while of the request
    before; its result stands in the second cycle after done, and in no other."""
    (tmp_path / "mixed.v").write_text(MIXED)
    drive = protocols.start_done(PORTS, "q", hold=True, late=2, settle=2)
    theirs = Core(tmp_path, ("mixed.v",), "mixed")
    [design] = foreign_exponentiator("theirs", theirs, drive, moduli=ANY)
    assert answers(design) == [b ^ e ^ m for b, e, m in REQUESTS]


LATER = """
module later(input clk, input reset, input cs, input we, input [3:0] address,
             input [7:0] write_data, output reg [7:0] read_data);
  reg [15:0] base, exp, mod, out;
  reg [2:0] left;
  always @(posedge clk) begin
    read_data <= 8'hff;
    left <= reset || left == 0 ? 0 : left - 1;
    if (cs && we)
      case (address)
        0, 1: base <= {write_data, base[15:8]};
        2, 3: exp <= {write_data, exp[15:8]};
        4, 5: mod <= {write_data, mod[15:8]};
        8: left <= 7;
        9: out <= base ^ exp ^ mod;
      endcase
    else if (cs)
      case (address)
        6, 7: read_data <= out[address[0] * 8 +: 8];
        8: read_data <= left == 0;
        10: {out, read_data} <= {8'd0, out};
      endcase
  end
endmodule
"""


@pytest.mark.parametrize("stride", [0, 1])
def test_registers_whose_data_come_a_cycle_later(tmp_path, stride):
    """And stand for that cycle alone; where a register gives one word after the other, each look
    takes one."""
    (tmp_path / "later.v").write_text(LATER)
    places, back = {"base": 0, "exp": 2, "mod": 4}, {"result": 9}
    at = 6 if stride else 10
    of = buses.Registers(8, places, at, (8, 1), "read_data[0]", 8, stride, rewind=back)
    theirs = Core(tmp_path, ("later.v",), "later")
    drive = buses.registers(of, latency=1)
    [design] = foreign_exponentiator("theirs", theirs, drive, moduli=ANY)
    assert answers(design) == [b ^ e ^ m for b, e, m in REQUESTS]


GOES = """
module goes(input clk, input reset, input start, input [7:0] base, input [7:0] exp,
            input [7:0] mod, input valid, input go, output ready, output [7:0] out,
            output out_valid);
  reg [23:0] sum, given;
  reg [2:0] left;
  reg even;
  assign ready = even, out = given[7:0], out_valid = left != 0;
  always @(posedge clk) begin
    even <= !reset && !even;
    if (reset) left <= 0;
    else if (start) sum <= 0;
    else if (valid && ready) sum <= {base ^ exp ^ mod ^ sum[7:0], sum[23:8]};
    else if (go) {left, given} <= {3'd3, sum};
    else if (left != 0) {left, given} <= {left - 3'd1, given >> 8};
  end
endmodule
"""


def test_a_stream_begins_and_ends_with_a_pulse(tmp_path):
    """Three words of each operand, of which the last has four bits; words are taken in every second
    cycle. They go around as they are added up, and must begin with none."""
    (tmp_path / "goes.v").write_text(GOES)
    drive = protocols.word_stream(
        8, PORTS, "out", val="valid", ready="ready", answer="out_valid", start="start", go="go"
    )
    theirs = Core(tmp_path, ("goes.v",), "goes")
    [design] = foreign_exponentiator("theirs", theirs, drive, moduli=ANY)
    assert answers(design, 20) == [b ^ e ^ m for b, e, m in REQUESTS]


@pytest.mark.parametrize("name", ["word-memory", "registers"])
def test_operands_of_many_words_the_last_not_full(name):
    """Nine words of eight bits, low or high word first, of operands of 68 bits."""
    theirs, drive = CORES[name]
    wide = replace(theirs, parameters={"N": lambda nbits: 72})
    [design] = foreign_exponentiator("theirs", wide, drive, moduli=ANY, accepts=accepts)
    model = design.at(68)
    cases = [case for case in random_cases(68, 40, 1) if model.accepts(*case.operands)]
    assert len(cases) > 3
    with StreamRunner(model.rtl(), "batch") as runner:
        check_exponentiator(runner, model, cases)


def test_a_done_that_never_comes_is_told_with_the_step_that_waits():
    held = core("power", reset="!reset")
    [design] = foreign_exponentiator(
        "theirs", held, CORES["start-done"][1], moduli=ANY, most=lambda nbits: 500
    )
    with pytest.raises(RunError) as error:
        design.cycles(N, 5, 13, 77)
    said = str(error.value)
    assert "no answer in 500 cycles to base = 5, exp = 13, mod = 77" in said
    assert "step 2 of 2, which waits for done" in said
    assert "polarity" in said


@pytest.mark.quick
@pytest.mark.parametrize(
    ("taken", "takes"),
    [
        (Taken(), lambda m: m >= 1),
        (Taken(odd=True, least=3), lambda m: m >= 3 and m % 2),
        (Taken(full=True), lambda m: m >= 128),
        (Taken(odd=True, full=True, least=131), lambda m: m >= 131 and m % 2),
        (Taken(least=6), lambda m: m >= 6),
        (Taken(odd=True, spare=2), lambda m: m < 64 and m % 2),
        (Taken(full=True, spare=1), lambda m: 64 <= m < 128),
    ],
)
def test_moduli_are_taken_by_their_form(taken, takes):
    """In Python as in the Verilog of adapters, which is short enough to be read as Python here."""
    assert all(taken(m, 8) == bool(takes(m)) for m in range(256))
    text = re.sub(r"m\[(\d)\]", r"(m >> \1 & 1)", taken.verilog("m", 8)).replace("&&", "and")
    text = text.replace("8'd", "")
    assert all(bool(eval(text, {"m": m})) == bool(takes(m)) for m in range(256))
    judge = TakenModulus(8, taken)
    judge.elaborate()
    judge.apply(DefaultPassGroup())
    for m in range(256):
        judge.mod @= m
        judge.sim_eval_combinational()
        assert bool(judge.takes) == bool(takes(m))


@pytest.mark.quick
@pytest.mark.parametrize("spare", [1, 2, 3])
@pytest.mark.parametrize("nbits", [8, 9, 11, 16, 18, 24, 33, 35, 64])
def test_the_key_of_a_core_is_as_long_as_its_moduli_may_be(nbits, spare):
    """Of an even number of bits, or a small one: 221, 55 or 15."""
    bits = nbits - spare
    wanted = bits - bits % 2 if bits >= 16 else max(n for n in (8, 6, 4) if n <= bits)
    key = designs._moduli(Taken(odd=True, spare=spare)).key(nbits)
    assert key.n.bit_length() == wanted
    assert pow(pow(2, key.e, key.n), key.d, key.n) == 2


GUESSED = {
    "power": ("power --adapter start-done", "start-done", {}),
    "fixed": ("fixed", "start-done", {"load": "load", "base": "indata", "result": "cypher"}),
    "handshake": ("handshake", "val-rdy", {"in_val": "in_valid", "mod": "n", "result": "y"}),
    "memories": ("memories", "word-memory", {"address": "addr", "data": "din", "write": "we"}),
    "registers": ("registers", "registers", {"select": "cs", "output": "read_data"}),
    "stream": ("stream --adapter word-stream", "word-stream", {"in_val": "valid_in"}),
    "own_ports": (
        "own_ports --port start=!start_n",
        "word-memory",
        {"done": "!busy", "data": "din", "output": "res"},
    ),
    "own_ports, typed": (
        "own_ports --port start=!start_n --port done=!busy --port output=res",
        "word-memory",
        {"done": "!busy", "data": "din", "output": "res"},
    ),
    "selected": ("selected", "word-memory", {"address": "sel", "write": "load", "done": "!busy"}),
    "on_wishbone": ("on_wishbone --adapter wishbone --clock wb_clk_i", "wishbone", {}),
    "on_axi": ("on_axi", "axi-lite", {}),
}


@pytest.mark.parametrize("top", GUESSED)
def test_new_tells_the_protocol_by_the_ports(top, mine):
    typed, adapter, ports = GUESSED[top]
    made = run_json(f"new theirs --verilog {HERE}/power.v --as exponentiator --top {typed}")
    assert made["adapter"] == adapter
    assert ports.items() <= made["ports"].items()
    assert made["widths"] == ([16, 16] if top == "fixed" else [8, 4096])
    bring("--with", made["entry"])
    assert find("theirs").multiplier.inside
    if adapter in ("start-done", "val-rdy") or typed.startswith(
        "own_ports"
    ):  # nothing is to be edited
        assert find("theirs").cycles(16, 5, 13, 77) > 13


@pytest.mark.parametrize("prefix", ["s_axi_", "S_AXI_", "s00_axi_"])
def test_a_bus_is_told_whatever_the_prefix_of_its_clock_and_reset(prefix, mine):
    """A wizard of an FPGA's maker puts the bus's prefix before clock and reset, too."""
    text = (HERE / "power.v").read_text()
    start = text.index("module on_axi")
    for name in ("aclk", "aresetn"):
        text = text[:start] + re.sub(rf"\b{name}\b", f"{prefix}{name}", text[start:])
    text = text[:start] + text[start:].replace("s_axi_", prefix)
    if prefix.isupper():
        names = re.compile(rf"{prefix}\w+")
        text = text[:start] + names.sub(lambda found: found[0].upper(), text[start:])
    file = mine.parents[1] / "bus.v"
    file.write_text(text)
    made = run_json(f"new theirs --verilog {file} --as exponentiator --top on_axi")
    entry = Path(made["entry"]).read_text()
    upper = str.upper if prefix.isupper() else str
    assert made["adapter"] == "axi-lite"
    assert upper(f"{prefix}aclk") in entry
    assert upper(f"!{prefix}aresetn") in entry
    bring("--with", made["entry"])
    assert find("theirs").multiplier.inside


@pytest.mark.quick
def test_ports_are_told_with_and_without_directions_and_records():
    for port in ("start", "i_start", "START_I", "start_in", "ctl_i_start", "ctl_in_start_i"):
        assert "start" in guess.names_of(port)
    assert "reset_n" in guess.names_of("rst_ni") | guess.names_of("reset_n_i")
    assert guess.names_of("data_in") == {"data_in", "data"}


@pytest.mark.quick
def test_every_protocol_has_a_name_for_new():
    made = {*ADAPTERS} - {guess.STEPS}
    assert set(ADAPTERS) == set(guess.ADAPTERS)
    assert made == set(writing.PROTOCOLS) == set(writing.ARGUMENTS)
    functions = {function.__name__ for function in writing.PROTOCOLS.values()}
    assert functions == {name.replace("-", "_") for name in made}
