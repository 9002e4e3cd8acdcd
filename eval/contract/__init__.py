"""The contracts that every design must keep: cases for each, and what checks a component by them.

Values are compared with Python's own integers, cycles with the model's formula, request by request.
"""
