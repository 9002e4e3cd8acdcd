"""What the findings on document 001 quote."""

from eval.printed.document_001 import SYSTEMS
from eval.printed.items.item import NONE, OTHER, OUR_DESIGN, SAME, THEIR_DESIGN, Basis
from eval.printed.items.quoted import Ours, printed

PROGRAM = "run proc/app/benchmark.c --define {}"
NAIVE_C, MONT_PRINTED, MONT = (PROGRAM.format(name) for name in ("NAIVE", "MONT_PRINTED", "MONT"))
XCEL = PROGRAM.format("XCEL") + " --xcel {} --nbits 32"
NAIVE, OUR_NAIVE, MONTGOMERY = (XCEL.format(d) for d in ("mul-rem-001", "mul-rem", "mont-001"))
SPREAD = "spread mul-rem-001 --nbits 32 --messages 20000"
ALONE = "simulate {} --nbits {} --workload d --level cl"
FLOW = "flow {} --nbits 32"
MUL_REM, MONT_MUL_REM = (f"{FLOW.format(d)} --unit multiplier" for d in ("mul-rem-001", "mont-001"))
FIGURE_1 = "simulate mul-rem --nbits 32 --base 5745 --exp 65537 --mod 2603398711"
MODULUS_1 = "simulate mul-rem --nbits 8 --base 5 --exp 0 --mod 1"
ORDER_8A = "flow mont(unit=add-then-reduce) --nbits 32 --clock 1 --unit multiplier"
ORDER_8B = "flow mont-best --nbits 32 --clock 1 --unit multiplier"
SYSTEM_LAYOUT = "flow processor+mont-001 --nbits 32 --to layout --fill 25"

CYCLES = Basis(THEIR_DESIGN, SAME, NONE)
CELLS = Basis(THEIR_DESIGN, SAME, SAME)  # NanGate's 45 nm, by another tool's synthesis
OUR_DIVIDER = Basis(OUR_DESIGN, OTHER, SAME)  # with mul-rem in mul-rem-001's place


def calls(command: str) -> str:
    """Quote the cycles of both calls, normalised."""
    return " / ".join(Ours(command, f"figures.{name}")() for name in ("encryption", "decryption"))


def of_table_1(number: int) -> str:
    """Quote the printed cycles of a system."""
    both = SYSTEMS[number].calls
    return f"{printed(both['e'].cycles)} / {printed(both['d'].cycles)}"


def area(command: str, how: str = "metrics") -> Ours:
    """Quote an area; how is "hierarchical" for modules that are kept apart."""
    return Ours(command, f"{how}.area_um2")


def beside(command: str, um2: float, how: str = "metrics") -> str:
    """Quote an area beside the printed one."""
    return f"{area(command, how)('.0f')} um2 for {printed(um2)}"


def energies(attached: str, variant: str, number: int) -> str:
    """Quote the energy of an encryption, with and without a clock in every cycle, beside table 3's
    of a system."""
    both = " and ".join(
        Ours(
            f"flow processor+{attached} --to power{gated}",
            f"energy.operations.{variant}_e.energy_nj",
        )(".2f")
        for gated in ("", " --gated")
    )
    return f"{both} nJ for {printed(SYSTEMS[number].calls['e'].energy_nj)}"


def path_end(command: str) -> str:
    """Quote the register in which the slowest path ends."""
    return Ours(command, "critical_path.end")("s")


def spread(workload: str, what: str, form: str) -> str:
    """Quote what is found of random messages' cycles."""
    return Ours(SPREAD, f"workloads.{workload}.{what}")(form)


def naive_over_montgomery(nbits: int) -> str:
    """Quote how many times the cycles of the Montgomery accelerator the naive one takes."""
    naive, mont = (Ours(ALONE.format(d, nbits), "cycles") for d in ("mul-rem-001", "mont-001"))
    return naive.over(mont, ".1f")


def doubled(design: str) -> str:
    """Quote how many times the cycles at 64 bits a decryption takes at 128."""
    wide, narrow = (Ours(ALONE.format(design, nbits), "cycles") for nbits in (128, 64))
    return wide.over(narrow)


def twice_as_wide(design: str) -> str:
    """Quote how many times the area a unit has at twice the bits."""
    wide, narrow = (
        area(f"flow {design} --nbits {nbits} --unit multiplier", "hierarchical")
        for nbits in (64, 32)
    )
    return wide.over(narrow)
