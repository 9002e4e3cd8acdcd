"""Measurements: run by hand, printed as tables."""
