"""The two ways to fail that a caller meets."""


class UserError(Exception):
    """Reports bad input: names the argument, what is wrong with it and what to do."""


class RunError(Exception):
    """Reports a failed simulation, tool or flow step: names it and shows what it said."""
