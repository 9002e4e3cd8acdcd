"""`modexplorer redc`: Montgomery's reduction of a product, step by step."""

import click

from eval.catalog.inputs import LARGEST_BITS
from eval.cli.options import NUMBER, Number, cli_command, option, tell


@cli_command("redc 1000 --mod 97 --nbits 8")
@click.argument("z", type=NUMBER)
@option("--mod M", "The modulus, odd and below R.", Number(1), required=True)
@option("--nbits N", "R is 2^N.", Number(1, LARGEST_BITS), required=True)
def command(z: int, mod: int, nbits: int, as_json: bool) -> None:
    """Reduce Z, below M * R, to Z / R mod M by Montgomery's reduction with m' = -1/M mod R.

    Shows each step: m', U = Z * m' mod R, t = (Z + U * M) / R, and the result, t less M where
    t >= M. Two other ways must find the same: a bit at a time, and Python's inverse of R.
    """
    from fl.redc import mm_red, reduction
    from sim.errors import RunError, UserError

    try:
        steps = reduction(z, mod, nbits)
    except ValueError as error:
        argument = {"m": "--mod", "z": "Z"}[str(error).split()[0]]
        raise UserError(f"{argument}: {error}") from None
    others = mm_red(z, mod, nbits), z * pow(1 << nbits, -1, mod) % mod
    if others != (steps.result,) * 2:
        raise RunError(
            f"{steps.result}, but a bit at a time {others[0]}, by an inverse {others[1]}"
        )
    answer = {"z": z, "mod": mod, "nbits": nbits} | steps._asdict()
    tell(answer, (f"{name:10}{value}" for name, value in answer.items()), as_json)
