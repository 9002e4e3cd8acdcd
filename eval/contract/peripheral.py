"""The contract of peripherals: operations by the driver's accesses, through the bus."""

from collections.abc import Iterable
from dataclasses import dataclass

from cl.exponentiator import Exponentiator
from cl.peripheral import busy_cycles
from eval.contract.check import Mismatch
from fl.axi_lite import RESPONSE_CYCLES
from fl.exponentiator import mod_exp
from fl.peripheral_driver import Procedure, load_key, operate, perform
from fl.peripheral_map import INTERRUPT_ENABLE, LOADED, WRITE_ADDRESS, Fixed
from fl.peripheral_registers import Registers
from fl.pkcs1 import ENCRYPTION
from sim.axi_lite import BusMaster


@dataclass(frozen=True)
class Key:
    """Holds a modulus and two exponents, of an RSA key or not."""

    modulus: int
    e: int
    d: int


@dataclass(frozen=True)
class Operation:
    """Asks for one operation."""

    data: bytes
    decrypt: bool = False
    kind: int = ENCRYPTION

    def procedure(self, nbits: int) -> Procedure:
        """Return what the driver does."""
        return operate(nbits, self.data, self.decrypt, self.kind)


def loading(nbits: int, key: Key, fixed: Fixed) -> Procedure:
    """Load what of the key is not constant in the hardware."""
    modulus = key.modulus if fixed.modulus is None else None
    return load_key(nbits, modulus, (key.e, key.d) if fixed.exponents is None else None)


def check_operations(
    master: BusMaster,
    exponentiator: Exponentiator,
    key: Key,
    operations: Iterable[Operation],
    fixed: Fixed = LOADED,
    limit: int = 1_000_000,
    loaded: bool = False,
) -> None:
    """Load the key unless it is, perform each; raise Mismatch at a wrong outcome, bytes or time.

    Right are the register map in fl around `pow`, and cl's cycles whatever the bus pauses.
    """
    nbits, timed = exponentiator.nbits, not master.name.endswith("(fl)")
    model = Registers(nbits, lambda b, e, m: mod_exp(b, e, m, exponentiator.takes), fixed)
    perform(model, loading(nbits, key, fixed))
    if not loaded:
        master.write(INTERRUPT_ENABLE, 1)
        master.perform(loading(nbits, key, fixed))
    for operation in operations:
        name = f"{master.name}, {operation}"
        taken, waited = len(master.drawn), master.waited
        outcome = master.perform(operation.procedure(nbits), limit)
        drawn = [byte for byte in master.drawn[taken:] if byte]
        wanted = perform(model, operation.procedure(nbits), drawn)
        if outcome != wanted:
            raise Mismatch(f"{name}: {outcome}, not {wanted}")
        if len(drawn) != model.draws:
            raise Mismatch(f"{name}: {len(drawn)} bytes drawn, not {model.draws}")
        exponent = key.d if operation.decrypt else key.e
        latency = exponentiator.latency(model.operands[WRITE_ADDRESS], exponent, key.modulus)
        cycles = busy_cycles(nbits, latency, master.waited - waited) + RESPONSE_CYCLES
        if timed and master.operations != [cycles]:
            raise Mismatch(f"{name}: {master.operations} cycles, not {cycles}")
