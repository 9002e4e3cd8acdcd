"""Where the checkout is, for the tests of every folder."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
