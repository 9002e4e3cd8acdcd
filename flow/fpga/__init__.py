"""Map a design to an FPGA, and place and route it there."""
