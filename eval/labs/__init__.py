"""A course in the box: labs with a page, a starting folder and checks that grade.

A lab is a folder beside this file, `lab*` or `project`, whose `__init__.py` has LAB. No list names
it.
"""
