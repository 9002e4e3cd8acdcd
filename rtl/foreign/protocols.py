"""Common protocols of cores, by a map of their ports; each returns how a core is driven."""

from collections.abc import Mapping

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
)

_Constants = Mapping[str, tuple[str, int]]


def start_done(
    operands: Mapping[str, Value],
    result: str,
    start: str = "start",
    done: str = "done",
    load: str = "",
    settle: int = 1,
    constants: Mapping[str, str] | None = None,
    digit: int = 0,
) -> Handshake:
    """Drive a core whose operands stand on ports of their own: a pulse starts it, done ends it.

    operands: its ports, and what stands there from the request to the answer. load: a port that
    has a pulse before start. settle: cycles after start in which done may still be that of the
    request before. constants: of these names, "r", "r2" (with R = 2^nbits) or "m_inv" (of `digit`
    bits).
    """

    def drive(nbits: int) -> Drive:
        steps: list[Step] = [Do({load: 1})] if load else []
        steps += [Do({start: 1}), Do(until=done, cycles=settle, take=result)]
        return Drive(steps, operands, sized(constants, nbits, digit))

    return drive


def val_rdy(
    operands: Mapping[str, Value],
    result: str,
    val: tuple[str, str] = ("in_valid", "in_ready"),
    answer: tuple[str, str] = ("out_valid", "out_ready"),
    constants: Mapping[str, str] | None = None,
    digit: int = 0,
) -> Handshake:
    """Drive a core with a valid/ready pair at each side; "" for a ready that it does not have."""

    def drive(nbits: int) -> Drive:
        take = {answer[1]: 1} if answer[1] else {}
        steps = [Do({val[0]: 1}, until=val[1]), Do(take, until=answer[0], take=result)]
        return Drive(steps, operands, sized(constants, nbits, digit))

    return drive


def word_memory(
    word: int,
    operands: Mapping[str, int],
    result: int,
    address: str = "address",
    data: str = "data_in",
    write: str = "write_enable",
    output: str = "data_out",
    start: str = "start",
    done: str = "done",
    read: str = "",
    latency: int = 1,
    settle: int = 1,
    stride: int = 1,
    first: str = LOW,
    pins: Mapping[str, Value] | None = None,
    constants: Mapping[str, str] | None = None,
) -> Handshake:
    """Drive a core that holds operands and result in memories, a word at an address.

    operands: the address of each one's first word; result: that of the result's. stride: 0 where
    the core counts by itself. Data of a read stand `latency` cycles after the address. read: a port
    that is high while it is read. pins: ports with what stands there, numbers or operands.
    """

    def drive(nbits: int) -> Drive:
        steps: list[Step] = [
            Each(name, word, [Do({address: Address(base, stride), data: WORD, write: 1})], first)
            for name, base in operands.items()
        ]
        steps += [Do({start: 1}), Do(until=done, cycles=settle)]
        on = {read: 1} if read else {}
        ask = Do({address: Address(result, stride), **on}, cycles=latency + 1)
        steps.append(Read(output, word, [ask], first))
        return Drive(steps, pins or {}, sized(constants, nbits, word))

    return drive


def word_stream(
    word: int,
    operands: Mapping[str, str],
    output: str,
    val: str = "in_valid",
    ready: str = "",
    answer: str = "out_valid",
    take: str = "",
    start: str = "",
    first: str = LOW,
    pins: Mapping[str, Value] | None = None,
    constants: Mapping[str, str] | None = None,
) -> Handshake:
    """Drive a core that takes operands word after word, and gives the result so.

    operands: in their order, each with the port of its words. `start` has a pulse before them.
    """

    def drive(nbits: int) -> Drive:
        steps: list[Step] = [Do({start: 1})] if start else []
        steps += [
            Each(name, word, [Do({port: WORD, val: 1}, until=ready)], first)
            for name, port in operands.items()
        ]
        out = Do({take: 1} if take else {}, until=answer)
        return Drive(
            [*steps, Read(output, word, [out], first)], pins or {}, sized(constants, nbits, word)
        )

    return drive


def sized(constants: Mapping[str, str] | None, nbits: int, digit: int) -> _Constants:
    """Give the constants their size: R = 2^nbits, digits of a word."""
    return {
        name: (kind, digit if kind == "m_inv" else nbits)
        for name, kind in (constants or {}).items()
    }
