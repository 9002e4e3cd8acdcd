"""Requests to stop are the main thread's.

The system gives a request to any thread that does not block it. Where that is not the main one,
Python only notes the request; a main thread that has just begun to wait for a program then waits
on, as nothing interrupts it.
"""

import signal
import threading

REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def start_without_requests(thread: threading.Thread) -> None:
    """Start a thread that no request to stop interrupts; what it starts is deaf to them, too."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, REQUESTS)
    try:
        thread.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
