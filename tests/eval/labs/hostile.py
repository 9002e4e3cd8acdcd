"""What submissions do that they should not: to lab 5, right or not begun.

Each has the code that is appended to front.py, in which {victim} is a folder elsewhere, and
{other} another submission; what changes its folder; and the most that it may earn: 0 where its own
code ends the check, RIGHT where that is right, and BEGUN where it is not.
"""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RIGHT, BEGUN = 22, 0  # points of the code of lab 5


@dataclass(frozen=True)
class Hostile:
    """Describes a hostile submission. seen: what is said of it; clock: whether it ends by the
    clock alone; begun: whether its own code is not written."""

    code: str = ""
    seen: str = ""
    most: int = 0
    change: Callable[[Path], object] | None = None
    begun: bool = False
    clock: bool = False
    folder: bytes = b""


def _forging(lines: str) -> Hostile:
    return Hostile(lines, most=BEGUN, begun=True)


def _name(text: str) -> Callable[[Path], object]:
    def change(place: Path) -> None:
        file = place / "answers.toml"
        lines = [line for line in file.read_text().splitlines() if not line.startswith("name =")]
        file.write_text("\n".join([f"name = {text}", *lines]))

    return change


def _deep(place: Path) -> None:
    """Make 3000 folders inside each other."""
    here = os.open(place, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        inside = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inside
    os.close(here)


def _socket(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        before = Path.cwd()
        os.chdir(place)
        made.bind("s")
        os.chdir(before)


def _sparse(place: Path) -> None:
    with (place / "huge").open("wb") as file:
        file.truncate(1 << 40)


def _many(place: Path) -> None:
    for number in range(400):
        (place / f"folder{number}").mkdir()


PIPE = "import os\nfor fd in range(3, 20):\n    try:\n        os.write(fd, {text!r})\n"
PIPE += "    except OSError:\n        pass\n"
LIBC = "import ctypes\nlibc = ctypes.CDLL(None)\n"
EQUAL = """
class Equal(str):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
def front(points): return Equal()
smallest = front
def smallest(points, limit): return Equal()
def uncertain(points, a, b): return Equal()
"""
PATCHED = """
import eval.labs.functions, eval.labs.stages, eval.labs.lab, eval.labs.front_code
eval.labs.functions.called = lambda *a: "right"
eval.labs.front_code.called = lambda *a: "right"
eval.labs.stages.in_turn = lambda items, said: [eval.labs.lab.Mark(i, p, p) for i, p in items]
eval.labs.front_code._compare = lambda *a: None
"""


def _marks(text: bytes) -> str:
    return PIPE.format(text=text)


HOSTILE: dict[str, Hostile] = {
    # Time.
    "hangs": Hostile("while True:\n    pass\n", "hangs"),
    "sleeps": Hostile("import time\ntime.sleep(10**6)\n", "hangs", clock=True),
    "stops itself": Hostile(f"{LIBC}libc.kill(libc.getpid(), 19)\n", "hangs", clock=True),
    "stops all": Hostile(f"{LIBC}libc.kill(-1, 19)\nwhile True: pass\n", "hangs", clock=True),
    "recurses": Hostile("def f(): f()\nf()\n"),
    "answers late": Hostile("def front(points):\n    while True: pass\n", "hangs", most=4),
    # Memory, output, files, processes.
    "hoards": Hostile("x = [0] * 10**10\n", "takes more memory than it may"),
    "floods": Hostile("while True:\n    print('x' * 9999)\n", "floods its output"),
    "floods the pipe": Hostile(
        "import os\nwhile True:\n    for fd in range(3, 20):\n        try:\n"
        "            os.write(fd, b'x' * 9999)\n        except OSError:\n            pass\n",
        "floods its output",
    ),
    "fills": Hostile(
        "import itertools\nfor i in itertools.count():\n"
        "    open(f'file{i}', 'w').write('x' * 10**6)\n",
        "fills the disk",
    ),
    "makes folders": Hostile(
        f"{LIBC}import itertools\nfor i in itertools.count():\n"
        "    if libc.mkdir(b'd%d' % i, 0o755): break\n1 / 0\n",
        "fills the disk",
    ),
    "makes deep folders": Hostile(
        "import os\nfor i in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\n", most=RIGHT
    ),
    "hides folders": Hostile(
        f"{LIBC}import itertools\nlibc.mkdir(b'h', 0o755)\nlibc.chmod(b'h', 0o300)\n"
        "for i in itertools.count():\n    if libc.mkdir(b'h/%d' % i, 0o755): break\n1 / 0\n",
        "fills the disk",
    ),
    "forks": Hostile("import os\nwhile True:\n    os.fork()\n", "starts a process"),
    "forks by system calls": Hostile(f"{LIBC}while True:\n    libc.fork()\n", "starts processes"),
    "threads": Hostile(
        "import threading\n"
        "for _ in range(20):\n"
        "    threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\n",
        most=RIGHT,
    ),
    # Others and the system.
    "deletes": Hostile("import shutil\nshutil.rmtree({victim!r}, ignore_errors=True)\n", "deletes"),
    "deletes by system calls": Hostile(
        f"{LIBC}libc.unlink(b{{victim!r}} + b'/file')\n", most=RIGHT
    ),
    "deletes others": Hostile("import shutil\nshutil.rmtree({other!r})\n", "deletes files"),
    "writes to others": Hostile("open({other!r} + '/front.py', 'w')\n", "writes outside"),
    "writes to others by system calls": Hostile(
        f"{LIBC}fd = libc.open(b{{other!r}} + b'/front.py', 513)\nlibc.write(fd, b'x', 1)\n",
        most=RIGHT,
    ),
    "connects": Hostile(
        "import socket\nsocket.create_connection(('127.0.0.1', 9), 5)\n", "opens a connection"
    ),
    "connects to a path": Hostile(
        f"{LIBC}import struct\ns = libc.socket(1, 1, 0)\n"
        "path = struct.pack('H', 1) + {victim!r}.encode() + b'/socket\\0'\n"
        "libc.connect(s, path, len(path))\nlibc.write(s, b'x', 1)\n",
        most=RIGHT,
    ),
    "kills its parent": Hostile("import os\nos.kill(os.getppid(), 9)\n", "ends processes"),
    "kills by system calls": Hostile(
        f"{LIBC}libc.kill(libc.getppid(), 9)\nlibc.kill(-1, 9)\n", most=RIGHT
    ),
    "makes namespaces": Hostile(
        f"{LIBC}assert libc.unshare(0x10000000) and libc.mount(b'x', b'/tmp', b'tmpfs', 0, 0)\n",
        most=RIGHT,
    ),
    "becomes root": Hostile(f"{LIBC}libc.setuid(0)\nlibc.chroot(b'/')\n", most=RIGHT),
    "ends": Hostile("raise SystemExit(0)\n"),
    "ends at once": Hostile("import os\nos._exit(0)\n", "ended by itself, with code 0"),
    "crashes": Hostile("import ctypes\nctypes.string_at(0)\n", "ended by itself"),
    "at exit": Hostile(
        f"import atexit\n@atexit.register\ndef last():\n    {LIBC.splitlines()[0]}\n    1 / 0\n",
        most=RIGHT,
    ),
    # Marks.
    "marks that are numbers": _forging(_marks(b'{"marks":7}\n')),
    "notices that are numbers": _forging(_marks(b'{"noticed":3}\n')),
    "forges marks": _forging(
        _marks(b'{"marks":[{"item":"fronts","points":300,"got":300,"said":""}],"name":"eve"}\n')
    ),
    "forges answers": _forging(_marks(b'{"value":"right"}\n' * 50)),
    "forges nested answers": _forging(_marks(b"[" * 9999 + b'\n{"value":' + b"[" * 9999 + b"\n")),
    "forges bytes": _forging(_marks(b"\xff\xfe\x00\n")),
    "is equal to all": _forging(EQUAL),
    "patches the harness": _forging(PATCHED),
    "replaces modules": _forging(
        "import sys, json\njson.dumps = lambda told: '{\"value\": []}'\nsys.meta_path.clear()\n"
    ),
    "answers too long": _forging("def front(points): return 10**5000\n"),
    "answers too deep": _forging(
        "def front(points):\n    x = []\n    for _ in range(99999): x = [x]\n    return x\n"
    ),
    # What is shown.
    "escapes": Hostile("raise ValueError('\\x1b]0;owned\\x07\\x1b[2J\\u202e')\n"),
    "name with escapes": Hostile(most=RIGHT, change=_name(r'"\u001b[2Jeve"')),
    "name of a formula": Hostile(most=RIGHT, change=_name("'=HYPERLINK(0)'")),
    "name that is none": Hostile(most=RIGHT, change=_name("7")),
    "name nested": Hostile(most=RIGHT, change=_name("[" * 9999)),
    "folder with escapes": Hostile(most=RIGHT, folder=b"x\n\x1b[2Jy"),
    "folder of a formula": Hostile(most=RIGHT, folder=b"=1+1"),
    "folder that is no UTF-8": Hostile(most=RIGHT, folder=b"x\xff\xfe"),
    # What is handed in.
    "link": Hostile("", "plain file", change=lambda p: (p / "l").symlink_to("/etc/passwd")),
    "pipe": Hostile("", "plain file", change=lambda p: os.mkfifo(p / "f")),
    "socket": Hostile("", "plain file", change=_socket),
    "huge": Hostile("", "more than 8 MB", change=_sparse),
    "many folders": Hostile("", "300 files", change=_many),
    "deep folders": Hostile("", "20 deep", change=_deep),
    "answers that are a pipe": Hostile(
        "",
        "plain file",
        change=lambda p: ((p / "answers.toml").unlink(), os.mkfifo(p / "answers.toml")),
    ),
}
# A representative of each kind, for the default tests.
FEW = (
    *("hangs", "makes folders", "forks by system calls", "connects to a path"),
    *("kills by system calls", "marks that are numbers", "forges marks", "is equal to all"),
    *("escapes", "folder that is no UTF-8", "name of a formula", "deep folders"),
)
