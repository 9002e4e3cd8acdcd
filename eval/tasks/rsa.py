"""RSA on the processor: the cycles of an operation, in software or with an accelerator."""

from dataclasses import dataclass
from functools import cache
from shlex import quote
from typing import TYPE_CHECKING, Any

from eval.catalog.point import Point
from eval.catalog.processor import NULL, Processor
from eval.tasks.task import SHORT, Result, Task
from eval.tasks.traced import traced_digest
from eval.tasks.unit import OnStep
from eval.tasks.versions import processor_tools
from fl.rsa_keys import RsaKey, even_key

if TYPE_CHECKING:
    from eval.tasks.rsa_operation import RsaOperation

SEED = 1  # as of `modexplorer rsa`


class RsaResult(Result):
    """The cycles of the operation, and those in which an accelerator makes no power."""

    cycles: int
    outside: int


@dataclass(frozen=True)
class Rsa(Task[RsaResult]):
    """An operation with a key of so many bits, at level batch; the design is of the accelerator,
    None for software. What is blinded is the signature by both primes."""

    nbits: int
    operation: str
    design: str | None = None
    check: str = "none"
    blind_base: bool = False
    mask_bits: int = 0
    kind = "rsa"
    Result = RsaResult
    text = "{0.point} rsa {0.operation} of {0.nbits} bits"
    shell = "rsa {0.arguments}"
    rank = SHORT

    @property
    def work(self) -> "RsaOperation":
        """What is computed."""
        from eval.tasks.rsa_operation import RsaOperation

        blinding = self.blind_base, self.mask_bits
        return RsaOperation(_key(self.nbits), self.operation, self.design, self.check, *blinding)

    @property
    def accelerator(self) -> Point | None:
        """What makes the powers, of half the bits by both primes; None in software."""
        width = self.nbits // 2 if self.operation == "crt" else self.nbits
        return Point(self.design, width + self.mask_bits) if self.design else None

    @property
    def point(self) -> Processor:
        """The processor with its accelerator."""
        point = self.accelerator
        return Processor(point.design, point.nbits) if point else Processor(NULL)

    @property
    def runs(self) -> str:
        """The operation."""
        return self.operation

    @property
    def arguments(self) -> str:
        """The operation as on a command line."""
        design = f"{quote(self.design)} " if self.design else ""
        check = f" --check {self.check}" if self.check != "none" else ""
        mask = f" --blind-exponent {self.mask_bits}" if self.mask_bits else ""
        blinding = f"{' --blind-base' * self.blind_base}{mask}{' --seed 1' * self.blinds}"
        return f"{design}--nbits {self.nbits} --operation {self.operation}{check}{blinding}"

    @property
    def blinds(self) -> bool:
        """Whether anything is blinded."""
        return self.blind_base or self.mask_bits > 0

    @property
    def care(self) -> str:
        """What is done against faults and for blinding, in words."""
        mask = f"exponent by {self.mask_bits}" * (self.mask_bits > 0)
        blinded = " and ".join(filter(None, ("base" * self.blind_base, mask)))
        return f"{self.check}{f', blinds {blinded}' if blinded else ''}"

    @property
    def constant_time(self) -> bool:
        """Whether the cycles say nothing of the base or the private key."""
        if self.operation == "private":
            return True  # all of it is, also of designs whose powers are not
        if self.accelerator:
            return self.accelerator.entry.constant_time
        return self.operation != "e"

    def subject(self) -> tuple[str, int]:
        """Say what computes, and the bits of the key."""
        return self.point.design, self.nbits

    def parameters(self) -> dict[str, Any]:
        """Say what else decides the cycles: the check, and the seed of the key."""
        blinding = {"base": self.blind_base, "mask": self.mask_bits} if self.blinds else {}
        return {"level": "batch", "check": self.check, "seed": SEED} | blinding

    def verilog(self) -> str:
        """Hash that of the processor with what is attached."""
        return traced_digest(self.point)

    def tools(self) -> dict[str, str]:
        """Name what simulates, and what compiles the program."""
        return processor_tools()

    def compute(self, on_step: OnStep) -> RsaResult:
        """Run the operation; RunError unless its answer is right."""
        on_step("running")
        outcome = self.work.run(seed=SEED)
        return RsaResult(tools=self.tools(), cycles=outcome.cycles, outside=outcome.outside)

    def as_json(self, result: RsaResult) -> dict[str, Any]:
        """The result with the operation."""
        return super().as_json(result) | vars(self)


@cache
def _key(nbits: int) -> RsaKey:
    """Make the key of the command for a width."""
    return even_key(nbits, SEED)
