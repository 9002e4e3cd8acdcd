"""A mapped netlist: its cells from the Liberty file, its timing, simulation and power."""
