"""`modexplorer keygen`: RSA keys whose moduli are easy to reduce by."""

from eval.cli.options import NUMBER, Number, cli_command, option, tell

FORMS = ("near-power", "pseudo")
DESIGNS = {"near-power": "near-power-16", "pseudo": "scaled-high-16"}


@cli_command("keygen --form near-power --nbits 64 --seed 7", "keygen --form pseudo --nbits 34")
@option(
    "--form FORM",
    "near-power (n = 2^N - k, k of about half the bits) or pseudo (document 000's "
    "n = (2^N - 1) / 3, no secret: there is one key per width).",
    default="near-power",
)
@option("--nbits N", "Width of the design in bits.", Number(16, 4096), required=True)
@option("--seed S", "Make the same key for the same seed.", NUMBER)
def command(form: str, nbits: int, seed: int | None, as_json: bool) -> None:
    """Make an RSA key and the command that encrypts with it.

    Near-power: p is a random prime, q the prime next below (2^N - 1) / p, so that n = p * q
    misses 2^N by few times p. The keys are for experiments: they go to stdout, and those of a
    seed are known to whoever knows the seed.
    """
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
