"""Attacks that find the exponent of an accelerator by its power, and the noise that hides it."""
