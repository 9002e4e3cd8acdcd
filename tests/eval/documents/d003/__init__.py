"""What document 003 has: the first and the last number of each kind."""

HAS = {"algorithm 17.1.": (1, 2), "figure 17.": (1, 4), "claim": (1, 6)}
