"""Fault campaigns: what an attacker gains who flips a bit of a register once."""
