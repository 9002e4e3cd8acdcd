"""Cores that others have written: their Verilog as a component, and adapters that drive them."""
