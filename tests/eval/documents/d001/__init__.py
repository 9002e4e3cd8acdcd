"""What document 001 has: the first and the last number of each kind."""

HAS = {
    **{"algorithm": (1, 4), "figure": (1, 18), "table": (1, 3), "listing": (1, 4)},
    **{"section": (4, 4), "section 5.": (1, 3)},
}
