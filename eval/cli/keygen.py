"""`modexplorer keygen`: RSA keys by the processor, or with moduli that are easy to reduce by."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import NUMBER, OUTPUT, Number, cli_command, given, option, tell

if TYPE_CHECKING:
    from eval.tasks.rsa_make import KeyMaking, MadeKey

FORMS = ("near-power", "pseudo")
DESIGNS = {"near-power": "near-power-16", "pseudo": "scaled-high-16"}
OF_DESIGN = ("e", "rounds", "level", "out")


@cli_command(
    "keygen mont-best --nbits 64 --seed 7",
    "keygen array-4 --nbits 32 --seed 7 --exponent 3 --level cl",
    "keygen --form near-power --nbits 64 --seed 7",
    "keygen --form pseudo --nbits 34",
)
@click.argument("design", required=False)
@option(
    "--form FORM",
    "Without a design: near-power (n = 2^N - k, k of about half the bits) or pseudo (document "
    "000's n = (2^N - 1) / 3, no secret: there is one key per width).",
    default="near-power",
)
@option("--nbits N", "Bits of the modulus n.", Number(16, 4096), required=True)
@option("--seed S", "Make the same key for the same seed.", NUMBER)
@option(
    "--exponent E",
    "Public exponent, odd; 65537 if not given, 257 at 16 bits.",
    NUMBER,
    name="e",
)
@option(
    "--rounds T",
    "Rounds of Miller and Rabin that a prime passes; if not given as many as make an error as "
    "rare as 2^-100.",
    Number(1, 64),
)
@option("--level LEVEL", "fl (no cycles), cl, rtl or batch (if not given).", usual="batch")
@option("--out FILE", "Write the key in PEM (PKCS#1), as `modexplorer rsa --key` takes it.", OUTPUT)
def command(
    design: str | None,
    form: str,
    nbits: int,
    seed: int | None,
    e: int | None,
    rounds: int | None,
    level: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make an RSA key: on the processor, with the accelerator DESIGN, or one of a special form.

    With a design, a program on the processor draws candidates for p and q, divides them by small
    primes and tests them by Miller and Rabin, as FIPS 186-5 says in A.1.3. The accelerator, of N/2
    bits, makes the powers. The key is checked by Python: if it is wrong, nothing is printed but
    that, and the exit code is 1.

    Without one, near-power: p is a random prime, q the prime next below (2^N - 1) / p, so that
    n = p * q misses 2^N by few times p. All keys are for experiments: they go to stdout, and those
    of a seed are known to whoever knows the seed.
    """
    from sim.errors import UserError

    if design is not None:
        from eval.tasks.rsa_make import KeyMaking

        if name := given("form"):
            raise UserError(f"{name}: is of keys made without a design; leave one of them out")
        _make(KeyMaking(design, nbits, e, rounds, level), seed, out, as_json)
        return
    if name := given(*OF_DESIGN):
        raise UserError(f"{name}: is of keys that the processor makes; give a design as well")
    _of_a_form(form, nbits, seed, as_json)


def _make(asked: "KeyMaking", seed: int | None, out: Path | None, as_json: bool) -> None:
    """Have a key made on the processor, and print it with what that took."""
    from eval.catalog.inputs import check_output
    from eval.cli.progress import Reporter

    if out:
        check_output("--out", out)
    with Reporter(f"key of {asked.nbits} bits by {asked.point}"):
        found = asked.run(seed)
    if out:
        _write(found, out)
    tell(_describe(asked, seed, found), _lines(asked, found, out), as_json)


def _write(found: "MadeKey", out: Path) -> None:
    """Write the key; nobody else may read the file, if it is one."""
    from rsa import PrivateKey

    key = found.key
    if out.is_file() or not out.exists():
        out.touch(0o600)
        out.chmod(0o600)
    out.write_bytes(PrivateKey(key.n, key.e, key.d, key.p, key.q).save_pkcs1())


