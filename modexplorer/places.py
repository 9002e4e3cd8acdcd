"""Where our packages are: at the top of a checkout, below this package where it is installed.

A program of its own puts their folder first on the path, so that no file beside it, and no package
of others, is taken for one of them.
"""

import os
import sys
from pathlib import Path

_INSTALLED = Path(__file__).with_name("levels")
PACKAGES = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[1]


def come_first() -> None:
    """Have our packages found first, in this process and in those that it starts."""
    sys.path.insert(0, str(PACKAGES))
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PACKAGES), *filter(None, others)])
