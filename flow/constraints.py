"""What is around a design: a cell that drives its inputs, and a load on its outputs."""

DRIVING_CELL = "INV_X2"  # from the clock edge on
LOAD_FF = 7.0