def _describe(asked: "KeyMaking", seed: int | None, found: "MadeKey") -> dict[str, Any]:
    return {
        "key": {name: getattr(found.key, name) for name in ("n", "e", "d", "p", "q")},
        "design": asked.design,
        "nbits": asked.nbits,
        "level": asked.level,
        "seed": seed,
        "rounds": asked.tests,
        "round_error_bits": 2 * asked.tests,
        "candidate_error_bits": asked.error_bits,
        "counts": vars(found.counts),
        "cycles": found.cycles and vars(found.cycles),
        "cycles_a_round": found.cycles_a_round,
        "share_of_powers": found.share_of_powers,
        "mean": {**vars(asked.mean), "cycles": asked.mean_cycles(found)},
    }


def _lines(asked: "KeyMaking", found: "MadeKey", out: Path | None) -> list[str]:
    from eval.catalog.inputs import shorten

    counts, cycles = found.counts, found.cycles
    lines = [f"{'accelerator':22}{asked.point}"]
    lines += [f"{name:22}{shorten(getattr(found.key, name))}" for name in ("n", "e", "d", "p", "q")]
    counted = [
        ("candidates", counts.drawn, "drawn for p and q"),
        ("too small", counts.below, "below sqrt(2) * 2^(N/2 - 1)"),
        ("too near", counts.near, "to p"),
        ("divided", counts.divided, "by a prime below 256"),
        ("share with e", counts.shared, "a divisor of the candidate less one"),
        ("composite", counts.composite, "by Miller and Rabin"),
        ("rounds", counts.rounds, f"{asked.tests} for a prime, errs by 2^-{asked.error_bits:.0f}"),
        ("powers", counts.powers, "by the accelerator"),
    ]
    if cycles:
        share = f"{100 * (found.share_of_powers or 0):.1f} % of all cycles"
        counted += [
            ("cycles", cycles.total, ""),
            ("in powers", cycles.powers, share),
            ("in rounds", cycles.rounds, f"{found.cycles_a_round:.0f} a round"),
            ("for d", cycles.inverse, ""),
            ("cycles in the mean", round(asked.mean_cycles(found) or 0), _mean(asked)),
        ]
    lines += [f"{name:22}{count:>10}  {note}".rstrip() for name, count, note in counted]
    return lines + ([f"wrote {out}"] if out else [])


def _mean(asked: "KeyMaking") -> str:
    mean = asked.mean
    return f"reckoned: {mean.drawn:.0f} candidates, {mean.rounds:.0f} rounds"


def _of_a_form(form: str, nbits: int, seed: int | None, as_json: bool) -> None:
    """Make a key of a form, and the command that encrypts with it."""
    from eval.cli.progress import Reporter
    from fl.near_power import near_power_key, pseudo_key
    from sim.errors import UserError

    if form not in FORMS:
        raise UserError(f"--form: no form {form!r}; choose from {', '.join(FORMS)}")
    with Reporter(f"{form} key of {nbits} bits"):
        if form == "pseudo":
            if seed is not None:
                raise UserError("--seed: there is one pseudo key a width; leave --seed out")
            try:
                key = pseudo_key(nbits)
            except ValueError as error:
                raise UserError(f"--{error}; choose another width") from None
        else:
            key = near_power_key(nbits, seed)
    numbers = {name: getattr(key, name) for name in ("n", "e", "d", "p", "q")}
    if form == "near-power":
        k = (1 << nbits) - key.n
        numbers |= {"k": k, "k_bits": k.bit_length()}
    command = (
        f"modexplorer simulate {DESIGNS[form]} --nbits {nbits} --level batch",
        f"--base {key.n // 3} --exp {key.e} --mod {key.n}",
    )
    shown = {"form": form, "nbits": nbits, "seed": seed, **numbers, "simulate": " ".join(command)}
    lines = [f"{name.replace('_', ' '):7}{value}" for name, value in numbers.items()]
    tell(shown, [*lines, "", " \\\n    ".join(command)], as_json)
