"""Faults at RTL, in the Verilated design: a bit of a register is flipped once, in one cycle, or is
held from that cycle on."""

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from pymtl3 import Component

from sim.batch import BatchModel
from sim.registers import DesignRegister, registers_of
from sim.translate import Translation, port_name, translate
from sim.verilate import stored_bytes

LOOP = Path(__file__).with_name("fault_loop.cpp")
TOP = "faulted"  # of the Verilog: the loop names it
NOWHERE = 0xFFFFFFFF
FLIPPED = 2  # in place of the value at which a bit is held

HELD = "_held"  # the register of an output port that was one

_CLOCKED = re.compile(r"^  always_ff @\(posedge clk\) begin[^\n]*\n.*?^  end$", re.M | re.S)
_MODULE = re.compile(r"^module (\w+)\n(.*?)^endmodule", re.M | re.S)
_STRUCT = re.compile(r"typedef struct packed \{\n(.*?)\} (\w+);", re.S)
_FIELD = re.compile(r"^\s*(\w+)(?: \[(\d+):0\])? (\w+);", re.M)

_u64, _pointer = ctypes.c_uint64, ctypes.c_void_p


class FaultRun(ctypes.Structure):
    """Mirrors FaultRun in fault_loop.cpp, field by field."""

    _fields_ = [
        *((name, _pointer) for name in ("requests", "echo")),
        *((name, _u64) for name in ("each", "limit", "faults")),
        *((name, _pointer) for name in ("cycle", "place", "bit", "held", "responses", "taken")),
        ("lost", _u64),
    ]


