"""Finds the design that a need asks for: limits, what is to be least, and a space to search.

A ladder of figures, each dearer than the one before: cycles by formula, estimates with their doubt,
netlists composed of modules, the flow, its energies. What cannot win by one is not asked for the
next.
"""
