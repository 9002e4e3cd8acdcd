"""What of document 001's figures stands beside ours: its accelerators, and their growth."""

from eval.documents.d001.figures import NBITS, SYSTEMS
from eval.documents.published import Published, Statement

# Ours, the system, and by table 2a and section 5.2 the areas of the accelerator and of its unit.
BESIDE = (
    (("mul-rem", "mul-rem-001"), SYSTEMS[2], 17512.4, "MulRem", 7776.4),
    (("mont-001",), SYSTEMS[3], 75283.6, "MontMulRem", 13846.7),
)
PUBLISHED = tuple(
    Published(design, what, of, NBITS, value, f"001, {place}", note)
    for designs, system, area_um2, unit, unit_um2 in BESIDE
    for design in designs
    for what, of, value, place, note in (
        ("area_um2", "accelerator", area_um2, "table 2a", ""),
        ("area_um2", unit, unit_um2, "section 5.2", ""),
        *(
            (f"cycles_{w}", "system", call.cycles, "table 1", "normalised")
            for w, call in system.calls.items()
        ),
    )
)
STATEMENTS = (
    Statement("001, section 5.1", "cycles, naive", "mul-rem", "xcel_cycles_d", 2),
    Statement("001, section 5.2", "area, naive", "mul-rem", "area_um2", 1),
    Statement("001, section 5.2", "area, Montgomery", "mont-001", "area_um2", 2),
)
