"""What a declaration calls a signal that keeps its value from one cycle to the next."""

from pymtl3 import Wire


class Register(Wire):
    """Is written by one update_ff block and by nothing else, where a plain Wire is not written by
    any; tests/rtl/test_registers.py looks at all hardware."""
