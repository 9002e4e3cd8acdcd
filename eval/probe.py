"""What a probe on each wire of a mapped design sees of the two shares of its exponent.

The netlist runs private operations, and as soon as both shares of a word of the exponent stand they
have labels (flow/gates/probing.py).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cl.exponentiator import Exponentiator
from eval.catalog.point import Point
from eval.tasks.attack.rounds import masked_ladder_of
from eval.tasks.leakage.netlists import mapped
from eval.tasks.leakage.operations import Operations
from eval.tasks.leakage.rtl import check_answers, messages_of, usual
from eval.tasks.port import PORTS
from flow.gates.mapped import MappedNetlist
from flow.gates.probing import MOST_BITS, Probed, Probing
from rtl.exp.array_blinded import BlindedExponentiator
from sim.errors import RunError, UserError
from sim.transfers import RESET_CYCLES
from sim.translate import port_name

# Registers of a netlist: of either share, and of what share 1 took last; one that is 1 in the cycle
# after which both stand, and those of values: in a row's words, in its elements but for orders, as
# digits on their way; in a ladder's registers, in its units, and beyond them.
SHARE = re.compile(r"(?:^|\.)shares\.(?:share_([01])\.share|added)\[(\d+)\]_reg$")
ENTERS = re.compile(r"(?:^|\.)shares\.enters_reg$")
VALUE = re.compile(
    r"\.(?:word_\d+\.|element_\d+\.(?!take\b)|feed_\d+\.digit\b"
    r"|loop\.(?:value_[01]|kept_answer)\b|unit(?:_\d)?\.|leave\.)"
)


class SharesProbe:
    """Runs operations on a netlist of so many bits with a stream interface, and looks at its
    wires; `probed` is what they have seen."""

    def __init__(self, netlist: MappedNetlist, bits: int, recv: str, send: str) -> None:
        self.netlist, self.recv, self.send = netlist, recv, send
        self.probing = Probing(netlist, bits, VALUE)
        self.probed = Probed()
        matches = {name: SHARE.search(name) for name in self.probing.registers}
        self.labels = {
            name: 1 << bits * int(match[1] or 1) + int(match[2])
            for name, match in matches.items()
            if match and int(match[2]) < bits
        }
        [self.enters] = (at for name, at in self.probing.registers.items() if ENTERS.search(name))

    def nets(self, name: str) -> tuple[int, ...]:
        """Return the nets of a port."""
        return self.netlist.ports[port_name(name)].nets

    def run(self, messages: Sequence[int], limit: int) -> list[int]:
        """Reset, send the messages, one when the last is taken, and return as many responses;
        RunError if they have not come after so many cycles."""
        probing = self.probing
        nets = [net for p in self.netlist.ports.values() if not p.output for net in p.nets]
        idle = dict.fromkeys(nets, 0) | dict.fromkeys(self.nets(f"{self.send}.rdy"), 1)
        [reset], [valid], [taken] = (
            self.nets(name) for name in ("reset", f"{self.recv}.val", f"{self.recv}.rdy")
        )
        [answered] = self.nets(f"{self.send}.val")
        for _ in range(RESET_CYCLES):
            probing.settle(idle | {reset: 1})
            probing.clock()
        probing.label({})
        left, responses = list(messages), []
        for cycle in range(limit):
            inputs = idle | {valid: int(bool(left))}
            for i, net in enumerate(self.nets(f"{self.recv}.msg")):
                inputs[net] = left[0] >> i & 1 if left else 0
            probing.settle(inputs)
            probing.look(self.probed, cycle)
            if left and probing.now[taken]:
                left.pop(0)
            if probing.now[answered]:
                word = self.nets(f"{self.send}.msg")
                responses.append(sum(int(probing.now[net]) << i for i, net in enumerate(word)))
                if len(responses) == len(messages):
                    return responses
            enters = probing.held[self.enters]
            probing.clock()
            if enters:
                probing.label(self.labels)
        raise RunError(f"the netlist gave no answer in {limit} cycles")


@dataclass(frozen=True)
class Found:
    """Tells what probes on a point's wires have seen in some operations; names: those of wires."""

    point: Point
    operations: int
    cells: int
    probed: Probed
    names: dict[int, str]


def has_shares(exponentiator: Exponentiator) -> bool:
    """Return whether a ladder goes by two shares of the exponent."""
    if isinstance(exponentiator, BlindedExponentiator):
        return exponentiator.order.ladder
    return masked_ladder_of(exponentiator) is not None


def check_point(point: Point) -> None:
    """Raise UserError unless the design has shares, of few enough bits."""
    if not has_shares(point.entry.at(point.nbits)):
        raise UserError(
            f"design: {point.design} has no shares of its exponent; choose array-4-masked or "
            "another point of the family array-masked, or a point with loop=masked-ladder"
        )
    if point.nbits > MOST_BITS:
        raise UserError(f"--nbits: {point.nbits} bits are too many; choose at most {MOST_BITS}")


def probe(point: Point, operations: int, say: Callable[[str, int], None]) -> Found:
    """Run so many operations with random bases and exponents on the point's netlist."""
    found = mapped(point, lambda text: say(text, 0))
    netlist = found.timing.netlist
    shares = SharesProbe(netlist, point.nbits, *PORTS)
    drawn = Operations(point).draw("exponent", operations)
    for i, (_, operands) in enumerate(drawn):
        say("operations", i)
        responses = shares.run(messages_of(point.nbits, operands), 2 * usual(point))
        check_answers(point, operands, responses)
    return Found(point, operations, len(netlist.instances), shares.probed, found.names)