@dataclass(frozen=True)
class RegisterBits:
    """Says how many bits a register has: `count` values of `nbits` each, for a memory."""

    register: DesignRegister
    nbits: int
    count: int

    @property
    def name(self) -> str:
        """Return the name of the register in the design, the instances before it."""
        return str(self.register).removesuffix(HELD)

    @property
    def bits(self) -> int:
        """Return the bits in all."""
        return self.nbits * self.count

    @property
    def stride(self) -> int:
        """Return the bits from one value to the next in the Verilated model."""
        words = 32 * -(-self.nbits // 32)
        return next((n for n in (8, 16, 32, 64) if self.nbits <= n), words)

    def place(self, bit: int) -> int:
        """Return where a bit is in the Verilated model."""
        value, inside = divmod(bit, self.nbits)
        return value * self.stride + inside


@dataclass(frozen=True)
class Fault:
    """Names a bit of a register, by the number of the register, and the cycle: the bit is flipped
    in it, or held at a value from it on."""

    register: int
    bit: int
    cycle: int
    held: int | None = None


@dataclass(frozen=True)
class Seen:
    """Holds the responses of an operation, packed, and its cycles: None if it did not end."""

    responses: list[int]
    cycles: int | None


def ports_apart(design: Translation) -> Translation:
    """Return the design with a register beside each output port that was one: of a port Verilator
    keeps a copy, which it writes anew from what the module above has."""
    text = re.sub(
        r"^module .*?^endmodule", lambda found: _apart(found[0]), design.text, flags=re.M | re.S
    )
    return replace(design, text=text)


def _apart(module: str) -> str:
    header, end, body = module.partition("\n);\n")
    clocked = "".join(_CLOCKED.findall(body))
    for kind, name in re.findall(r"^ *output +(\w+(?: \[\d+:0\])?) (\w+)", header, re.M):
        written = re.compile(rf"^( *{name})((?:\[[^\n]*?\]|\.\w+)* <= )", re.M)
        if written.search(clocked):
            declared = f"  {kind} {name}{HELD};\n  assign {name} = {name}{HELD};\n"
            body = declared + written.sub(rf"\1{HELD}\2", body)
    return header + end + body


def register_bits(design: Translation) -> list[RegisterBits]:
    """Find the width of each register of a design in its Verilog."""
    structs: dict[str, int] = {}
    for fields, name in _STRUCT.findall(design.text):
        structs[name] = sum(
            int(high) + 1 if kind == "logic" else structs[kind]
            for kind, high, _ in _FIELD.findall(fields)
        )
    bodies = dict(_MODULE.findall(design.text))
    return [_register(one, bodies[one.module], structs) for one in registers_of(design)]


def _register(register: DesignRegister, body: str, structs: dict[str, int]) -> RegisterBits:
    name = register.path[-1]
    found = re.search(
        rf"^ *(?:output )? *(\w+) *(?:\[(\d+):0\])? {name} *(?:\[0:(\d+)\])? *[,;]?$", body, re.M
    )
    if found is None:
        raise ValueError(f"{register.module} does not declare {name}")
    kind, high, last = found.groups()
    nbits = int(high) + 1 if kind == "logic" else structs[kind]
    return RegisterBits(register, nbits, int(last) + 1 if last else 1)


class FaultInjector:
    """Runs an operation of some messages with a fault each time, from the same state: that after
    the same operation without one.

    echo: of each message the response whose low 32 bits are its own, for which it waits, or None.
    """

    def __init__(
        self,
        design: Component | Translation,
        recv: str,
        send: str,
        messages: Sequence[int],
        echo: Sequence[int | None],
        limit: int,
    ) -> None:
        translated = design if isinstance(design, Translation) else translate(design)
        self.design = ports_apart(translated).named(TOP)
        self.registers = register_bits(self.design)
        self.limit, self.each = limit, len(messages)
        names = tuple(one.register for one in self.registers)
        self.model = BatchModel(self.design, LOOP, {"recv": recv, "send": send}, registers=names)
        self.model.lib.fault_state.restype = _pointer
        self.model.reset()
        ports = (self.model.ports[port_name(f"{name}.msg")][1] for name in (recv, send))
        request, self._response = map(stored_bytes, ports)
        self._messages = b"".join(m.to_bytes(request, "little") for m in messages)
        self._echo = np.array([-1 if one is None else one for one in echo], np.int32)
        self._check_places()
        self._begin: int | None = None
        self._remember()
        list(self.run([None]))
        self._remember()

    @property
    def bits(self) -> int:
        """Count the bits of all registers."""
        return sum(one.bits for one in self.registers)

    def bit(self, number: int) -> tuple[int, int]:
        """Return the register of a bit, of all bits in order, and the bit's place in it."""
        for place, one in enumerate(self.registers):
            if number < one.bits:
                return place, number
            number -= one.bits
        raise ValueError(f"there are {self.bits} bits")

    def run(self, faults: Sequence[Fault | None]) -> Iterator[Seen]:
        """Run the operation once with each fault; None is no fault."""
        count = len(faults)
        cycle, place, bit = (np.zeros(count, np.uint32) for _ in range(3))
        held = np.full(count, FLIPPED, np.uint8)
        for i, fault in enumerate(faults):
            place[i] = NOWHERE
            if fault is not None:
                cycle[i], place[i] = fault.cycle, fault.register
                bit[i] = self.registers[fault.register].place(fault.bit)
                held[i] = FLIPPED if fault.held is None else fault.held
        raw = np.zeros((count, self.each, self._response), np.uint8)
        taken = np.zeros(count, np.uint64)
        kept = ctypes.create_string_buffer(self._messages, len(self._messages))
        run = FaultRun(
            requests=ctypes.addressof(kept),
            echo=self._echo.ctypes.data,
            each=self.each,
            limit=self.limit,
            faults=count,
            cycle=cycle.ctypes.data,
            place=place.ctypes.data,
            bit=bit.ctypes.data,
            held=held.ctypes.data,
            responses=raw.ctypes.data,
            taken=taken.ctypes.data,
        )
        self.model.lib.fault_run(self.model.handle, _pointer(self._begin), ctypes.byref(run))
        if run.lost:
            raise ValueError(f"{self.design.top}: {run.lost} changed bits did not stay")
        for cycles, responses in zip(taken.tolist(), raw, strict=True):
            yield Seen(
                [int.from_bytes(one.tobytes(), "little") for one in responses], cycles or None
            )

    def close(self) -> None:
        """Delete the model."""
        self.model.lib.fault_forget(_pointer(self._begin))
        self.model.close()

    def _remember(self) -> None:
        """Let the next runs begin from the state that there is now."""
        self.model.lib.fault_forget(_pointer(self._begin))
        self._begin = self.model.lib.fault_state(self.model.handle)

    def _check_places(self) -> None:
        """Raise ValueError unless the model stores each register as its declaration says."""
        stored = (_u64 * len(self.registers))()
        self.model.lib.fault_places(self.model.handle, stored)
        for one, found in zip(self.registers, stored, strict=True):
            if found * 8 != one.stride * one.count:
                raise ValueError(f"{one.register}: {found} bytes are stored, {one} was declared")
