"""What a declaration calls a signal that keeps its value from one cycle to the next."""

from pymtl3 import Wire

Register = Wire  # written by an update_ff block, where a plain Wire is written by an update block
