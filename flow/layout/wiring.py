"""Load what is compiled of the search for ways of wires, and say how it takes what it is told."""

import ctypes
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

from sim.build_cache import kept
from sim.paths import build_dir
from sim.toolchain import compiler, run_tool

SOURCE = Path(__file__).with_suffix(".cpp")
FLAGS = ("-std=c++17", "-O2", "-fPIC", "-shared")
_i64, _pointer = ctypes.c_int64, ctypes.c_void_p


# The following structures mirror those of wiring.cpp.


class Metals(ctypes.Structure):
    """The wires' metals, and the vias below them; and the arrays that hold what is pointed to."""

    keep: dict[str, np.ndarray]

    _fields_ = [
        ("count", _i64),
        *((n, _pointer) for n in ("layer", "flat", "pitch", "half_width")),
        *((n, _pointer) for n in ("via_start", "via_shape")),
        *((n, _i64) for n in ("via", "conflict", "heat", "crossing", "dearer")),
    ]


class Places(ctypes.Structure):
    """The places that a net may go by."""

    _fields_ = [
        *((n, _i64) for n in ("net", "pushing", "most", "width", "height")),
        *((n, _pointer) for n in ("xs", "ys")),
        *((n, _i64) for n in ("dear", "dear_left", "dear_bottom", "dear_right", "dear_top")),
    ]


def column(values: Iterable[int]) -> np.ndarray:
    """Make an array of numbers, as the compiled code takes them."""
    return np.array([*values], np.int64)


def rows(values: Iterable[Iterable[int]], width: int) -> np.ndarray:
    """Make an array of rows of numbers."""
    return np.array([*values], np.int64).reshape(-1, width)


def address(array: np.ndarray) -> ctypes.c_void_p:
    """Tell where the compiled code finds an array; it must be kept as long as that uses it."""
    return ctypes.c_void_p(array.ctypes.data)


def layer_numbers(spacing: Iterable[str]) -> dict[str, int]:
    """Number the layers that have a spacing."""
    return {layer: number for number, layer in enumerate(spacing)}


@cache
def library() -> ctypes.CDLL:
    """Compile the search, once for its source and the compiler, and load it."""
    tool = compiler()
    key = hashlib.sha256("\0".join([SOURCE.read_text(), tool.version, *FLAGS]).encode())

    def compiled(work: Path) -> Path:
        made = work / "wiring.so"
        run_tool([tool.path, *FLAGS, SOURCE, "-o", made])
        return made

    target = build_dir("layout") / f"wiring-{key.hexdigest()[:16]}.so"
    loaded = ctypes.CDLL(str(kept(target, compiled)))
    loaded.index_new.restype = _pointer
    for name in ("index_hits", "index_near", "maze_via_cost", "maze_steps", "maze_search"):
        getattr(loaded, name).restype = _i64
    return loaded
