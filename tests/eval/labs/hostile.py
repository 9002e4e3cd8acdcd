"""What submissions do that they should not: appended to right hardware, and how it is named."""

# By its name: the code, in which {victim} is a folder elsewhere, and what is said of it.
HOSTILE = {
    "floods": ("while True:\n    print('x' * 9999)\n", "floods its output"),
    "forks": ("import os\nwhile True:\n    os.fork()\n", "starts a process"),
    "hoards": ("x = [0] * 10**10\n", "takes more memory than it may"),
    "deletes": (
        "import shutil\nshutil.rmtree({victim!r}, ignore_errors=True)\n",
        "deletes files",
    ),
    "fills": (
        "import itertools\nfor i in itertools.count():\n"
        "    open(f'file{{i}}', 'w').write('x' * 10**6)\n",
        "fills the disk",
    ),
    "connects": (
        "import socket\nsocket.create_connection(('127.0.0.1', 9), 5)\n",
        "opens a connection",
    ),
    "ends others": ("import os\nos.kill(os.getppid(), 9)\n", "ends processes"),
    "behind": (  # by system calls that Python's audit does not see
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "libc.unlink(b{victim!r} + b'/file')\n"
        "while True:\n    libc.fork()\n",
        "starts processes",
    ),
}
