"""How a command ends that does not do what it was asked for; sim/errors.py has the others."""

EXIT_INCOMPLETE = 3  # the answer is the best so far, and something open may be better
EXIT_INTERRUPTED = 130  # as a shell says of a command that was interrupted
