"""The accelerator's registers as the FL processor calls them."""

from typing import Protocol


class XcelPort(Protocol):
    """Stands for an accelerator: 32 registers of 32 bits."""

    def read(self, register: int) -> int:
        """Return the value of a register; wait until there is one."""
        ...

    def write(self, register: int, value: int) -> None:
        """Write a register."""
        ...


class NullXcel:
    """Stands for no accelerator: xr0 keeps what is written, the other registers read 0."""

    def __init__(self) -> None:
        self.value = 0

    def read(self, register: int) -> int:
        """Return xr0, or 0."""
        return self.value if register == 0 else 0

    def write(self, register: int, value: int) -> None:
        """Keep xr0, ignore the others."""
        if register == 0:
            self.value = value
