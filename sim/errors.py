"""The two ways to fail that a person meets: bad input (exit code 2) and a failed run (1)."""


class UserError(Exception):
    """Bad input: the message names the argument, what is wrong with it and what to do."""


class RunError(Exception):
    """A simulation, tool or flow step failed: the message names it and shows what it said."""
