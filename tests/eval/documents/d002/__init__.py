"""What document 002 has: the first and the last number of each kind."""

HAS = {
    **{"algorithm": (1, 5), "equation": (3, 3), "figure": (1, 6)},
    **{"table": (1, 5), "claim": (1, 5)},
}
