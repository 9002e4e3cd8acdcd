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
    "done": (
        "done",
        "finished",
        "finish",
        "fin",
        "ready",
        "valid",
        "rdy",
        "ack",
        "complete",
        "idle",
    ),
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
    "address": (
        *("address", "addr", "adr", "rw_address", "waddr", "mem_addr", "reg_addr", "index"),
        *("sel", "select", "op_sel", "opsel"),
    ),
    "data": (
        *("data_in", "din", "wdata", "write_data", "data", "wr_data", "datain", "bus", "word_in"),
        *("d", "word"),
    ),
    "write": (
        *("write_enable", "we", "wr", "write", "wen", "wr_en", "load_data", "load", "ld", "push"),
        *("strobe", "wstrobe"),
    ),
    "select": ("cs", "sel", "select", "ce", "en", "enable"),
    "output": ("data_out", "dout", "rdata", "read_data", "dataout", "rd_data", "word_out", "q"),
}
BUSY = ("busy", "working", "running", "active", "in_progress")  # of a core that is not done
CONSTANTS = {  # of the modulus, which a host usually gives
    "r2": ("r2", "rr", "r_2", "rsq", "r_sq", "r2mod", "r2_mod", "r2modm", "r2m", "r2_modn", "r2n"),
    "r": ("rmod", "r_mod", "r_mod_m", "rmodm", "mont_one", "r1", "r_modn"),
    "m_inv": (
        *("m_inv", "minv", "n0", "n0inv", "n0_inv", "m_prime", "mprime", "n_prime", "nprime"),
        *("mp", "np", "mu", "minus_inverse", "n_inv", "m0", "m_dash"),
    ),
}
OWN = {  # ports of one operand's words, by what stands before or after its name
    "write": ("ld", "load", "we", "wr", "wen", "wr_en", "write", "write_enable", "push", "valid"),
    "address": ("addr", "address", "adr", "waddr", "wr_addr", "index"),
    "data": ("din", "data", "data_in", "datain", "wdata", "word", "in"),
}
READ = {  # and of the result's
    "write": ("rd", "re", "ren", "rd_en", "read", "pop"),
    "address": ("addr", "address", "adr", "raddr", "rd_addr", "index"),
    "data": ("dout", "data", "data_out", "dataout", "rdata", "word", "out"),
}
INPUTS = (
    *("start", "load", "a", "b", "m", "base", "exp", "mod", "in_val", "out_rdy"),
    *("address", "data", "write", "select"),
)
BARE = "bare"  # of no protocol
STEPS = "steps"  # a protocol that the user writes, step by step
AXI_LITE = "axi-lite"
AXI_PORTS = (  # of a slave, after a prefix
    *("awaddr", "awvalid", "awready", "wdata", "wvalid", "wready", "bvalid", "bready"),
    *("araddr", "arvalid", "arready", "rdata", "rvalid", "rready"),
)
ADAPTERS = {
    "start-done": ("start", "done", "result"),
    "val-rdy": ("in_val", "in_rdy", "out_val", "out_rdy", "result"),
    "word-memory": ("data", "write", "output", "start", "done", "address"),
    "word-stream": ("data", "in_val", "in_rdy", "output", "out_val", "out_rdy", "start"),
    "registers": ("address", "data", "write", "output", "select"),
    "wishbone": (),
    AXI_LITE: (),
    STEPS: ("start", "done", "result"),
}
TOLD = ("registers", "val-rdy", "start-done", "word-memory", "word-stream")  # by names of ports
WIDE = ("start-done", "val-rdy", STEPS)  # whose operands have ports of their own
MAY_LACK = ("load", "in_rdy", "out_rdy", "select")
LACKING = {"word-memory": ("address",), "word-stream": ("start",)}
ONE_BIT = ("start", "done", "load", "in_val", "in_rdy", "out_val", "out_rdy", "write", "select")
NOT_ONE = (
    "a",
    "b",
    "m",
    "base",
    "exp",
    "mod",
    "result",
    "data",
)  # these have more, if any port has


@dataclass(frozen=True)
class Guess:
    """Is what was found: clocks, reset with "!" where it is low, the adapter, ports by role.

    own: of operands, constants and the result the ports of their words. inverted: inputs that mean
    yes where they are low.
    """

    clocks: tuple[str, ...]
    reset: str
    adapter: str
    ports: dict[str, str] = field(default_factory=dict)
    own: dict[str, dict[str, str]] = field(default_factory=dict)
    inverted: tuple[str, ...] = ()

    @property
    def constants(self) -> list[str]:
        """Return the constants of the modulus that have ports."""
        return [name for name in CONSTANTS if name in self.ports or name in self.own]

    @property
    def used(self) -> set[str]:
        """Return all ports that are something."""
        own = {port for ports in self.own.values() for port in ports.values()}
        ports = {port.removeprefix("!") for port in self.ports.values()}
        return {*self.clocks, self.reset.removeprefix("!")} | own | ports


