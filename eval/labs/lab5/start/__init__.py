"""What a student begins with: points of designs, and functions with gaps that choose among them."""
