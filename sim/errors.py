"""The ways to fail that a person meets: bad input (exit code 2), a failed run (1), and an answer
that is not complete (3)."""


class UserError(Exception):
    """Reports bad input: names the argument, what is wrong with it and what to do."""


class ArgumentError(UserError, ValueError):
    """Reports bad input where it is made into something, to callers from Python as a ValueError."""


class RunError(Exception):
    """Reports a failed simulation, tool or flow step: names it and shows what it said."""


class Incomplete(Exception):
    """Reports that a command stopped early: what it printed is the best so far. Says what is open
    and how to go on."""
