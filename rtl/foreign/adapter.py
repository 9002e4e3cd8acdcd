"""The adapter of a core of others: Verilog that makes the steps of its Drive between val/rdy ports.

IDLE    a request is taken; ANSWER follows if its modulus is refused
CONST   constants of the modulus are found, a bit per cycle, if the core asks for any; a module of
        its own finds them (rtl/foreign/constants.py). There is no such state if the host gives them
        (rtl/foreign/host.py): they come with the request
1 to N  the steps
ANSWER  the result stands until it is taken
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from rtl.foreign import constants, host
from rtl.foreign.steps import HIGH, WORD, AdapterError, Address, Do, Drive, Each, Value, While
from rtl.foreign.taken import Taken
from rtl.foreign.text import VerilogModule

_CONDITION = re.compile(r"(!?)(\w+)(?:\[(\d+)\])?")


@dataclass
class _Line:
    """Is a step, flattened: where it leads when it is over."""

    do: Do
    over: list[str] = field(default_factory=list)  # what it does at its end
    word_of: str = ""  # whose current word WORD is
    first: bool = True  # whether that is the lowest
    size: int = 0
    last: int = 0  # words but one, where it ends a loop
    back: int = 0  # to the loop's first line
    again: str = ""  # the condition of going back


def adapter(
    name: str,
    core: VerilogModule,
    drive: Drive,
    nbits: int,
    operands: Sequence[str],
    taken: Taken,
    hosted: bool = False,
) -> VerilogModule:
    """Return the adapter with the core in it: operands in, result and status out.

    Ports: in_val, in_rdy, the operands; out_val, out_rdy, result, status. The last operand is the
    modulus. hosted: constants of the modulus come from the host. AdapterError if the steps do not
    fit the core.
    """
    return _Writer(name, core, drive, nbits, tuple(operands), taken, hosted).module()


def steps_in_words(drive: Drive) -> list[str]:
    """Say of each step, by its number, what it drives and waits for."""
    found = []
    for step in drive.steps:
        for do in [step] if isinstance(step, Do) else step.do:
            waits = [do.until] if do.until else []
            waits += do.drop.values()
            told = f"which drives {', '.join(do.pins)}" if do.pins else "which drives nothing"
            found.append(f"which waits for {' and '.join(waits)}" if waits else told)
    return found


class _Writer:
    def __init__(
        self,
        name: str,
        core: VerilogModule,
        drive: Drive,
        nbits: int,
        operands: tuple[str, ...],
        taken: Taken,
        hosted: bool,
    ) -> None:
        self.hosted = hosted
        self.name, self.core, self.drive, self.nbits = name, core, drive, nbits
        self.operands, self.taken = operands, taken
        self.mod = operands[-1]
        self.inputs = {port: n for port, into, n in core.ports if into}
        self.outputs = {port: n for port, into, n in core.ports if not into}
        self.widths = dict.fromkeys(operands, nbits)
        for constant, (kind, size) in drive.constants.items():
            self._check(constant, kind, size)
            self.widths[constant] = size if kind == "m_inv" else nbits
        self.result_bits = nbits
        self.lines: list[_Line] = []
        self._flatten()

    def _check(self, constant: str, kind: str, size: int) -> None:
        """Raise AdapterError unless there is such a constant."""
        if not constant.isidentifier() or constant in self.operands:
            raise AdapterError(f"constant {constant!r}: give it a name of letters, of no operand")
        if kind == host.OF_BASE and not self.hosted:
            raise AdapterError(f"constant {constant}: only the host finds {kind}; add host=True")
        if kind not in host.KINDS:
            known = ", ".join(host.KINDS)
            raise AdapterError(f"constant {constant}: no {kind!r}; choose from {known}")
        if size < 1:
            raise AdapterError(f"constant {constant}: {size} bits; give one at least")

    def _flatten(self) -> None:
        """List the steps, loops as lines that go back."""
        for step in self.drive.steps:
            if isinstance(step, Do):
                self.lines.append(self._line(step))
                continue
            start = len(self.lines)
            if not step.do:
                raise AdapterError(f"{type(step).__name__} has no steps; give one at least")
            size = 0 if isinstance(step, While) else step.word
            if not isinstance(step, While) and size < 1:
                raise AdapterError(f"{type(step).__name__}: words of {size} bits; give 1 or more")
            operand = step.operand if isinstance(step, Each) else ""
            first = True if isinstance(step, While) else step.first != HIGH
            for do in step.do:
                self.lines.append(self._line(do, operand, first, size))
            line = self.lines[-1]
            line.back = start
            if isinstance(step, While):
                line.again = self._condition(step.condition)
                continue
            if isinstance(step, Each):
                bits = self._width(operand)
                line.last = ceil(bits / size) - 1
                total = (line.last + 1) * size
                if self.widths[operand] not in (bits, total):
                    raise AdapterError(f"{operand} goes in words of two sizes; choose one")
                self.widths[operand] = total
                line.over.append(f"{_kept(operand)} <= {self._rotated(operand, size, first)};")
            else:
                self._port(step.port, self.outputs, "an output")
                line.last = ceil(self.nbits / size) - 1
                self.result_bits = total = (line.last + 1) * size
                taken = self._fitted(step.port, size)
                if total == size:
                    line.over.append(f"kept <= {taken};")
                elif first:
                    line.over.append(f"kept <= {{{taken}, kept[{total - 1}:{size}]}};")
                else:
                    line.over.append(f"kept <= {{kept[{total - size - 1}:0], {taken}}};")

    def _line(self, do: Do, word_of: str = "", first: bool = True, size: int = 0) -> _Line:
        for pin in (*do.pins, *do.drop):
            self._port(pin, self.inputs, "an input")
        line = _Line(do, word_of=word_of, first=first, size=size)
        if do.take:
            self._port(do.take, self.outputs, "an output")
            width = self.outputs[do.take]
            if width < self.nbits:
                raise AdapterError(
                    f"port {do.take} has {width} bits, the result {self.nbits}; take it by words "
                    "(Read), or set the parameter that widens it"
                )
            line.over.append(f"kept <= {_pin(do.take)};")
        return line

    def module(self) -> VerilogModule:
        """Return the whole."""
        ports = [("in_val", True, 1), ("in_rdy", False, 1), ("out_val", False, 1)]
        ports += [("out_rdy", True, 1), ("result", False, self.nbits), ("status", False, 1)]
        ports += [("at_step", False, len(self.lines + [0, 0]).bit_length())]
        ports += [(f"in_{operand}", True, self.nbits) for operand in self.operands]
        lines, asked = self._text(), self.drive.constants
        if asked and self.hosted:
            lines += ["", *host.module(asked, self.core.top, self.operands, self.nbits)]
        elif asked:
            lines += ["", *constants.module(asked, self.core.top, self.nbits)]
        text = "\n".join(lines) + "\n\n" + self.core.text
        return VerilogModule(self.name, text, tuple(ports))

    def _text(self) -> list[str]:
        n = self.nbits
        count = len(self.lines)
        asked = self.drive.constants
        answer, constant = count + 1, count + 2
        bits = (count + 2).bit_length()
        most = max([line.do.cycles for line in self.lines] + [line.last for line in self.lines])
        wide = max(most, 1).bit_length() + 1
        found = asked if not self.hosted else {}  # by the adapter
        first = constant if found else 1
        lines = [f"module {self.name} ("]
        lines += ["  input clk, input reset,", "  input in_val, output in_rdy,"]
        lines += [f"  input [{n - 1}:0] in_{operand}," for operand in self.operands]
        lines += [f"  output out_val, input out_rdy, output [{n - 1}:0] result, output status,"]
        lines += [f"  output [{bits - 1}:0] at_step", ");"]
        lines += [f"  reg [{bits - 1}:0] step;", f"  reg [{wide - 1}:0] waited, word;"]
        lines += [f"  reg [{w - 1}:0] {_kept(operand)};" for operand, w in self.widths.items()]
        lines += [f"  reg [{self.result_bits - 1}:0] kept;", "  reg refused;"]
        drops = sorted({pin for line in self.lines for pin in line.do.drop})
        lines += [f"  reg seen_{pin};" for pin in drops]
        lines += [f"  wire [{w - 1}:0] {_pin(port)};" for port, w in self.inputs.items()]
        lines += [f"  wire [{w - 1}:0] {_pin(port)};" for port, w in self.outputs.items()]
        lines += [
            "  assign in_rdy = step == 0;",
            f"  assign out_val = step == {answer};",
            f"  assign result = kept[{n - 1}:0];",
            "  assign status = refused;",
            "  assign at_step = step;",
        ]
        lines += [f"  assign {_pin(port)} = {self._driven(port)};" for port in self.inputs]
        connections = [f".{port}({_pin(port)})" for port in (*self.inputs, *self.outputs)]
        joined = ", ".join([".clk(clk)", ".reset(reset)", *connections])
        lines.append(f"  {self.core.top} core ({joined});")
        if found:
            lines += constants.instance(found, self.core.top, self.mod, n, constant, _kept)
        elif asked:
            lines += host.instance(asked, self.core.top, self.operands, n)
        lines.append("  always @(posedge clk)")
        lines.append("    if (reset) begin")
        reset = ["step", "waited", "word", *map(_kept, self.widths), "kept", "refused"]
        reset += [f"seen_{pin}" for pin in drops]
        lines += [f"      {name} <= 0;" for name in reset]
        lines += ["    end else case (step)", "      0: if (in_val) begin"]
        lines += [f"        {_kept(operand)} <= in_{operand};" for operand in self.operands]
        if asked and self.hosted:
            lines += [
                f"        {_kept(name)} <= {host.PORT}[{high - 1}:{low}];"
                for name, (low, high) in host.places(asked, n).items()
            ]
        lines += ["        waited <= 0;", "        word <= 0;", "        kept <= 0;"]
        takes = self.taken.verilog(f"in_{self.mod}", n)
        lines += [
            f"        refused <= !({takes});",
            f"        step <= {takes} ? {first} : {answer};",
            "      end",
        ]
        for number, line in enumerate(self.lines, 1):
            lines += self._case(number, line)
        lines += [f"      {answer}: if (out_rdy) step <= 0;"]
        lines += constants.case(found, constant, _kept) if found else []
        lines += ["      default: step <= 0;", "    endcase", "endmodule"]
        return lines

    def _case(self, number: int, line: _Line) -> list[str]:
        """Write what a step does at clock edges."""
        do = line.do
        over = []
        if do.cycles > 1:
            over.append(f"waited >= {do.cycles - 1}")
        if do.until:
            over.append(self._condition(do.until))
        met = {pin: self._condition(condition) for pin, condition in do.drop.items()}
        over += [f"(seen_{pin} || {condition})" for pin, condition in met.items()]
        lines = [f"      {number}: begin"]
        if do.cycles > 1:
            lines.append(f"        if (waited < {do.cycles - 1}) waited <= waited + 1;")
        lines += [f"        if ({met[pin]}) seen_{pin} <= 1;" for pin in met]
        lines.append(f"        if ({' && '.join(over) or '1'}) begin")
        lines.append("          waited <= 0;")
        lines += [f"          seen_{pin} <= 0;" for pin in met]
        lines += [f"          {text}" for text in line.over]
        forward = f"step <= {number + 1};"
        if line.last:
            lines += [
                f"          if (word == {line.last}) begin",
                f"            word <= 0; {forward}",
                "          end else begin",
                f"            word <= word + 1; step <= {line.back + 1};",
                "          end",
            ]
        elif line.again:
            lines.append(f"          step <= {line.again} ? {line.back + 1} : {number + 1};")
        else:
            lines.append(f"          {forward}")
        return [*lines, "        end", "      end"]

    def _driven(self, port: str) -> str:
        """Write what stands on an input of the core."""
        if port in self.drive.always:
            for number, line in enumerate(self.lines, 1):
                if port in line.do.pins or port in line.do.drop:
                    raise AdapterError(
                        f"port {port} is given twice: it always holds {self.drive.always[port]}, "
                        f"and step {number} drives it; name it once"
                    )
            return self._value(port, self.drive.always[port], _Line(Do()))
        text = f"{self.inputs[port]}'d0"
        for number, line in reversed(list(enumerate(self.lines, 1))):
            if port in line.do.pins or port in line.do.drop:
                value = self._value(port, line.do.pins.get(port, 1), line)
                if port in line.do.drop:
                    value = f"(seen_{port} ? {self.inputs[port]}'d0 : {value})"
                text = f"step == {number} ? {value} : {text}"
        return text

    def _value(self, port: str, value: Value, line: _Line) -> str:
        width = self.inputs[port]
        if isinstance(value, Address):
            base, stride = value.base % (1 << width), value.stride % (1 << width)
            if value.base >> width:
                raise AdapterError(f"port {port} has {width} bits; address {value.base} is wider")
            if not stride:
                return f"{width}'d{base}"
            return f"({width}'d{base} + {width}'d{stride} * word)"
        if isinstance(value, int):
            if value < 0 or value >> width:
                raise AdapterError(f"port {port} has {width} bits; {value} does not fit")
            return f"{width}'d{value}"
        if value == WORD:
            if not line.word_of:
                raise AdapterError(f"port {port}: WORD is of no operand; use it in an Each")
            if width < line.size:
                raise AdapterError(f"port {port} has {width} bits; a word has {line.size}")
            total = self.widths[line.word_of]
            if line.first:
                return f"{_kept(line.word_of)}[{line.size - 1}:0]"
            return f"{_kept(line.word_of)}[{total - 1}:{total - line.size}]"
        wanted = self._width(value)
        if width < wanted:
            raise AdapterError(
                f"port {port} has {width} bits, {value} {wanted}; set the parameter that widens "
                "it, or choose the width that the core has"
            )
        return f"{_kept(value)}[{wanted - 1}:0]"

    def _condition(self, text: str) -> str:
        """Write a condition in Verilog."""
        found = _CONDITION.fullmatch(text)
        if not found:
            raise AdapterError(f"condition {text!r}: write a port, port[bit] or !port")
        negated, port, bit = found.groups()
        self._port(port, self.outputs, "an output")
        if bit is None and self.outputs[port] != 1:
            raise AdapterError(
                f"condition {text!r}: {port} has {self.outputs[port]} bits; name one, {port}[0]"
            )
        if bit is not None and int(bit) >= self.outputs[port]:
            raise AdapterError(f"condition {text!r}: {port} has {self.outputs[port]} bits")
        return f"{'!' if negated else ''}{_pin(port)}[{bit or 0}]"

    def _port(self, name: str, known: Mapping[str, int], what: str) -> None:
        if name not in known:
            raise AdapterError(f"the core has no {name!r} as {what}; it has {', '.join(known)}")

    def _width(self, operand: str) -> int:
        """Return the bits of an operand or constant."""
        if operand in self.operands:
            return self.nbits
        if operand in self.drive.constants:
            kind, size = self.drive.constants[operand]
            return size if kind == "m_inv" else self.nbits
        known = ", ".join((*self.operands, *self.drive.constants))
        raise AdapterError(f"no operand {operand!r}; the request has {known}")

    def _rotated(self, operand: str, size: int, first: bool) -> str:
        total, name = self.widths[operand], _kept(operand)
        if total == size:
            return name
        if first:
            return f"{{{name}[{size - 1}:0], {name}[{total - 1}:{size}]}}"
        return f"{{{name}[{total - size - 1}:0], {name}[{total - 1}:{total - size}]}}"

    def _fitted(self, port: str, size: int) -> str:
        """Write a word of an output, with zeros where that is narrower."""
        width = self.outputs[port]
        if width >= size:
            return f"{_pin(port)}[{size - 1}:0]"
        return f"{{{size - width}'d0, {_pin(port)}}}"


def _pin(port: str) -> str:
    return f"core_{port}"


def _kept(operand: str) -> str:
    """Name the register of an operand or a constant: no name of the adapter's is like it."""
    return f"asked_{operand}"
