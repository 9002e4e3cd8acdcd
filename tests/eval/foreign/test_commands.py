"""Every kind of core that `new` writes, right and wrong, through the commands that a user types.

The wrong cores compute the workloads correctly, so that only the cases of the contract find them.
The whole matrix is `long`; what stands for it in the default run is in QUICKER.
"""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from eval.catalog import bring, find
from tests.command_line import run, run_json
from tests.eval.foreign.test_protocols import HERE
from tests.places import ROOT

EXAMPLES = ROOT / "docs/examples"
POWER, MODMUL, CIOS = HERE / "power.v", EXAMPLES / "modmul.v", EXAMPLES / "cios.vhd"
# Even exponents are taken for the next odd ones: those of the workloads are odd.
WRONG_POWER = ("bits <= exp;", "bits <= exp | 1;")
# b = m - 1 is taken for 0.
WRONG_PRODUCT = ("b_kept <= b;", "b_kept <= b == m - 1 ? 0 : b;")
# Of moduli whose lowest word is all ones the last subtraction is left out.
WRONG_CIOS = ("when borrow = 1 and high = 0", "when (borrow = 1 and high = 0) or m(0) = 15")


class Kind(NamedTuple):
    """How a core is brought, what is edited of its entry, what makes it wrong, and its width."""

    source: Path
    typed: str
    edits: tuple[tuple[str, str], ...]
    wrong: tuple[str, str]
    nbits: int = 8


def power(top: str, *edits: tuple[str, str], typed: str = "", nbits: int = 8) -> Kind:
    """A module of power.v."""
    return Kind(POWER, f"--as exponentiator --top {top} {typed}", edits, WRONG_POWER, nbits)


def on_bus(more: str) -> tuple[tuple[str, str], ...]:
    """The registers of power.v on a bus."""
    return (
        (
            'operands={"base": 0, "exp": 64, "mod": 128}',
            'operands={"base": 0, "exp": 16, "mod": 32}',
        ),
        ("result=192", "result=0"),
        ("control=(0, 1)", "control=(48, 1)"),
        ("status_at=0", f"status_at=48{more}"),
    )


KINDS = {
    "start-done": power("power", typed="--adapter start-done"),
    "load": power("fixed", nbits=16),
    "val-rdy": power("handshake"),
    "word-memory": power("memories"),
    "ports of each operand": power(
        "own_ports",
        ("done=", 'first="high",\n    done='),
        typed="--port start=!start_n",
        nbits=16,
    ),
    "whole operands on a bus": power(
        "selected",
        ('"base": 0, "exp": 64, "mod": 128', '"base": 1, "exp": 2, "mod": 3'),
        ("result=192", "result=None"),
        ("word=16", "word=nbits"),
        ("HANDSHAKE = word_memory(", "HANDSHAKE = lambda nbits: word_memory("),
        ('done="!busy",\n)', 'done="!busy",\n)(nbits)'),
    ),
    "registers": power(
        "registers",
        ('"base": 0, "exp": 64, "mod": 128', '"mod": 0x31, "exp": 0x41, "base": 0x51'),
        ("result=192", 'result=0x61, first="high", rewind={"result": 0x60}'),
        ("control=(0, 1)", "control=(8, 1, 0)"),
        ("status_at=0", "status_at=9"),
        ("stride=1", "stride=0"),
        nbits=16,
    ),
    "wishbone": power(
        "on_wishbone",
        *on_bus(""),
        ("word=32", "word=8"),
        (",\n)\nDESIGNS", ',\n    ports={"sel": ""},\n)\nDESIGNS'),
        typed="--adapter wishbone --clock wb_clk_i",
    ),
    "axi-lite": power("on_axi", *on_bus("")),
    "word-stream": power(
        "stream",
        (
            '"base": "data_in", "exp": "data_in", "mod"',
            '"mod": "data_in", "base": "data_in", "exp"',
        ),
        typed="--adapter word-stream",
        nbits=16,
    ),
    "steps": power(
        "power",
        ('until="done"', 'until="done", cycles=2'),
        typed="--adapter steps",
    ),
    "multiplier": Kind(MODMUL, "--top modmul", (), WRONG_PRODUCT),
    "multiplier in VHDL": Kind(
        CIOS, "--parameter W=4 --parameter 'WORDS=nbits // 4'", (), WRONG_CIOS
    ),
}
QUICKER = ("start-done",)
ALL = [name if name in QUICKER else pytest.param(name, marks=pytest.mark.long) for name in KINDS]
# Commands that give an area, or what needs one, at width n. By default the first two are enough.
PRICED = (
    "flow theirs --nbits {n} --unit core",
    "report study.toml --out page.html",
    "flow theirs --nbits {n}",
    "explore --designs theirs --nbits {n} --workloads e",
    "compare theirs theirs --nbits {n} --clock 3,4 --workloads e",
    "fpga theirs --nbits {n} --device artix7",
)
CASES = [(name, PRICED[:2]) for name in QUICKER]
CASES += [pytest.param(name, PRICED, marks=pytest.mark.long) for name in KINDS]


