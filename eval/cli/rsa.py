"""`modexplorer rsa`: RSA's private operation on the processor, cycles by step."""

from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import NUMBER, SOURCE, Number, cli_command, flag, given, option, print_json

if TYPE_CHECKING:
    from eval.tasks.rsa_operation import Outcome, RsaOperation
    from fl.rsa_keys import RsaKey

OF_ACCELERATOR = ["base", "operation", "check", "blind_base", "mask_bits", "again", "flip", "seed"]


@cli_command(
    "rsa mont-best --nbits 128 --check primes",
    "rsa systolic-16 --nbits 64 --blind-base --blind-exponent 32 --level fl",
    "rsa mont-best --nbits 64 --operation d --level cl",
    "rsa array-4-kept --nbits 64 --operation e --again",
    "rsa array-crt-16 --nbits 64 --operation private --again",
    "rsa mont-best --nbits 128 --unit peripheral",
    "rsa mont-best --nbits 64 --flip q",
)
@click.argument("design", required=False)
@option("--nbits N", "Bits of the modulus n, of a key made for the width.", Number(16, 4096))
@option("--key FILE", "Take the key from a file in PEM (PKCS#1) instead.", SOURCE)
@option("--base C", "Number from 0 to n - 1; the encrypted message of the workloads.", NUMBER)
@option(
    "--unit UNIT",
    "What DESIGN is in: accelerator (behind the processor's port) or peripheral (on its bus, with "
    "PKCS#1's padding: encrypts, decrypts, signs, verifies).",
    click.Choice(["accelerator", "peripheral"]),
    default="accelerator",
)
@option(
    "--wait NAME",
    "Wait for the peripheral by interrupt (if not given) or polling.",
    usual="interrupt",
)
@option(
    "--operation NAME",
    "crt (the private operation by both primes, if not given), d (the same modulo n), e (public) "
    "or private (the whole private operation by a design that has the key's primes).",
    usual="crt",
)
@option(
    "--check NAME",
    "Refuse a result m unless m^e = c: primes (modulo p and q, by the accelerator), infective (the "
    "same, and a wrong m changes to one that tells nothing), software (modulo n), none (if not "
    "given).",
    usual="none",
)
@flag("--blind-base", "Multiply the base by a random r^e, the result by 1/r.")
@option(
    "--blind-exponent BITS",
    "Add random multiples, of so many bits, of p - 1 and q - 1 to the exponents; the accelerator "
    "is wider by as many.",
    Number(1, 64),
    name="mask_bits",
    usual=0,
)
@flag(
    "--again",
    "Do any but crt once more with n and the key left in the accelerator, which may keep what it "
    "found.",
)
@option(
    "--flip PRIME",
    "Flip a bit of the accelerator's power modulo p or q: an unchecked result gives away a prime.",
    click.Choice(["p", "q"]),
)
@option("--seed S", "Blind with the same numbers for the same seed.", NUMBER)
@option(
    "--level LEVEL",
    "fl (no cycles), cl (nothing is compiled), rtl or batch.",
    default="batch",
)
def command(
    nbits: int | None,
    key: str | None,
    base: int | None,
    unit: str,
    wait: str,
    seed: int | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Run RSA on the processor, with the accelerator DESIGN or without one in software.

    For crt the accelerator has the bits of a prime, half of the key's. The result is compared with
    that of Python's `rsa` package: if it differs, nothing is printed but both, and the exit code
    is 1, but with --flip: then the prime that it gives away is printed. Cycles are those from the
    base in the processor's memory to the result there; key and constants are there before. Those of
    the peripheral are of the driver's calls.
    """
    from eval.cli.progress import Reporter
    from eval.cli.rsa_peripheral import show_peripheral
    from eval.tasks.rsa_levels import RsaAtAnyLevel
    from sim.errors import UserError

    if unit == "peripheral":
        if name := given(*OF_ACCELERATOR):
            raise UserError(f"{name}: is of --unit accelerator; leave it out")
        show_peripheral(_key(nbits, key), how["design"], wait, how["level"], as_json)
        return
    if name := given("wait"):
        raise UserError(f"{name}: is of --unit peripheral; give that, or leave it out")
    if seed is not None and not (how["blind_base"] or how["mask_bits"]):
        raise UserError("--seed: nothing is blinded; give --blind-base or --blind-exponent, too")
    asked = RsaAtAnyLevel(_key(nbits, key), **how)
    with Reporter(f"{asked.operation} with a key of {asked.key.nbits} bits"):
        outcome = asked.run(base, seed)
    if as_json:
        print_json(_describe(asked, outcome))
    else:
        _print(asked, outcome)


def _key(nbits: int | None, path: str | None) -> "RsaKey":
    from eval.catalog.keys import load_key
    from fl.rsa_keys import even_key
    from sim.errors import UserError

    if path is not None and nbits is None:
        return load_key("--key", path)
    if path is not None or nbits is None:
        raise UserError("--nbits: give the bits of a key, or a key by --key, one of them")
    try:
        return even_key(nbits, 1)
    except ValueError as error:
        raise UserError(f"--{error}; give another width") from None


def _describe(asked: "RsaOperation", outcome: "Outcome") -> dict:
    clocked = bool(outcome.steps)
    return {
        "key": {name: getattr(asked.key, name) for name in ("name", "n", "e", "d", "p", "q")},
        "operation": asked.operation,
        "design": asked.design,
        "nbits": asked.nbits,
        "check": asked.check,
        "blind_base": asked.blind_base,
        "blind_exponent": asked.mask_bits,
        "again": asked.again,
        "flip": asked.flip,
        "factor": outcome.factor,
        "level": asked.level,
        "base": outcome.c,
        "result": outcome.result,
        "cycles": outcome.cycles if clocked else None,
        "outside_powers": outcome.outside if clocked else None,
        "steps": [
            {"step": step.name, "cycles": cycles, "accelerator": step.beside}
            for step, cycles in outcome.steps.items()
        ],
    }


def _print(asked: "RsaOperation", outcome: "Outcome") -> None:
    from eval.catalog.inputs import shorten

    click.echo(f"{'key':22}{asked.key.name}, {asked.key.nbits} bits")
    click.echo(f"{'accelerator':22}{asked.point or 'none'}")
    click.echo(f"{'result':22}{shorten(outcome.result)}")
    if asked.flip:
        click.echo(f"{'gcd(result^e - c, n)':22}{shorten(outcome.factor)}")
    for step, cycles in outcome.steps.items():
        click.echo(f"{step.name:22}{cycles:>10}  {step.beside}".rstrip())
    if outcome.steps:
        click.echo(f"{'cycles':22}{outcome.cycles:>10}")
    if asked.point and outcome.steps and asked.operation == "crt":
        click.echo(f"{'outside the powers':22}{outcome.outside:>10}")
