"""Designs whose hardware others have written, in Verilog, SystemVerilog or VHDL."""