def brought(kind: Kind, folder: Path, wrong: bool) -> None:
    """Bring a core as `theirs`, by `new`."""
    source = folder / f"core{kind.source.suffix}"
    shutil.copy(kind.source, source)
    if wrong:
        text, (old, new) = source.read_text(), kind.wrong
        assert text.count(old) == 1
        source.write_text(text.replace(old, new))
    entry = Path(run_json(f"new theirs --verilog {source} {kind.typed}")["entry"])
    for old, new in kind.edits:
        text = entry.read_text()
        assert text.count(old) == 1, (old, text)
        entry.write_text(text.replace(old, new))
    bring("--with", entry)
    (folder / "study.toml").write_text(
        f'designs = ["theirs"]\nnbits = {kind.nbits}\nworkloads = ["e"]\n'
    )


@pytest.mark.parametrize(("name", "priced"), CASES)
def test_a_wrong_core_fails_its_check_and_gets_no_area(
    name: str, priced: tuple[str, ...], mine: Path
) -> None:
    kind = KINDS[name]
    brought(kind, mine.parents[1], wrong=True)
    part = "exponentiator" if find("theirs").multiplier.inside else "multiplier"
    first = "base" if part == "exponentiator" else "a"
    checked = run(f"check theirs --nbits {kind.nbits} --level batch --part {part}")
    assert checked.exit_code == 1
    assert f"{first} = " in checked.stderr
    assert "modexplorer simulate theirs" in checked.stderr
    assert run(f"simulate theirs --nbits {kind.nbits} --workload e --level batch").exit_code == 0
    for line in priced:
        result = run(line.format(n=kind.nbits))
        assert result.exit_code == 1, result.output
        assert "fails its check, so it is not synthesised" in result.stderr
        assert "the request: base = " in result.stderr
        assert (
            f"`modexplorer check theirs --nbits {kind.nbits} --part exponentiator" in result.stderr
        )
    page = (mine.parents[1] / "page.html").read_text()
    assert "fails its check, so it is not synthesised" in page


@pytest.mark.parametrize("name", ALL)
def test_a_right_core_passes_its_check(name: str, mine: Path) -> None:
    kind = KINDS[name]
    brought(kind, mine.parents[1], wrong=False)
    part = "exponentiator" if find("theirs").multiplier.inside else "multiplier"
    rows = run_json(f"check theirs --nbits {kind.nbits} --level rtl --part {part}")["rows"]
    assert {row["result"] for row in rows} == {"right"}
    assert all(row["cases"] > 20 for row in rows)


@pytest.mark.long
@pytest.mark.parametrize("name", KINDS)
def test_a_right_core_is_measured(name: str, mine: Path) -> None:
    kind = KINDS[name]
    brought(kind, mine.parents[1], wrong=False)
    n = kind.nbits
    [row] = run_json(f"explore --designs theirs --nbits {n} --workloads e")["rows"]
    assert row["area"] > 500
    assert run_json(f"flow theirs --nbits {n}")["metrics"]["area_um2"] == row["area"]
    core = run_json(f"flow theirs --nbits {n} --unit core")["metrics"]["area_um2"]
    assert 0 < core < row["area"]
    search = "find --nbits {n} --operation sign --clock 3 --least area --designs theirs --jobs 1"
    for line in (PRICED[1], *PRICED[4:], search):
        result = run(line.format(n=n))
        assert result.exit_code == 0, result.output
    assert "theirs" in result.stdout
    assert "fails its check" not in (mine.parents[1] / "page.html").read_text()


def test_a_synthesis_only_core_has_the_width_of_its_parameter(mine: Path) -> None:
    """Nothing can be requested of it, so that nothing is checked."""
    made = run_json(f"new theirs --as bare --verilog {MODMUL} --top modmul --parameter WIDTH=8")
    assert made["widths"] == [8, 8]
    assert not [note for note in made["notes"] if "parameter" in note]
    bring("--with", made["entry"])
    result = run("check theirs --nbits 8")
    assert result.exit_code == 2
    assert "modexplorer flow theirs --nbits 8 --unit core" in result.stderr