def names_of(port: str) -> set[str]:
    """Return a port's name, with and without what only tells its direction, or the record of VHDL
    that it is of."""
    whole = port.lower()
    names = {whole, re.sub(r"^[a-z]\w*?_(?:i|o|in|out)_(?=\w)", "", whole)}
    ends = names | {re.sub(r"_(i|o|in|out)$", "", name) for name in names}
    ends |= {re.sub(r"(?<=_n)i$", "", name) for name in names}
    ends |= {re.sub(r"^\w*_(?=(aclk|aresetn)$)", "", name) for name in names}  # s_axi_aclk
    return ends | {re.sub(r"^(i|o|in|out)_", "", end) for end in ends}


def guess(
    ports: Mapping[str, tuple[str, int]],
    operands: Sequence[str],
    adapter: str | None,
    given: Mapping[str, str],
    clock: str | None,
    reset: str | None,
    clocked: Sequence[str] = (),
) -> Guess:
    """Find what each port is, `given` ones first; UserError names what is missing, and what
    there is. clocked: the inputs that clock registers. Without operands the core is bare."""
    said, inverted = _said(ports, operands, given)
    named = [p for p in ports if _is(ports, p, "input", CLOCKS)]
    clocks = tuple(dict.fromkeys((*([clock] if clock else named), *clocked)))
    found_reset = reset if reset is not None else _reset(ports)
    for option, name in (("--clock", clock), ("--reset", (reset or "").removeprefix("!"))):
        if name and ports.get(name, ("",))[0] != "input":
            raise UserError(
                f"{option}: no input {shorten(name)!r}; it has {_listed(ports, 'input')}"
            )
    if not operands:
        return Guess(clocks, found_reset, BARE)
    taken = {*clocks, found_reset.removeprefix("!")}
    left = {name: port for name, port in ports.items() if name not in taken}
    chosen = adapter or _adapter(left, operands, said)
    found, own, missing = _roles(left, chosen, operands, said)
    if missing:
        role = missing[0]
        way = "input" if role in INPUTS else "output"
        raise UserError(
            f"--port: which {way} is {role!r}? give --port {role}=NAME; "
            f"the core has {_listed(left, way)}"
        )
    return Guess(clocks, found_reset, chosen, found, own, inverted)


