"""Protocols of cores that are driven by registers at addresses: plain ones, and those of buses."""

from collections.abc import Callable, Mapping
from typing import Any

from rtl.foreign.protocols import sized
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
)


def registers(
    word: int,
    operands: Mapping[str, int],
    result: int,
    control: tuple[int, int],
    status: str,
    status_at: int,
    address: str = "address",
    data: str = "write_data",
    write: str = "we",
    output: str = "read_data",
    select: str = "cs",
    latency: int = 0,
    stride: int = 1,
    first: str = LOW,
    rewind: Mapping[str, int] | None = None,
    values: Mapping[int, int | Callable[[int], int]] | None = None,
    settle: int = 2,
    pause: int = 0,
    pins: Mapping[str, Value] | None = None,
    constants: Mapping[str, str] | None = None,
) -> Handshake:
    """Drive a core by registers at addresses: operands, a control register with a start bit, a
    status register.

    control: address and what is written to start. status: the condition of being done on the
    output, "read_data[0]", while `status_at` is read. stride: 0 where a register takes one word
    after the other. rewind: of operands (or "result") the register that is written before. values:
    registers that are written first, with a number or what gives it for a width. settle: cycles
    between start and the first look at status. Data of a read stand `latency` cycles later.
    pause: cycles before each access.
    """
    chosen = {select: 1} if select else {}
    waits = [Do(cycles=pause)] if pause else []

    def put(at: Value, value: Value) -> list[Do]:
        return [*waits, Do({address: at, data: value, write: 1, **chosen})]

    def get(at: Value) -> list[Do]:
        asked = Do({address: at, **chosen}, cycles=1 if stride == 0 else latency + 1)
        later = [Do(cycles=latency)] if stride == 0 and latency else []
        return [*waits, asked, *later]

    return _by_registers(
        **{"word": word, "operands": operands, "result": result, "control": control},
        **{"status": status, "status_at": status_at, "output": output, "put": put, "get": get},
        **{"stride": stride, "first": first, "rewind": rewind or {}, "values": values or {}},
        **{"settle": settle, "pins": pins or {}, "constants": constants},
    )


def wishbone(
    word: int,
    operands: Mapping[str, int],
    result: int,
    control: tuple[int, int],
    status: str,
    status_at: int,
    stride: int = 4,
    ports: Mapping[str, str] | None = None,
    **more: Any,
) -> Handshake:
    """Drive a core by registers on a Wishbone bus (classic cycles); see registers().

    ports: cyc, stb, we, adr, dat_w, dat_r, ack, sel by the core's names, where those are others;
    "" of one that it does not have.
    """
    named = {"cyc": "wb_cyc_i", "stb": "wb_stb_i", "we": "wb_we_i", "adr": "wb_adr_i"}
    named |= {"dat_w": "wb_dat_i", "dat_r": "wb_dat_o", "ack": "wb_ack_o", "sel": "wb_sel_i"}
    named |= ports or {}
    on: dict[str, Value] = {named[name]: 1 for name in ("cyc", "stb") if named[name]}
    on |= {named["sel"]: (1 << word // 8) - 1} if named["sel"] else {}

    def put(at: Value, value: Value) -> list[Do]:
        pins = {**on, named["we"]: 1, named["adr"]: at, named["dat_w"]: value}
        return [Do(pins, until=named["ack"])]

    def get(at: Value) -> list[Do]:
        return [Do({**on, named["adr"]: at}, until=named["ack"])]

    return _by_registers(
        **{"word": word, "operands": operands, "result": result, "control": control},
        **{"status": status, "status_at": status_at, "output": named["dat_r"]},
        **{"put": put, "get": get, "stride": stride, **more},
    )


def axi_lite(
    word: int,
    operands: Mapping[str, int],
    result: int,
    control: tuple[int, int],
    status: str,
    status_at: int,
    stride: int = 4,
    prefix: str = "s_axi_",
    protected: bool = False,
    strobes: bool = True,
    **more: Any,
) -> Handshake:
    """Drive a core by registers on an AXI4-Lite bus, whose ports are prefix and awaddr, awvalid,
    ...; see registers(). protected: it has awprot and arprot, which are 0."""

    def port(name: str) -> str:
        return f"{prefix}{name}"

    def put(at: Value, value: Value) -> list[Do]:
        pins: dict[str, Value] = {port("awaddr"): at, port("wdata"): value}
        pins |= {port("wstrb"): (1 << word // 8) - 1} if strobes else {}
        drop = {port("awvalid"): port("awready"), port("wvalid"): port("wready")}
        return [Do(pins, drop=drop), Do({port("bready"): 1}, until=port("bvalid"))]

    def get(at: Value) -> list[Do]:
        asked = Do({port("araddr"): at, port("arvalid"): 1}, until=port("arready"))
        return [asked, Do({port("rready"): 1}, until=port("rvalid"))]

    return _by_registers(
        **{"word": word, "operands": operands, "result": result, "control": control},
        **{"status": status, "status_at": status_at, "output": port("rdata")},
        **{"put": put, "get": get, "stride": stride, **more},
    )


def _by_registers(
    word: int,
    operands: Mapping[str, int],
    result: int,
    control: tuple[int, int],
    status: str,
    status_at: int,
    output: str,
    put: Callable[[Value, Value], list[Do]],
    get: Callable[[Value], list[Do]],
    stride: int,
    first: str = LOW,
    rewind: Mapping[str, int] | None = None,
    values: Mapping[int, int | Callable[[int], int]] | None = None,
    settle: int = 2,
    pins: Mapping[str, Value] | None = None,
    constants: Mapping[str, str] | None = None,
) -> Handshake:
    """Drive a core by what writes and reads a register."""
    back = rewind or {}

    def drive(nbits: int) -> Drive:
        steps: list[Step] = []
        for at, value in (values or {}).items():
            steps += put(at, value(nbits) if callable(value) else value)
        for name, base in operands.items():
            steps += put(back[name], 0) if name in back else []
            steps.append(Each(name, word, put(Address(base, stride), WORD), first))
        steps += [*put(*control), Do(cycles=settle)]
        opposite = status.removeprefix("!") if status.startswith("!") else f"!{status}"
        steps.append(While(opposite, get(status_at)))
        steps += put(back["result"], 0) if "result" in back else []
        steps.append(Read(output, word, get(Address(result, stride)), first))
        return Drive(steps, pins or {}, sized(constants, nbits, word))

    return drive
