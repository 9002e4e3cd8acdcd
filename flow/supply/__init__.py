"""What a netlist's slowest path does at supplies that no library has tables for, by ngspice."""
