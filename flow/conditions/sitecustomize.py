"""Starts each Python of a step without the collector of cycles.

They are short, and what they make lives until they end; looking through it again and again took a
tenth of their time.
"""

import gc

gc.disable()
