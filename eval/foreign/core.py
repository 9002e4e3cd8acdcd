"""What an entry says of a core of others: its files, clock, reset, and how it is driven."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from eval.foreign.arguments import are_texts, check, maps
from eval.foreign.source import Elaborated, elaborate
from rtl.foreign.adapter import adapter, steps_in_words
from rtl.foreign.steps import AdapterError, Drive, Handshake
from rtl.foreign.taken import Taken
from rtl.foreign.text import VerilogModule
from sim.errors import UserError

WRAPPED = "wrapped_core"  # the instance in its wrapper
Parameter = int | str | Callable[[int], int | str]


@dataclass(frozen=True, eq=False)
class Core:
    """Describes a core of others; at(nbits) is its Verilog, clocked by clk, with a high reset.

    folder: where its files are. files: Verilog, SystemVerilog or VHDL, or a mixture of the first
    two. top: its top module. clock: the port, or several that have one clock; "" of none.
    reset: the port, with "!" before it where low resets; "" of none. parameters: by name, a value
    or what gives it for a width. defines: macros. tied: inputs that hold a number. inverted: inputs
    of one bit that mean yes where they are low; a handshake sets them to 1 for yes.
    """

    folder: Path
    files: tuple[str, ...]
    top: str
    clock: str | tuple[str, ...] = "clk"
    reset: str = "reset"
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    defines: Mapping[str, str] = field(default_factory=dict)
    tied: Mapping[str, int] = field(default_factory=dict)
    inverted: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check("folder", self.folder, isinstance(self.folder, Path), "Path(__file__).parent")
        check("files", self.files, are_texts(self.files), 'names of files, as ("core.v",)')
        check("top", self.top, isinstance(self.top, str), "the name of the top module")
        is_clock = isinstance(self.clock, str) or are_texts(self.clock)
        check("clock", self.clock, is_clock, "the name of the port, or a tuple of names")
        check("reset", self.reset, isinstance(self.reset, str), 'the name of the port, "" of none')
        values = maps(self.parameters, int | str | Callable)
        give = "numbers, texts or functions of the width by name"
        check("parameters", self.parameters, values, give)
        check("defines", self.defines, maps(self.defines, str), "texts by name")
        check("tied", self.tied, maps(self.tied, int), "numbers by the names of ports")
        check("inverted", self.inverted, are_texts(self.inverted), "a tuple of names of ports")

    def _value(self, name: str, nbits: int) -> int | str:
        """Return a parameter's value at a width; UserError if its formula fails there."""
        value = self.parameters[name]
        try:
            found = value(nbits) if callable(value) else value
            check(name, found, type(found) in (int, str), "a number or a text")
        except Exception as error:
            raise UserError(
                f"design: {self.folder.name}: parameter {name} at {nbits} bits: {error}; mend its "
                "value in the entry"
            ) from error
        return found

    def elaborated(self, nbits: int) -> Elaborated:
        """Read the files, with the parameters of a width."""
        values = {name: self._value(name, nbits) for name in self.parameters}
        where = f"design: {self.folder.name}"
        return elaborate(where, self.folder, self.files, self.top, values, self.defines)

    @lru_cache(None)  # noqa: B019  (entries live as long as the process)
    def at(self, nbits: int) -> VerilogModule:
        """Return its Verilog at a width, with the ports that an adapter may use."""
        found = self.elaborated(nbits)
        clocks = (self.clock,) if isinstance(self.clock, str) else self.clock
        reset = self.reset.removeprefix("!")
        named = [*filter(None, (*clocks, reset)), *self.tied, *self.inverted]
        for name in named:
            if named.count(name) > 1:
                raise UserError(
                    f"design: {self.folder.name}: port {name} is given twice among clock, reset, "
                    "tied and inverted; name it once"
                )
        taken = {name: "clk" for name in clocks if name}
        taken |= {reset: "~reset" if self.reset.startswith("!") else "reset"} if reset else {}
        taken |= {
            name: f"{found.ports.get(name, ('', 1))[1]}'d{value}"
            for name, value in self.tied.items()
        }
        for name in (*taken, *self.inverted):
            if found.ports.get(name, ("",))[0] != "input":
                inputs = [port for port, (way, _) in found.ports.items() if way == "input"]
                raise UserError(
                    f"design: {self.folder.name}: the core has no input {name!r} (clock, reset, "
                    f"tied or inverted); it has {', '.join(inputs)}"
                )
        for name, value in self.tied.items():
            if value < 0 or value >> found.ports[name][1]:
                raise UserError(
                    f"design: {self.folder.name}: port {name} has {found.ports[name][1]} bits; "
                    f"{value} does not fit"
                )
        ports = {name: port for name, port in found.ports.items() if name not in taken}
        for name in ports.keys() & {"clk", "reset", WRAPPED}:
            raise UserError(
                f"design: {self.folder.name}: port {name} is neither clock nor reset of the entry; "
                "name it there, or wrap the core in a module that calls it otherwise"
            )
        top = f"wrapped_{found.top}_{nbits}"
        lines = [f"module {top} (", "  input clk, input reset"]
        for name, (way, bits) in ports.items():
            lines[-1] += ","
            lines.append(f"  {way} [{bits - 1}:0] {name}")
        joined = [f".{name}({value})" for name, value in taken.items()]
        joined += [f".{name}({'~' * (name in self.inverted)}{name})" for name in ports]
        lines += [");", f"  {found.top} {WRAPPED} ({', '.join(joined)});", "endmodule"]
        text = "\n".join([*lines, "", found.text])
        kinds = tuple((name, way == "input", bits) for name, (way, bits) in ports.items())
        return VerilogModule(top, text, kinds)


@lru_cache(None)
def adapted(
    core: Core,
    handshake: Handshake,
    nbits: int,
    operands: tuple[str, ...],
    taken: Taken,
    hosted: bool,
) -> VerilogModule:
    """Return the core with its adapter at a width; UserError where they do not fit."""
    module = core.at(nbits)
    try:
        drive, name = driven(core, handshake, nbits), f"Adapter_{module.top}"
        return adapter(name, module, drive, nbits, operands, taken, hosted)
    except AdapterError as error:
        raise UserError(f"design: {core.folder.name}, {nbits} bits: {error}") from error
    except (TypeError, AttributeError, KeyError) as error:  # of values of a wrong type in its steps
        raise UserError(
            f"design: {core.folder.name}, {nbits} bits: a step of the handshake has a value of a "
            f"wrong type: {error}; mend the entry"
        ) from error


@lru_cache(None)
def driven(core: Core, handshake: Handshake, nbits: int) -> Drive:
    """Return how the core is driven at a width, without constants that nothing reads."""
    try:
        drive = handshake(nbits)
        check("what the handshake returns", drive, isinstance(drive, Drive), "a Drive")
    except Exception as error:
        raise UserError(
            f"design: {core.folder.name}: the handshake at {nbits} bits: {error}; mend the entry"
        ) from error
    return drive.needed(core.elaborated(nbits).unread) if drive.constants else drive


def steps_of(core: Core, handshake: Handshake, nbits: int) -> list[str]:
    """Describe each step of an adapter in words."""
    return steps_in_words(driven(core, handshake, nbits))
