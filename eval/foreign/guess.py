"""Which port of a core is what, by its name; what cannot be told from names is asked for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eval.catalog.inputs import shorten
from sim.errors import UserError

CLOCKS = ("clk", "clock", "ck", "aclk", "sysclk", "core_clk", "bus_clk")
RESETS = ("rst", "reset", "arst", "srst", "areset", "sreset", "clr", "clear")
LOW_RESETS = (
    *("rst_n", "rstn", "reset_n", "resetn", "nrst", "nreset", "n_rst", "n_reset", "arst_n"),
    *("aresetn", "rst_b", "reset_b", "arstn"),
)
NAMES = {
    "start": ("start", "go", "begin", "ds", "enable", "en", "req", "run", "calc", "start_bit"),
    "done": ("done", "finished", "finish", "fin", "ready", "valid", "rdy", "ack", "complete"),
    "load": ("load", "ld"),
    "a": ("a", "x", "op_a", "opa", "multiplicand", "mpand"),
    "b": ("b", "y", "op_b", "opb", "multiplier", "mplier"),
    "m": ("m", "n", "mod", "modulus", "p", "q"),
    "base": ("base", "msg", "message", "x", "g", "plaintext", "indata", "data", "m", "a", "b"),
    "exp": ("exp", "e", "exponent", "inexp", "d", "key", "power", "y"),
    "mod": ("mod", "n", "modulus", "inmod", "modulo", "m", "p"),
    "result": (
        *("r", "result", "res", "product", "out", "dout", "s", "z", "c", "p", "o", "y", "cypher"),
        *("cipher", "ciphertext", "answer", "q"),
    ),
    "in_val": ("in_valid", "valid_in", "in_val", "s_valid", "req_valid", "ivalid", "req_val"),
    "in_rdy": ("in_ready", "ready_in", "in_rdy", "s_ready", "req_ready", "iready", "req_rdy"),
    "out_val": ("out_valid", "valid_out", "out_val", "m_valid", "resp_valid", "ovalid", "resp_val"),
    "out_rdy": ("out_ready", "ready_out", "out_rdy", "m_ready", "resp_ready", "oready", "resp_rdy"),
    "address": ("address", "addr", "adr", "rw_address", "waddr", "mem_addr"),
    "data": ("data_in", "din", "wdata", "write_data", "data", "wr_data", "datain"),
    "write": ("write_enable", "we", "wr", "write", "wen", "wr_en", "load_data"),
    "select": ("cs", "sel", "select", "ce", "en", "enable"),
    "output": ("data_out", "dout", "rdata", "read_data", "dataout", "rd_data", "q"),
}
INPUTS = (
    *("start", "load", "a", "b", "m", "base", "exp", "mod", "in_val", "out_rdy"),
    *("address", "data", "write", "select"),
)
ADAPTERS = {
    "start-done": ("start", "done", "result"),
    "val-rdy": ("in_val", "in_rdy", "out_val", "out_rdy", "result"),
    "word-memory": ("address", "data", "write", "output", "start", "done"),
    "word-stream": ("data", "in_val", "in_rdy", "output", "out_val", "out_rdy", "start"),
    "registers": ("address", "data", "write", "output", "select"),
    "wishbone": (),
    "axi-lite": (),
}
TOLD = ("start-done", "val-rdy", "word-memory", "registers")  # by the names of ports, in any order
WIDE = ("start-done", "val-rdy")  # whose operands have ports of their own
MAY_LACK = ("load", "in_rdy", "out_rdy", "select")


@dataclass(frozen=True)
class Guess:
    """Is what was found: clocks, reset with "!" where it is low, the adapter, ports by role."""

    clocks: tuple[str, ...]
    reset: str
    adapter: str
    ports: dict[str, str] = field(default_factory=dict)


def names_of(port: str) -> set[str]:
    """Return a port's name, with and without what only tells its direction."""
    name = port.lower()
    ends = {name, re.sub(r"_(i|o|in|out)$", "", name), re.sub(r"(?<=_n)i$", "", name)}
    return ends | {re.sub(r"^(i|o|in|out)_", "", end) for end in ends}


def guess(
    ports: Mapping[str, tuple[str, int]],
    operands: Sequence[str],
    adapter: str | None,
    given: Mapping[str, str],
    clock: str | None,
    reset: str | None,
) -> Guess:
    """Find what each port is, `given` ones first; UserError names what is missing, and what
    there is."""
    known = (*NAMES, *operands)
    for role, port in given.items():
        if role not in known:
            raise UserError(
                f"--port: nothing is called {shorten(role)!r}; choose from {', '.join(known)}"
            )
        way = "input" if role in INPUTS else "output"
        if ports.get(port, ("",))[0] != way:
            raise UserError(
                f"--port: {shorten(f'{role}={port}')}: the core has no {way} {shorten(port)!r}; "
                f"it has {_listed(ports, way)}"
            )
    clocks = (clock,) if clock else tuple(p for p in ports if _is(ports, p, "input", CLOCKS))
    found_reset = reset if reset is not None else _reset(ports)
    for option, name in (("--clock", clock), ("--reset", (reset or "").removeprefix("!"))):
        if name and ports.get(name, ("",))[0] != "input":
            raise UserError(
                f"{option}: no input {shorten(name)!r}; it has {_listed(ports, 'input')}"
            )
    taken = {*clocks, found_reset.removeprefix("!")}
    left = {name: port for name, port in ports.items() if name not in taken}
    chosen = adapter or _adapter(left, given)
    roles = [*ADAPTERS[chosen]]
    if chosen in WIDE:
        roles += operands
    roles += ["load"] if chosen == "start-done" else []
    found: dict[str, str] = {}
    for role in roles:
        port = given.get(role) or _find(left, role, found) or ""
        needed = role not in MAY_LACK and not (role == "start" and chosen == "word-stream")
        if not port and needed:
            way = "input" if role in INPUTS else "output"
            raise UserError(
                f"--port: which {way} is {role!r}? give --port {role}=NAME; "
                f"the core has {_listed(left, way)}"
            )
        if port:
            found[role] = port
    return Guess(clocks, found_reset, chosen, found)


def _listed(ports: Mapping[str, tuple[str, int]], way: str) -> str:
    return ", ".join(f"{p} ({n})" for p, (w, n) in ports.items() if w == way) or "none"


def _is(ports: Mapping[str, tuple[str, int]], port: str, way: str, names: Sequence[str]) -> bool:
    return ports[port][0] == way and not names_of(port).isdisjoint(names)


def _reset(ports: Mapping[str, tuple[str, int]]) -> str:
    for names, mark in ((LOW_RESETS, "!"), (RESETS, "")):
        for port in ports:
            if ports[port] == ("input", 1) and not names_of(port).isdisjoint(names):
                return mark + port
    return ""


def _adapter(ports: Mapping[str, tuple[str, int]], given: Mapping[str, str]) -> str:
    for name in sorted(TOLD, key=lambda name: -len(ADAPTERS[name])):
        needed = [role for role in ADAPTERS[name] if role not in MAY_LACK and role != "result"]
        if all(given.get(role) or _find(ports, role, {}) for role in needed):
            return name
    raise UserError(
        f"--adapter: no protocol is known by the ports {', '.join(ports)}; choose from "
        f"{', '.join(ADAPTERS)} and name its ports by --port ROLE=NAME"
    )


def _find(ports: Mapping[str, tuple[str, int]], role: str, found: Mapping[str, str]) -> str | None:
    way = "input" if role in INPUTS else "output"
    for name in NAMES[role]:
        for port in ports:
            if port not in found.values() and _is(ports, port, way, (name,)):
                return port
    return None
