"""Translate a component to Verilog text: nothing is written, the current folder is not used."""

import hashlib
import re
from dataclasses import dataclass, replace
from functools import cached_property

from pymtl3 import Component
from pymtl3.passes.backends.verilog import VerilogTranslationPass
from pymtl3.passes.backends.verilog.translation.VTranslator import VTranslator
from pymtl3.passes.backends.verilog.util.utility import gen_mapped_ports
from pymtl3.passes.rtlir import RTLIRType

import fl.widebits  # noqa: F401

_UNNAMED = "ModExplorerTop"
# yosys 0.70 takes ~1'(p), of a parameter p = 1, for 1.
_NEGATED_CONSTANT = re.compile(r"~ *\d+'\( *__const__(\w+?)_at_\w+")
_AT_ADDRESS = re.compile(r"// Full name: .* at 0x[0-9a-f]+.*\s+module (\w+)")


@dataclass(frozen=True)
class Port:
    """Names a port of a Verilog module: a plain vector."""

    name: str
    direction: str  # "input" or "output"
    nbits: int


@dataclass(frozen=True)
class Translation:
    """Holds a Verilog source, its top module and that module's ports.

    flattened: the classes of components that synthesis maps as part of what holds them.
    carry_save: whether a component says that it adds in carry-save form.
    """

    top: str
    text: str
    ports: tuple[Port, ...]
    flattened: tuple[str, ...] = ()
    carry_save: bool = False

    @cached_property
    def digest(self) -> str:
        """Return a hash of the source, comments apart."""
        return _digest(self.text)

    def named(self, top: str) -> "Translation":
        """Give the top module another name, which holds no `__`: Verilator escapes it."""
        if "__" in top:
            raise ValueError(f"top module name {top}: no `__` allowed")
        return replace(self, top=top, text=re.sub(rf"\b{self.top}\b", top, self.text))


def translate(component: Component, top: str | None = None) -> Translation:
    """Translate a component that no simulation was prepared on, elaborated or not.

    Without a name the top module gets its class name and a hash of its contents, so that
    one name never stands for two designs.
    """
    if hasattr(component, "_sim"):
        raise ValueError(f"{component!r} is prepared for simulation: translate a fresh one")
    if not component._dsl.constructed:
        component.elaborate()
    component.set_metadata(VerilogTranslationPass.enable, True)
    component.set_metadata(VerilogTranslationPass.explicit_module_name, _UNNAMED)
    translator = VTranslator(component)
    translator.translate(component, VerilogTranslationPass().gen_tr_cfgs(component))
    text = _without_addresses(_without_places(translator.hierarchy.src))
    if misread := _NEGATED_CONSTANT.search(text):
        raise ValueError(f"{component!r}: yosys misreads ~{misread[1]}: negate constants in Python")
    kinds = {type(part) for part in component.get_all_components()}
    flattened = sorted(kind.__name__ for kind in kinds if getattr(kind, "flattened", False))
    carry_save = any(getattr(kind, "carry_save", False) for kind in kinds)
    found = Translation(_UNNAMED, text, _ports(component), tuple(flattened), carry_save)
    name = type(component).__name__.replace("__", "_")
    return found.named(top or f"{name}_{found.digest}")


def port_name(dotted: str) -> str:
    """Return the Verilog name of a port or interface: xcel.req.val is xcel__req__val."""
    return dotted.replace(".", "__")


def _ports(component: Component) -> tuple[Port, ...]:
    found = []
    for names, verilog_name, rtype, _ in gen_mapped_ports(component, {}):
        if not isinstance(rtype, RTLIRType.Port):
            raise ValueError(f"{component!r}: port {names[0]} is an array; the top takes none")
        nbits = rtype.get_dtype().get_length()
        found.append(Port(verilog_name, rtype.get_direction(), nbits))
    return tuple(found)


def _without_places(text: str) -> str:
    """Drop the comments `// At <file>:<line>`, which differ by machine."""
    return re.sub(r"^[ \t]*// At .*\n", "", text, flags=re.M)


def _without_addresses(text: str) -> str:
    """Number modules that PyMTL3 names after the address of a function, which differs by process.

    Those are of components that take a function.
    """
    for number, name in enumerate(_AT_ADDRESS.findall(text)):
        if "__" in name:  # not the top module, whose name was chosen
            text = re.sub(rf"\b{name}\b", f"{name.split('__')[0]}__function{number}", text)
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def _digest(text: str) -> str:
    code = re.sub(r"//.*", "", text)
    words = " ".join(code.split())
    return hashlib.blake2b(words.encode(), digest_size=6).hexdigest()
