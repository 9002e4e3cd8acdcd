"""Time and simulate a mapped netlist, and tell its power, from the Liberty file of its cells."""
