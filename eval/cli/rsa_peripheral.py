"""What `modexplorer rsa --unit peripheral` tells: the cycles of the driver's calls."""

import click

from eval.cli.options import print_json
from eval.cli.progress import Reporter
from eval.tasks.rsa_peripheral import PeripheralSession, Session
from fl.rsa_keys import RsaKey
from sim.errors import UserError


def show_peripheral(key: RsaKey, design: str | None, wait: str, level: str, as_json: bool) -> None:
    """Run every operation with a key, and print what it took."""
    if design is None:
        raise UserError("design: there is no peripheral without one; give a design")
    asked = PeripheralSession(key, design, wait, level)
    with Reporter(f"the peripheral with a key of {key.nbits} bits"):
        session = asked.run()
    if as_json:
        print_json(_describe(asked, session))
    else:
        _print(asked, session)


def _describe(asked: PeripheralSession, session: Session) -> dict:
    return {
        "key": {name: getattr(asked.key, name) for name in ("name", "n", "e", "d", "p", "q")},
        "design": asked.design,
        "nbits": asked.point.nbits,
        "unit": "peripheral",
        "wait": asked.wait,
        "level": asked.level,
        "by_parts": asked.parts is not None,
        "message": asked.message.hex(),
        "signed": asked.info.hex(),
        "load_key": session.loading,
        "operations": [vars(one) for one in session.operations],
    }


def _print(asked: PeripheralSession, session: Session) -> None:
    click.echo(f"{'key':22}{asked.key.name}, {asked.key.nbits} bits")
    click.echo(f"{'peripheral':22}{asked.point}, waits by {asked.wait}")
    if asked.parts is not None:
        click.echo(f"{'private operations':22}by p and q, checked by e")
    if session.loading is not None:
        click.echo(f"{'load key':22}{session.loading:>10}")
    for one in session.operations:
        cycles = "" if one.cycles is None else f"{one.cycles:>10}  "
        click.echo(f"{one.operation:22}{cycles}{one.taken} to {one.given} bytes")
