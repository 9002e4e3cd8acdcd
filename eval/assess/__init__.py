"""Leakage by the procedure of ISO/IEC 17825: two runs of a t-test, and what they can see."""
