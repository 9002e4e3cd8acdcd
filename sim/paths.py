"""Where everything that is built or measured goes."""

import os
from pathlib import Path


def build_dir(*parts: str) -> Path:
    """Return the folder build/<parts>, created; MODEXPLORER_BUILD moves the root elsewhere."""
    folder = Path(os.environ.get("MODEXPLORER_BUILD", "build")).absolute().joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
