"""The accelerator's registers as the FL processor calls them."""

from typing import Protocol


class XcelPort(Protocol):
    """An accelerator: 32 registers of 32 bits."""

    def read(self, register: int) -> int:
        """The value of a register; waits until there is one."""
        ...

    def write(self, register: int, value: int) -> None:
        """Write a register."""
        ...


class NullXcel:
    """No accelerator: xr0 keeps what is written, the other registers read 0."""

    def __init__(self) -> None:
        self.value = 0

    def read(self, register: int) -> int:
        """xr0, or 0."""
        return self.value if register == 0 else 0

    def write(self, register: int, value: int) -> None:
        """Keep xr0, ignore the others."""
        if register == 0:
            self.value = value
