"""Common protocols of cores, by a map of their ports; each returns how a core is driven."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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
    together,
    whole,
)

# Constants of the modulus by name: "r", "r2" (with R = 2^nbits, in whole words) or "m_inv" (of a
# word); or such a kind with its bits, ("r2", lambda nbits: nbits + 2), nbits of whole words.
Constants = Mapping[str, str | tuple[str, int | Callable[[int], int]]]


@dataclass(frozen=True)
class Words:
    """Says where the words of one operand go, or those of the result are read, if not where the
    protocol's arguments say.

    at: the address of the first. address, data, write: ports of its own, "" of one that it does
    not need; of the result, `write` is a port that is high while it is read. pins: what else
    stands meanwhile.
    """

    at: int = 0
    address: str | None = None
    data: str | None = None
    write: str | None = None
    pins: Mapping[str, Value] = field(default_factory=dict)


def start_done(
    operands: Mapping[str, Value],
    result: str,
    start: str = "start",
    done: str = "done",
    load: str = "",
    settle: int = 1,
    hold: bool = False,
    late: int = 0,
    constants: Constants | None = None,
    digit: int = 0,
) -> Handshake:
    """Drive a core whose operands stand on ports of their own: a pulse starts it, done ends it.

    operands: its ports, and what stands there from the request to the answer. load: a port that
    has a pulse before start. settle: cycles after start in which done may still be that of the
    request before. hold: start stays until done. late: cycles from done to the result. constants:
    of these names, "r", "r2" (with R = 2^nbits) or "m_inv" (of `digit` bits).
    """

    def drive(nbits: int) -> Drive:
        steps: list[Step] = [Do({load: 1})] if load else []
        steps.append(Do({start: 1}))
        taken = "" if late else result
        steps.append(Do({start: 1} if hold else {}, until=done, cycles=settle, take=taken))
        steps += [Do(cycles=late, take=result)] if late else []
        return Drive(steps, operands, sized(constants, nbits, digit))

    return drive


def val_rdy(
    operands: Mapping[str, Value],
    result: str,
    val: tuple[str, str] = ("in_valid", "in_ready"),
    answer: tuple[str, str] = ("out_valid", "out_ready"),
    constants: Constants | None = None,
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
    operands: Mapping[str, int | Words],
    result: int | Words | None,
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
    constants: Constants | None = None,
) -> Handshake:
    """Drive a core that holds operands and result in memories, a word at an address.

    operands: in their order, the address of each one's first word, or Words with ports of its own;
    names of `constants` may be among them. result: the address of the result's first word; None
    if it stands whole on `output`. address: "" if there is none. stride: 0 where the core counts by
    itself. Data of a read stand `latency` cycles after the address. read: a port that is high while
    it is read. pins: ports with what stands there, numbers or operands.
    """

    def at(place: Words) -> dict[str, Value]:
        port = address if place.address is None else place.address
        return together(place.pins, {port: Address(place.at, stride)} if port else {})

    def put(place: Words) -> Do:
        strobe = write if place.write is None else place.write
        stands: dict[str, Value] = {data if place.data is None else place.data: WORD}
        return Do(together(at(place), stands, {strobe: 1} if strobe else {}))

    def drive(nbits: int) -> Drive:
        steps: list[Step] = [
            Each(name, word, [put(_words(place))], first) for name, place in operands.items()
        ]
        steps += [Do({start: 1})] if start else []
        waits = Do(until=done, cycles=settle, take="" if result is not None else output)
        steps.append(waits)
        if result is not None:
            place = _words(result)
            strobe = read if place.write is None else place.write
            on: dict[str, Value] = {strobe: 1} if strobe else {}
            port = output if place.data is None else place.data
            do = Do(together(at(place), on), cycles=latency + 1)
            steps.append(Read(port, word, [do], first))
        return Drive(steps, pins or {}, sized(constants, whole(nbits, word), word))

    return drive


def _words(place: int | Words) -> Words:
    return Words(place) if isinstance(place, int) else place


def word_stream(
    word: int,
    operands: Mapping[str, str],
    output: str,
    val: str = "in_valid",
    ready: str = "",
    answer: str = "out_valid",
    take: str = "",
    start: str = "",
    go: str = "",
    first: str = LOW,
    pins: Mapping[str, Value] | None = None,
    constants: Constants | None = None,
) -> Handshake:
    """Drive a core that takes operands word after word, and gives the result so.

    operands: in their order, each with the port of its words; names of `constants` may be among
    them. `start` has a pulse before them, `go` one after them.
    """

    def drive(nbits: int) -> Drive:
        steps: list[Step] = [Do({start: 1})] if start else []
        steps += [
            Each(name, word, [Do(together({port: WORD}, {val: 1}), until=ready)], first)
            for name, port in operands.items()
        ]
        steps += [Do({go: 1})] if go else []
        steps.append(Read(output, word, [Do({take: 1} if take else {}, until=answer)], first))
        return Drive(steps, pins or {}, sized(constants, whole(nbits, word), word))

    return drive


def sized(constants: Constants | None, radix: int, digit: int) -> dict[str, tuple[str, int]]:
    """Give constants without bits those of R = 2^radix, or of a digit."""
    found = {}
    for name, asked in (constants or {}).items():
        kind, bits = asked if isinstance(asked, tuple) else (asked, None)
        if bits is None:
            bits = digit if kind == "m_inv" else radix
        found[name] = (kind, bits(radix) if callable(bits) else bits)
    return found
