"""The process in which modexplorer/calls.py has a function called: its name and arguments come in
by stdin, the answer goes to the descriptor that is named."""

import atexit
import os
import pickle
import sys

from modexplorer.places import come_first

come_first()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as eval/start.py says


def main() -> None:
    """Answer with the name of the failure, if there is one, and what is returned or said."""
    from eval.descendants import end_descendants

    atexit.register(end_descendants)
    try:
        from eval import frames
        from sim.errors import RunError, UserError

        name, arguments = pickle.load(sys.stdin.buffer)
        try:
            answer = "", getattr(frames, name)(**arguments)
        except (UserError, RunError) as error:
            kind = UserError if isinstance(error, UserError) else RunError
            answer = kind.__name__, str(error)
        with open(int(sys.argv[1]), "wb") as stream:
            pickle.dump(answer, stream)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
