"""What programs count: from the first access of what they are asked to its last, and nothing of
what they are told or tell. Instruction by instruction, at level fl, where each counts for one."""

import re
from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from eval.catalog import find
from fl.crt import CrtKey
from fl.rsa_keys import even_key
from fl.xcel import Registers
from proc import csr
from proc.bus_map import in_window
from proc.fl.xcel_port import XcelPort
from proc.isa import decode
from proc.retire import Retire
from proc.run.functional_system import FunctionalSystem
from proc.run.levels import System, make_bus_system, make_system
from proc.run.rsa_axi import DECRYPT, POLLING, SIGN, Asked
from proc.run.rsa_axi import operate as operate_axi
from proc.run.rsa_key import PRIVATE, PUBLIC
from proc.run.rsa_key import operate as operate_key
from proc.run.rsa_private import powers
from proc.run.skipping_system import XcelAtOnce
from tests.golden.xcel import Plain

LETTERS = {csr.MNGR2PROC: "i", csr.PROC2MNGR: "o", csr.CYCLE: "c"}
SEED = 1


class Noted:
    """A system that notes every instruction of its last run."""

    def __init__(self, system: System) -> None:
        self.system, self.trace = system, []

    def run(self, *asked, **named):
        self.trace.clear()
        return self.system.run(*asked, **named, on_retire=self.trace.append)

    @property
    def order(self) -> str:
        """The instructions that read the manager's words (i), write some (o), read the cycles (c),
        access the bus (b) or the accelerator (x)."""
        return "".join(filter(None, map(letter, self.trace)))

    @property
    def counted(self) -> list[int]:
        """How many instructions were complete from each odd reading of the cycles to the next."""
        at = [i for i, one in enumerate(self.trace) if letter(one) == "c"]
        return [last - first for first, last in zip(at[::2], at[1::2], strict=True)]


def letter(retired: Retire) -> str:
    ins = decode(retired.word)
    if ins.spec.kind == "csr":
        return "x" if csr.is_xcel(ins.imm) else LETTERS.get(ins.imm, "")
    return "b" if retired.access and in_window(retired.access.address) else ""


@pytest.mark.parametrize("parts", [False, True])
def test_an_operation_by_the_peripheral(parts: bool) -> None:
    """The key's loading; then each call of the driver: three words of kind, length and data come
    before, and verdict, length, output and count after it."""
    key, nbits = even_key(72, SEED), 72
    design = find("array-crt(digit=4)" if parts else "mont-best")
    noted = Noted(make_bus_system("fl", partial(design.on_bus, "fl", nbits)))
    asked = [Asked(SIGN, b""), Asked(DECRYPT, bytes(9)), Asked(SIGN, b"")]
    crt = CrtKey.of(key) if parts else None
    loading, answers = operate_axi(noted, key, nbits, asked, POLLING, parts=crt)
    # An access for a word, another one for its place, and reads of what the hardware can do.
    words_in, loads = (19, 2 + 2 * 19) if parts else (9, 1 + 2 * 9)
    # The hardware's width; kind, length, start; a wait, status, length; places and words.
    calls = [f"i{{5}}cb{{{7 + 2 * 3 + 2 * put}}}co{{6}}" for put in (0, 3, 0)]
    assert re.fullmatch(f"i{{{words_in}}}cb{{{loads}}}co" + "".join(calls), noted.order)
    assert noted.counted == [loading, *(answer.cycles for answer in answers)]


def test_an_operation_by_an_accelerator_that_has_the_key() -> None:
    key, nbits = even_key(72, SEED), 72
    noted = Noted(make_system("fl", lambda: find("array-crt(digit=4)").xcel("fl", nbits)))
    pushing, answers = operate_key(
        noted, key.n, CrtKey.of(key), nbits, [(PRIVATE, 5), (PUBLIC, 7), (PRIVATE, 9)]
    )
    # Words of five parts, e and n; a base, go, a result and the status; with e, and both exponents.
    private, public = "i{4}cx{8}co{5}", "i{4}cx{15}co{5}"
    assert re.fullmatch("i{14}cx{14}co" + private + public + private, noted.order)
    assert noted.counted == [pushing, *(answer.cycles for answer in answers)]


def xcel(nbits: int) -> Callable[[], XcelPort]:
    return lambda: XcelAtOnce(Registers(Plain(nbits)))


@pytest.mark.parametrize(
    ("method", "first", "again"), [("xcel", 18, 14), ("public", 0, 0), ("secret", 0, 0)]
)
def test_powers_one_after_the_other(method: str, first: int, again: int) -> None:
    """Base, exponent, modulus, go, result and status; the modulus once; no access in software."""
    rng = Random(SEED)
    mod = rng.getrandbits(128) | 1 << 127 | 1
    base, exp = rng.getrandbits(127), 0b101
    noted = Noted(FunctionalSystem(xcel(128)))
    found = powers(noted, base, exp, mod, method, 128, 2)
    assert {one.result for one in found} == {pow(base, exp, mod)}
    assert re.fullmatch(f"i+cx{{{first}}}co{{5}}cx{{{again}}}co{{5}}", noted.order)
    assert noted.counted == [one.cycles for one in found]
