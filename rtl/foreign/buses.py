"""Protocols of cores that are driven by registers at addresses: plain ones, and those of buses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rtl.foreign.protocols import Constants, sized
from rtl.foreign.steps import (
    LOW,
    WORD,
    Address,
    Do,
    Drive,
    Each,
    Handshake,
    Read,
    Step,
    Value,
    While,
    together,
    whole,
)

Access = Callable[..., list[Do]]  # (address, value) of a write, (address) of a read


@dataclass(frozen=True)
class Registers:
    """Maps what a core has at addresses: operands, result, a control register, a status register.

    word: bits of a register. operands: in their order, the address of each one's first word; names
    of `constants` may be among them. result: that of the result's. control: address, what is
    written there to start, and what after that, if anything. status: the condition of being done
    on the output, "read_data[0]", while `status_at` is read. stride: from an address to the next
    word's; 0 where a register takes one word after the other. first: which word comes first.
    rewind: of operands (or "result") the register that is written before. values: registers that
    are written first, with a number or what gives it for a width. settle: cycles between start and
    the first look at status. pins: ports with what stands there, numbers or operands.
    """

    word: int
    operands: Mapping[str, int]
    result: int
    control: tuple[int, ...]
    status: str
    status_at: int
    stride: int = 1
    first: str = LOW
    rewind: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[int, int | Callable[[int], int]] = field(default_factory=dict)
    settle: int = 2
    pins: Mapping[str, Value] = field(default_factory=dict)
    constants: Constants = field(default_factory=dict)

    def driven(self, put: Access, get: Access, output: str) -> Handshake:
        """Drive a core by what writes and reads a register."""
        return lambda nbits: self._drive(nbits, put, get, output)

    def _drive(self, nbits: int, put: Access, get: Access, output: str) -> Drive:
        back, stride, word = self.rewind, self.stride, self.word
        steps: list[Step] = []
        for at, value in self.values.items():
            steps += put(at, value(nbits) if callable(value) else value)
        for name, base in self.operands.items():
            steps += put(back[name], 0) if name in back else []
            steps.append(Each(name, word, put(Address(base, stride), WORD), self.first))
        for value in self.control[1:]:
            steps += put(self.control[0], value)
        steps.append(Do(cycles=self.settle))
        negated, status = self.status.startswith("!"), self.status.removeprefix("!")
        steps.append(While(status if negated else f"!{status}", get(self.status_at)))
        steps += put(back["result"], 0) if "result" in back else []
        steps.append(Read(output, word, get(Address(self.result, stride)), self.first))
        return Drive(steps, self.pins, sized(self.constants, whole(nbits, word), word))


def registers(
    of: Registers,
    address: str = "address",
    data: str = "write_data",
    write: str = "we",
    output: str = "read_data",
    select: str = "cs",
    read: str = "",
    latency: int = 0,
    pause: int = 0,
) -> Handshake:
    """Drive a core by registers at addresses, on ports of these names.

    select: high in each access, read: in those that read; "" of none. Data of a read stand
    `latency` cycles later. pause: cycles before each access.
    """
    chosen = {select: 1} if select else {}
    reading = chosen | ({read: 1} if read else {})
    waits = [Do(cycles=pause)] if pause else []

    def put(at: Value, value: Value) -> list[Do]:
        return [*waits, Do(together({address: at}, {data: value}, {write: 1}, chosen))]

    def get(at: Value) -> list[Do]:
        asked = Do(together({address: at}, reading), cycles=1 if of.stride == 0 else latency + 1)
        later = [Do(cycles=latency)] if of.stride == 0 and latency else []
        return [*waits, asked, *later]

    return of.driven(put, get, output)


def wishbone(of: Registers, ports: Mapping[str, str] | None = None) -> Handshake:
    """Drive a core by registers on a Wishbone bus (classic cycles).

    ports: cyc, stb, we, adr, dat_w, dat_r, ack, sel by the core's names, where those are others;
    "" of one that it does not have.
    """
    named = {"cyc": "wb_cyc_i", "stb": "wb_stb_i", "we": "wb_we_i", "adr": "wb_adr_i"}
    named |= {"dat_w": "wb_dat_i", "dat_r": "wb_dat_o", "ack": "wb_ack_o", "sel": "wb_sel_i"}
    named |= ports or {}
    on: dict[str, Value] = {named[name]: 1 for name in ("cyc", "stb") if named[name]}
    on |= {named["sel"]: (1 << of.word // 8) - 1} if named["sel"] else {}

    def put(at: Value, value: Value) -> list[Do]:
        pins = {**on, named["we"]: 1, named["adr"]: at, named["dat_w"]: value}
        return [Do(pins, until=named["ack"])]

    def get(at: Value) -> list[Do]:
        return [Do({**on, named["adr"]: at}, until=named["ack"])]

    return of.driven(put, get, named["dat_r"])


def axi_lite(of: Registers, prefix: str = "s_axi_", strobes: bool = True) -> Handshake:
    """Drive a core by registers on an AXI4-Lite bus, whose ports are prefix and awaddr, awvalid,
    ...; AWADDR after a prefix in capitals. strobes: it has wstrb. Its awprot and arprot are 0."""

    def port(name: str) -> str:
        return f"{prefix}{name.upper() if prefix.isupper() else name}"

    def put(at: Value, value: Value) -> list[Do]:
        pins: dict[str, Value] = {port("awaddr"): at, port("wdata"): value}
        pins |= {port("wstrb"): (1 << of.word // 8) - 1} if strobes else {}
        drop = {port("awvalid"): port("awready"), port("wvalid"): port("wready")}
        return [Do(pins, drop=drop), Do({port("bready"): 1}, until=port("bvalid"))]

    def get(at: Value) -> list[Do]:
        asked = Do({port("araddr"): at, port("arvalid"): 1}, until=port("arready"))
        return [asked, Do({port("rready"): 1}, until=port("rvalid"))]

    return of.driven(put, get, port("rdata"))
