"""The console script `modexplorer`."""

from modexplorer.places import come_first

come_first()

from eval.start import main  # noqa: E402

__all__ = ["main"]
