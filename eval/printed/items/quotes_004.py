"""What the findings on document 004 quote."""

from eval.printed.document_004 import ALGO_0_Z, BESIDE_NS, CLOCK_NS, MOST_2048
from eval.printed.items.item import NONE, SAME, THEIR_DESIGN, Basis
from eval.printed.items.quoted import Ours, follows, printed
from fl.rsa_keys import EXAMPLES, KEY_004

MESSAGE, CIPHER = next((x.message, x.ciphertext) for x in EXAMPLES if x.key is KEY_004)
REDC = f"redc {ALGO_0_Z} --mod {KEY_004.n} --nbits 128"
TABLE = "explore table-004"
ROWS = {"mmred-004-printed": 0, "mmm-004-printed": 1, "ssmm-004": 2, "mmm-004": 3}
WIDTHS = (64, 128, 256, 512, 1024, 2048)
STEPS_ALONE = Basis(THEIR_DESIGN, SAME, NONE)
WITH_ELEMENTS = Basis(THEIR_DESIGN, SAME, SAME)


def example(design: str, workload: str, how: str = "--level batch") -> str:
    """Name the simulation of the document's example of 128 bits."""
    base, exp = {"e": (MESSAGE, KEY_004.e), "d": (CIPHER, KEY_004.d)}[workload]
    return f"simulate {design} --nbits 128 --base {base} --exp {exp} --mod {KEY_004.n} {how}"


def waves(design: str, workload: str, figure: int) -> str:
    """Name the simulation that writes the waves of a figure."""
    return example(design, workload, f"--vcd build/figure-{figure}.vcd")


def cycles(design: str, workload: str) -> Ours:
    """Quote the example's cycles, of translated Verilog."""
    return Ours(example(design, workload), "cycles")


def mean(design: str, nbits: int) -> Ours:
    """Quote our mean of table 1 at a width."""
    row = WIDTHS.index(nbits) * len(ROWS) + ROWS[design]
    return Ours(TABLE, f"table_004.{row}.mean")


def mapped(design: str, nbits: int, what: str = "alms") -> Ours:
    """Quote elements of a Cyclone V."""
    return Ours(f"fpga {design} --nbits {nbits} --device cyclonev", f"metrics.{what}")


def routed(design: str) -> Ours:
    """Quote a clock on an ECP5, placed and routed."""
    return Ours(f"fpga {design} --nbits 128 --device ecp5", "metrics.fmax_mhz")


def of_algorithm_4(nbits: int) -> str:
    """Quote which part of algorithm 4's cycles algorithm 6 takes."""
    return mean("ssmm-004", nbits).over(mean("mmm-004-printed", nbits), ".3f")


def beside(nbits: int) -> str:
    """Quote both algorithms' elements at a width, ours beside the document's."""
    four, six = {128: (1952, 1084), 1024: (16237, 8863)}[nbits]
    ours_4, ours_6 = mapped("mmm-004-printed", nbits), mapped("ssmm-004", nbits)
    return (
        f"In elements, too: algorithm 6 takes {ours_6()} ALMs here and algorithm 4 {ours_4()}, "
        f"{ours_6.over(ours_4)} of them, where {printed(six)} and {printed(four)} are printed. "
        "Both are for a Cyclone V, ours mapped by yosys, not by the vendor's tool"
    )


def between(shares: list[float]) -> str:
    """Write the least and the greatest share."""
    return f"{follows(min(shares), '.1f')} % to {follows(max(shares), '.1f')} %"


def figure_2() -> str:
    """Quote when our decryption would end on the time axis of figure 2."""
    both = " + ".join(cycles("mmred-004-printed", w).value for w in "ed")
    return f"{{{{ {CLOCK_NS} * ({both}) + {BESIDE_NS} }}}}"


def table_1() -> str:
    """Quote our table 1 beside the document's."""
    four, six = "mmm-004-printed", "ssmm-004"
    means = ", ".join(mean(four, n)(".1f") for n in WIDTHS[:5])
    elements = "; ".join(
        f"{mapped(design, 128)()} ALMs and {mapped(design, 128, 'ffs')()} registers for "
        f"{printed(alms)} and {printed(registers)}"
        for design, alms, registers in ((six, 1084, 1334), (four, 1952, 1646))
    )
    return (
        "mean cycles from 64 to 1024 bits, the last by formula, for keys of ours but at 128 bits: "
        f"of algorithm 4 {means}, within a cycle of the printed figures; those of algorithm 6 "
        f"depend on all of the key and the message, {mean(six, 64)('.1f')} for {printed(4076)} and "
        f"{mean(six, 1024)('.1f')} for {printed(1048412)}. The row of 2048 bits cannot be: "
        f"{printed(4206448)} is above `2048 * 2053 - 1`, which is {printed(MOST_2048)}, the "
        "most that algorithm 6 can "
        "take. Elements are of the same device, mapped by yosys: of algorithms 6 and 4 "
        f"{elements}. The clocks are a vendor's tool's; ours, of another device, are "
        f"{routed(four)('.0f')} and {routed(six)('.0f')} MHz on an ECP5 where {printed(81.31)} "
        f"and {printed(81.82)} are printed of algorithms 4 and 6"
    )
