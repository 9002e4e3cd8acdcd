"""Sign-off of a finished layout: design rules, density and LVS, from its files alone."""
