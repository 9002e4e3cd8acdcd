"""Put a wide design into a shell with four pins: clock, data in, load, data out.

The shell is one chain of registers: the first part feeds the design's inputs, the second is shifted
on, or takes the design's outputs when `load` is set. So every input comes from a register and every
output goes to one, as inside a larger design. It has a register for each port bit, and a selector
for each output.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sim.errors import RunError

NAME = "fpga_shell"


@dataclass(frozen=True)
class Port:
    """A port of the design: its name, whether it is an input, and its bits."""

    name: str
    is_input: bool
    nbits: int


def shell(top: str, ports: Iterable[Port], clock: str) -> str:
    """Write the Verilog of the shell around module `top`."""
    inputs = [port for port in ports if port.is_input and port.name != clock]
    outputs = [port for port in ports if not port.is_input]
    feed, seen = (sum(port.nbits for port in group) for group in (inputs, outputs))
    if not feed or not seen:
        raise RunError(f"module {top} needs an input and an output besides its clock {clock}")
    pins = [
        *_slices(inputs, "feed"),
        *_slices(outputs, "result"),
        *([f".{clock}(clk)"] if any(port.name == clock for port in ports) else []),
    ]
    return f"""module {NAME}(input clk, input in, input load, output out);
  reg [{feed - 1}:0] feed;
  reg [{seen - 1}:0] seen;
  wire [{seen - 1}:0] result;
  assign out = seen[{seen - 1}];
  always @(posedge clk) begin
    feed <= {{feed, in}};
    seen <= load ? result : {{seen, feed[{feed - 1}]}};
  end
  {top} design({", ".join(pins)});
endmodule
"""


def _slices(ports: Iterable[Port], vector: str) -> Iterable[str]:
    """Connect the ports to a vector, the first at its low end."""
    low = 0
    for port in ports:
        yield f".{port.name}({vector}[{low + port.nbits - 1}:{low}])"
        low += port.nbits
