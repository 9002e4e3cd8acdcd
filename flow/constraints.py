"""What is around a design: what drives its inputs, and what its outputs drive."""

DRIVING_CELL = "INV_X2"  # from the clock edge on
LOAD_FF = 7.0