def _said(
    ports: Mapping[str, tuple[str, int]], operands: Sequence[str], given: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Check the ports that a command names; return them, and the inputs that are low for yes."""
    known = (*NAMES, *operands, *CONSTANTS)
    places = (*operands, *CONSTANTS, "result")
    said, inverted = {}, []
    for role, text in given.items():
        port, (place, _, kind) = text.removeprefix("!"), role.partition(".")
        if role not in known and not (place in places and kind in OWN):
            raise UserError(
                f"--port: nothing is called {shorten(role)!r}; choose from {', '.join(known)}, or "
                f"of an operand's words {operands[0]}.write, {operands[0]}.address, ..."
            )
        reads = place == "result" and kind == "data"
        way = "input" if role in (*INPUTS, *CONSTANTS) or kind and not reads else "output"
        if ports.get(port, ("",))[0] != way:
            raise UserError(
                f"--port: {shorten(f'{role}={text}')}: the core has no {way} {shorten(port)!r}; "
                f"it has {_listed(ports, way)}"
            )
        if text.startswith("!") and (role in NOT_ONE or ports[port][1] != 1):
            raise UserError(f"--port: {shorten(f'{role}={text}')}: ! is for ports of one bit")
        twice = [one for one, other in given.items() if other.removeprefix("!") == port]
        if len(twice) > 1 and not any("." in one for one in twice):
            raise UserError(
                f"--port: {shorten(port)} is given for {' and for '.join(twice)}; give each role a "
                "port of its own"
            )
        inverted += [port] if text.startswith("!") and way == "input" else []
        said[role] = port if way == "input" else text
    return said, tuple(inverted)


def _roles(
    ports: Mapping[str, tuple[str, int]],
    adapter: str,
    operands: Sequence[str],
    said: Mapping[str, str],
) -> tuple[dict[str, str], dict[str, dict[str, str]], list[str]]:
    """Find the ports of a protocol: those of roles, those of each operand's words, and the roles
    that no port has."""
    roles = [*ADAPTERS[adapter]]
    if adapter in WIDE:
        roles += [*operands, *CONSTANTS]
    elif adapter != "registers":
        roles += [*CONSTANTS]
    roles += ["load"] if adapter == "start-done" else []
    own = _own(ports, operands, said) if adapter == "word-memory" else {}
    of_words = {port for each in own.values() for port in each.values()}
    found: dict[str, str] = {}
    missing = []
    lacking = (*MAY_LACK, *LACKING.get(adapter, ()), *CONSTANTS)
    lacking += (*ADAPTERS[STEPS], *operands) if adapter == STEPS else ()
    if own:
        lacking += tuple(kind for kind in OWN if all(kind in own.get(o, {}) for o in operands))
        lacking += ("output",) if "data" in own.get("result", {}) else ()
    for role in roles:
        port = said.get(role) or _find(ports, role, {*found.values(), *of_words})
        if port:
            found[role] = port
        elif role not in lacking:
            missing.append(role)
    return found, own, missing


def _own(
    ports: Mapping[str, tuple[str, int]], operands: Sequence[str], said: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Find the ports that are of one operand's words, or of the result's, alone."""
    own: dict[str, dict[str, str]] = {}
    shared = {name for role in ADAPTERS["word-memory"] for name in NAMES[role]}
    used = {*said.values(), *(port for port in ports if not names_of(port).isdisjoint(shared))}
    for place in (*operands, *CONSTANTS, "result"):
        kinds = READ if place == "result" else OWN
        for kind, words in kinds.items():
            names = {
                _squeezed(text)
                for name in (place, *(NAMES | CONSTANTS)[place])
                for word in words
                for text in (f"{name}{word}", f"{word}{name}")
            }
            way = "output" if place == "result" and kind == "data" else "input"
            free = (
                port
                for port, (direction, _) in ports.items()
                if direction == way and port not in used
                if not {_squeezed(text) for text in names_of(port)}.isdisjoint(names)
            )
            port = said.get(f"{place}.{kind}") or next(free, "")
            if port:
                own.setdefault(place, {})[kind] = port
                used.add(port)
    return own


def _squeezed(text: str) -> str:
    return text.replace("_", "")


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


def _adapter(
    ports: Mapping[str, tuple[str, int]], operands: Sequence[str], said: Mapping[str, str]
) -> str:
    """Choose the protocol whose ports are all there."""
    missing = {}
    if axi_prefix(ports) is not None:
        return AXI_LITE
    for name in TOLD:
        found, _, missing[name] = _roles(ports, name, operands, said)
        if not missing[name] and not (name == "registers" and _starts(ports, said)):
            return name
    nearest = min(("start-done", "word-memory", "registers"), key=lambda name: len(missing[name]))
    lacks = ", ".join(missing[nearest])
    raise UserError(
        f"--adapter: no protocol is known by the ports {', '.join(ports)}; choose from "
        f"{', '.join(ADAPTERS)} and name its ports by --port ROLE=NAME; the nearest is {nearest}, "
        f"of which no port is called {lacks}; steps writes an adapter to be edited"
    )


def axi_prefix(ports: Mapping[str, tuple[str, int]]) -> str | None:
    """Return what stands before the names of an AXI4-Lite slave's ports; None if it has none."""
    for port in ports:
        prefix = port[: -len(AXI_PORTS[0])]
        names = {f"{prefix}{name}".lower() for name in AXI_PORTS}
        if port.lower().endswith(AXI_PORTS[0]) and names <= {name.lower() for name in ports}:
            return prefix
    return None


def _starts(ports: Mapping[str, tuple[str, int]], said: Mapping[str, str]) -> bool:
    """Tell whether a core has ports that start it and say that it is done."""
    return all(said.get(role) or _find(ports, role, set()) for role in ("start", "done"))


def _find(ports: Mapping[str, tuple[str, int]], role: str, used: set[str]) -> str | None:
    """Find the port of a role by its name; of `done` one that says the opposite, too."""
    way = "input" if role in (*INPUTS, *CONSTANTS) else "output"
    free = [port for port in ports if port not in used and ports[port][0] == way]
    fitting = [port for port in free if not (role in ONE_BIT and ports[port][1] != 1)]
    if role in NOT_ONE and any(ports[port][1] > 1 for port in free):
        fitting = [port for port in free if ports[port][1] > 1]
    names = (NAMES | CONSTANTS)[role]
    if role == "output":
        names += NAMES["result"]
    for name in names:
        for port in fitting:
            if _is(ports, port, way, (name,)):
                return port
    busy = [port for port in fitting if _is(ports, port, way, BUSY)]
    return f"!{busy[0]}" if role == "done" and busy else None
