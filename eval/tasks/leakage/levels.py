"""What traces are of: registers at RTL, nets of the mapped cells, or nets of the layout."""

RTL, GATES, GLITCHES, LAYOUT = LEVELS = ("rtl", "gates", "glitches", "layout")
DELAYED = (GLITCHES, LAYOUT)  # nets may toggle several times in a cycle
AT_ONCE = {RTL: 5000, GATES: 500, GLITCHES: 500, LAYOUT: 500}  # traces that are told of at once
