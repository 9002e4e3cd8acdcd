"""Verilog that somebody else has written, as a component: ports by name, nothing inside to see."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from pymtl3 import Bits1, Component, InPort, OutPort, Placeholder, mk_bits
from pymtl3.passes.backends.verilog import VerilogPlaceholderPass, VerilogTranslationPass

import fl.widebits  # noqa: F401  (ports of wide cores pass PyMTL3's limit)

CLOCK, RESET = "clk", "reset"


@dataclass(frozen=True)
class VerilogModule:
    """Holds a Verilog source and its top module, clocked by clk and reset by a high reset.

    ports: name, whether it is an input, and bits of all ports but these two.
    """

    top: str
    text: str
    ports: tuple[tuple[str, bool, int], ...]

    @cached_property
    def digest(self) -> str:
        """Return a hash of what it is."""
        return blake2b(repr((self.top, self.text)).encode(), digest_size=6).hexdigest()

    def __repr__(self) -> str:  # a part of the names of modules that hold it
        return f"{self.top}_{self.digest}"


class _Source:
    """Is what PyMTL3's translation asks of a component that it does not translate."""

    def __init__(self, module: VerilogModule) -> None:
        self.pickled_source = f"// PyMTL VerilogPlaceholder {module.top}\n{module.text}"

    @staticmethod
    def get_port_map() -> object:
        """Return what maps names of ports: as they are."""
        return lambda name: name


class VerilogText(Placeholder, Component):
    """Has the module's ports; translated, it is the text; simulated, the text Verilated."""

    def construct(s, module: VerilogModule):
        s.module = module
        for name, is_input, nbits in module.ports:
            kind = Bits1 if nbits == 1 else mk_bits(nbits)
            setattr(s, name, InPort(kind) if is_input else OutPort(kind))
        s.set_metadata(VerilogPlaceholderPass.placeholder_config, _Source(module))
        s.set_metadata(VerilogTranslationPass.explicit_module_name, module.top)

    def line_trace(s) -> str:
        """Show the ports of one bit that are set."""
        return " ".join(
            name for name, _, nbits in s.module.ports if nbits == 1 and getattr(s, name)
        )
