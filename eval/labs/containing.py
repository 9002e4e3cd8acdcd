"""What a submission may not do: limits of the process that runs its code, set before it is loaded.

The kernel limits no processes of root, so root's code runs as a user that nobody else is.
By Landlock, where the kernel has it, it changes no file outside its scratch folder. Attempts are
noted by Python's audit events, so that they can be named, and refused there, too.
"""

import contextlib
import ctypes
import os
import resource
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

MEGABYTE = 1 << 20
MEMORY = 3072 * MEGABYTE
WRITTEN = MEGABYTE  # by a file, and by all that is printed
PROCESSES = 64  # and threads, beyond those that the user has
FILES = 128

KEEP_CAPABILITIES, NO_NEW_PRIVILEGES = 8, 38  # PR_SET_... of <sys/prctl.h>
CAPABILITIES = 0x20080522  # version 3 of <linux/capability.h>
TO_READ = (1 << 2, 1 << 1, 0)  # CAP_DAC_READ_SEARCH; CAP_DAC_OVERRIDE, all that containers have
UNUSED_USERS = 1 << 30, 28  # the first of them, and how many bits choose one
CREATE, ADD, RESTRICT = 444, 445, 446  # system calls of Landlock, on every machine
VERSION, BENEATH = 1, 1  # LANDLOCK_CREATE_RULESET_VERSION, LANDLOCK_RULE_PATH_BENEATH
WRITE_FILE = 1 << 1
# WRITE_FILE, then REMOVE_DIR to MAKE_SYM; later versions add REFER and TRUNCATE.
WRITES = WRITE_FILE | sum(1 << bit for bit in range(4, 13))
ADDED = ((2, 1 << 13), (3, 1 << 14))

STARTS, DELETES, WRITES_OUTSIDE = "starts a process", "deletes files", "writes outside its folder"
CONNECTS, KILLS = "opens a connection", "ends processes"
EVENTS = {
    **dict.fromkeys(
        ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system"), STARTS
    ),
    **dict.fromkeys(("subprocess.Popen", "pty.spawn"), STARTS),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto"), CONNECTS),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), KILLS),
    **dict.fromkeys(("os.remove", "os.rmdir", "shutil.rmtree", "os.truncate"), DELETES),
    **dict.fromkeys(("os.rename", "shutil.move"), DELETES),
    **dict.fromkeys(("os.chmod", "os.chown", "os.utime", "os.link", "os.symlink"), WRITES_OUTSIDE),
}
OF_PATHS = (DELETES, WRITES_OUTSIDE)


def leave_root(folder: Path) -> None:
    """If this process is root's, become a user without rights but to read; a folder becomes its.
    Where the system does not let us, nothing changes."""
    if os.geteuid():
        return
    first, bits = UNUSED_USERS
    user, libc = first + secrets.randbits(bits), ctypes.CDLL(None)
    with contextlib.suppress(OSError):  # where root is that of a namespace, there is no other user
        for place in (folder, *folder.rglob("*")):
            os.chown(place, user, user, follow_symlinks=False)
        libc.prctl(KEEP_CAPABILITIES, 1, 0, 0, 0)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    for rights in TO_READ:
        sets = (ctypes.c_uint32 * 6)(rights, rights)  # effective, permitted
        if not libc.capset((ctypes.c_uint32 * 2)(CAPABILITIES, 0), sets):
            break
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def set_limits(seconds: int) -> None:
    """Limit this process and all that it starts: time, memory, files, processes."""
    limits = {
        resource.RLIMIT_CPU: seconds + 1,
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_FSIZE: WRITTEN,
        resource.RLIMIT_NPROC: _threads_of_user() + PROCESSES,
        resource.RLIMIT_NOFILE: FILES,
        resource.RLIMIT_CORE: 0,
    }
    for which, most in limits.items():
        _, hard = resource.getrlimit(which)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (least, least))


def are_processes_limited() -> bool:
    """Say whether the kernel refuses a process beyond the limit."""
    before = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, before[1]))
    try:
        if child := os.fork():
            os.waitpid(child, 0)
            return False
        os._exit(0)
    except BlockingIOError:
        return True
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, before)


def _threads_of_user() -> int:
    """Count the threads that the limit of processes counts, too."""
    found = 0
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if place.stat().st_uid == os.getuid():
                found += len(os.listdir(place / "task"))
    return found


def landlock_version() -> int:
    """Return which version of Landlock the kernel has, 0 or less if it has none."""
    size, flags = ctypes.c_size_t(0), ctypes.c_uint32(VERSION)
    return int(ctypes.CDLL(None).syscall(CREATE, None, size, flags))


def keep_to(folder: Path) -> bool:
    """Let this process, and all that it starts, change no files but those in a folder; return
    whether the kernel sees to it."""
    libc, version = ctypes.CDLL(None), landlock_version()
    if version < 1:
        return False
    handled = WRITES | sum(bits for since, bits in ADDED if version >= since)
    attributes = ctypes.c_uint64(handled)
    rules = libc.syscall(CREATE, ctypes.byref(attributes), ctypes.c_size_t(8), ctypes.c_uint32(0))
    if rules < 0:
        return False
    for place, allowed in ((folder, handled), (Path("/dev/null"), WRITE_FILE)):
        beneath = os.open(place, os.O_PATH | os.O_CLOEXEC)
        rule = _Beneath(allowed, beneath)
        if libc.syscall(ADD, rules, BENEATH, ctypes.byref(rule), ctypes.c_uint32(0)):
            return False
        os.close(beneath)
    done = not libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    done = done and not libc.syscall(RESTRICT, rules, ctypes.c_uint32(0))
    os.close(rules)
    return done


class _Beneath(ctypes.Structure):
    """struct landlock_path_beneath_attr"""

    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]  # noqa: RUF012


def watch(folder: Path, notice: Callable[[str], None]) -> None:
    """Refuse and notice what a submission has no reason to do, from now on."""
    inside = os.path.realpath(folder)

    def outside(place: object) -> bool:
        if not isinstance(place, str | bytes | os.PathLike):
            return False
        path = os.path.realpath(os.fsdecode(place))
        return path != inside and not path.startswith(inside + os.sep)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        what = EVENTS.get(event)
        if event == "open":
            path, mode, flags = arguments
            writes = set(mode or "") & set("wax+") or (flags or 0) & (os.O_WRONLY | os.O_RDWR)
            if writes and path != os.devnull and outside(path):
                what = WRITES_OUTSIDE
        elif what in OF_PATHS and not any(map(outside, arguments)):
            return
        if what:
            notice(what)
            raise PermissionError(f"a submission that {what} is stopped")

    sys.addaudithook(hook)
