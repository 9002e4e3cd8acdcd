"""What a worker of a cluster does: it measures a task in a process of its own, which ends with it.

A task's tools change signals, folders and the environment, and a worker has threads; and what a
worker has started must not go on when it is killed. So the process, `python -m eval.study.worker`,
reads a task from a pipe, writes what became of it, and ends when the pipe is closed.
"""

import os
import pickle
import select
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from eval.catalog.user_designs import blamed, unpack
from eval.study.stopping import end_group
from eval.tasks.store import Key, Store, Values
from eval.tasks.task import Task, measure
from sim.errors import RunError, UserError
from sim.garbage import collect_less
from sim.paths import build_dir

LENGTH = 8  # bytes that say how long a message is
POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Found:
    """A row that a worker has in its store, and how it was made."""

    key: Key
    values: Values
    made: Values | None


Texts = tuple[dict[str, str], ...]  # designs that somebody has brought


def in_process(task: Task | None, brought: Texts = ()) -> Found | dict[str, str] | RunError:
    """Have a task measured, or without one the tools named, in a process that ends with this, or
    when nobody wants the answer any more."""
    from distributed import get_worker

    worker = get_worker()
    asked = worker.state.tasks[worker.get_current_task()]
    while True:
        answer = _answer(task, brought, lambda: asked.state == "executing")
        if answer or asked.state != "executing":
            return answer or RunError("taken back")


def _answer(
    task: Task | None, brought: Texts, wanted: Callable[[], bool]
) -> Found | dict[str, str] | RunError | None:
    """Ask a process while the answer is wanted; None if it is so no longer."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "eval.study.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdin, "no pipe"
    assert process.stdout, "no pipe"
    with process:  # which closes the pipes, and waits
        send(process.stdin, task, brought)
        while not select.select([process.stdout], [], [], POLL_SECONDS)[0]:
            if not wanted():
                return None
        said = process.stdout.read()
    if not said:
        return RunError(f"the process that measured it ended with exit code {process.returncode}")
    return pickle.loads(said)


def send(pipe: IO[bytes], task: Task | None, brought: Texts) -> None:
    """Write a task and the designs that are brought, and leave the pipe open."""
    message = pickle.dumps((brought, pickle.dumps(task)))
    pipe.write(len(message).to_bytes(LENGTH) + message)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Task | None:
    """Read a task, once the designs are there that it may be of."""
    brought, task = pickle.loads(pipe.read(int.from_bytes(pipe.read(LENGTH))))
    if brought:
        unpack(brought, build_dir("brought"))
    return pickle.loads(task)


def attempt(task: Task | None) -> Found | dict[str, str] | RunError:
    """Measure, and say why that did not go."""
    try:
        if task is None:
            return tools()
        measure(task)
        with Store() as store:
            if (values := store.get(task.key)) is None:
                return RunError(f"the store has lost the row of {task}")
            return Found(task.key, values, store.made(task.key))
    except (RunError, UserError) as error:
        return RunError(str(error))
    except Exception as error:  # a design under way may fail in any way: the others go on
        return RunError(blamed(error) or f"{type(error).__name__}: {error}")


def tools() -> dict[str, str]:
    """Name all that decides results, but for designs."""
    from eval.tasks import versions

    return {
        "python": ".".join(map(str, sys.version_info[:2])),
        "code": versions.all_code(),
        **versions.processor_tools(),
        **versions.energy_tools(),
        **versions.flow_tools(),
    }


def end_with(pipe: IO[bytes]) -> None:
    """End this process and what it has started once nobody holds the pipe's other end."""
    pipe.read()
    end_group()


def main() -> None:
    """Measure the task that comes, in a process group of its own."""
    os.setpgid(0, 0)
    os.environ["MODEXPLORER_JOBS"] = "1"  # the flow's own; other cores have other tasks
    collect_less()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what else is printed is no answer
    task = receive(sys.stdin.buffer)
    threading.Thread(target=end_with, args=[sys.stdin.buffer], daemon=True).start()
    answers.write(pickle.dumps(attempt(task)))
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    from eval.study import worker  # what is pickled is of this name

    worker.main()
