"""The console script `modexplorer`: what holds from its first moment to its last.

A request to stop, whether from the keyboard, from a terminal that is closed or by SIGTERM, may come
while the command line is imported, which takes 60 ms; it ends all that was started, too.
"""

import _signal  # built in: the first import that takes time comes after what it is for
import os
import sys

from eval.exit_codes import EXIT_INTERRUPTED

# A second thread of NumPy's would take requests to stop, see eval/signals.py. With one, what it
# computes is also the same on any number of cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SAID = "modexplorer: note: interrupted\n"
BE_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of <sys/prctl.h>


def _leave(number: int, frame: object) -> None:
    """End at once: nothing is begun, and what an import were to raise would be a traceback."""
    os.write(2, SAID.encode())
    os._exit(EXIT_INTERRUPTED)


def _on_interrupt(before: object, after: object) -> None:
    """Have an interrupt do something else, unless it is ignored."""
    if _signal.getsignal(_signal.SIGINT) is before:
        _signal.signal(_signal.SIGINT, after)


# Only the script and who runs it import this module.
_on_interrupt(_signal.default_int_handler, _leave)

import atexit  # noqa: E402
import ctypes  # noqa: E402
import locale  # noqa: E402
import signal  # noqa: E402

from eval.descendants import end_descendants  # noqa: E402
from sim.garbage import collect_less  # noqa: E402


def _read_and_write_utf8() -> None:
    """Start again in Python's UTF-8 mode where the locale has another encoding, which would be that
    of every file; a terminal keeps its own."""
    if sys.flags.utf8_mode or locale.getencoding().lower() in ("utf-8", "utf8"):
        return
    out = sys.stdout.encoding if sys.stdout else "utf-8"
    os.environ.setdefault("PYTHONIOENCODING", f"{out}:backslashreplace")
    os.environ["PYTHONUTF8"] = "1"
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def main() -> None:
    """Run the command line; of what it started, nothing goes on after it."""
    _read_and_write_utf8()
    atexit.register(end_descendants)  # the first is called last
    collect_less()
    # Children whose parent has died become ours: compilers, whose driver is killed.
    ctypes.CDLL(None).prctl(BE_SUBREAPER, 1, 0, 0, 0)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="backslashreplace")  # a terminal may lack a character
    try:
        from eval.cli import cli

        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:  # and not ignored, as under nohup
                signal.signal(number, signal.default_int_handler)
        _on_interrupt(_leave, _signal.default_int_handler)
        cli.main(prog_name="modexplorer")
    except KeyboardInterrupt:
        print(SAID, end="", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
