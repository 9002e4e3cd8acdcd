"""Options that are given twice: lists add up, other values are refused."""

import click
import pytest

from eval.cli import HELP, cli
from eval.cli.options import Listed
from sim.errors import UserError
from tests.command_line import assert_refused, run_json

pytestmark = pytest.mark.quick


def options_of(name: str) -> list[click.Option]:
    """The options of a command that take a value."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]


@pytest.mark.parametrize("name", HELP)
def test_an_option_of_one_value_is_refused_twice_and_lists_add_up(name):
    command = cli.get_command(click.Context(cli), name)
    for one in options_of(name):
        if one.multiple:
            continue
        assert not isinstance(one.type, Listed)
        twice = [one.opts[0], "1", one.opts[0], "2"]
        with pytest.raises(UserError, match=f"^{one.opts[0]}: given 2 times; give it once"):
            command.parse_args(click.Context(command), twice)


def test_widths_add_up_and_clocks_do_not():
    asked = "check ssmm-small --level fl --part multiplier"
    rows = run_json(f"{asked} --nbits 8 --nbits 9,8 --nbits 10")["rows"]
    assert [row["nbits"] for row in rows] == [8, 9, 10]
    assert_refused("flow ssmm-small --nbits 8 --nbits 9", "--nbits: given 2 times; give it once")
