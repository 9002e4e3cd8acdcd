"""What a student begins with: an attack on a trace, and what closes the leak, with gaps."""
