"""How a command ends that does not do what it was asked for; sim/errors.py has the other two."""

EXIT_INTERRUPTED = 130  # as a shell says of a command that was interrupted
