"""Prove a netlist equal to the RTL that it was made of."""
