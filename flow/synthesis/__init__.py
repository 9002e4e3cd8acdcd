"""Map a design to the kit's cells by several recipes, and choose among the netlists."""
