"""What is typed of a need: limits in their units, and what is said of what is none."""

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.catalog import FAMILIES, bring
from eval.cli import finding
from eval.find.need import command_of, read_need
from eval.find.quantities import QUANTITIES
from eval.tasks.rsa import Rsa
from sim.errors import RunError, UserError
from tests.command_line import run
from tests.eval.user_designs import forget

pytestmark = pytest.mark.quick


def need_of(at_most: str = "", **more):
    """A need with these limits."""
    options = {"least": ["area"]} | more
    return read_need(32, "sign", at_most=[t for t in at_most.split(",") if t], **options)


def test_limits_are_read_in_their_units():
    need = need_of("time=2ms,area = 0.4 mm2,energy=35uJ")
    assert need.at_most == {"time": 2000, "area": 4e5, "energy": 35_000}  # us, um2, nJ
    assert need_of("time=.5us").at_most == {"time": 0.5}
    assert need.workload == "d"
    assert read_need(32, "verify", ["time"]).workload == "e"
    assert read_need("0x20", "sign", ["time", "time"], budget="2h").budget_s == 7200


UNITS = {  # in us, um2 and nJ
    "time": {"ns": 0.001, "us": 1, "ms": 1000, "s": 1_000_000},
    "area": {"um2": 1, "mm2": 1_000_000},
    "energy": {"pJ": 0.001, "nJ": 1, "uJ": 1000, "mJ": 1_000_000, "J": 1_000_000_000},
}


def test_each_unit_is_so_many_of_the_one_that_is_used_here():
    for quantity in QUANTITIES.values():
        units = UNITS[quantity.name]
        assert [*units] == [*quantity.units]
        for unit, times in units.items():
            assert quantity.read("--at-most", f"2.5 {unit}") == pytest.approx(2.5 * times)
        assert units[quantity.unit] == 1


@pytest.mark.parametrize(
    ("budget", "seconds"), [("90s", 90), ("1.5min", 90), ("2h", 7200), (".5 h", 1800)]
)
def test_a_budget_is_told_in_seconds(budget, seconds):
    assert need_of(budget=budget).budget_s == seconds


def test_a_signature_by_the_primes_is_two_powers_of_half_the_bits():
    """Exponents that are blinded make the design as much wider, as of `modexplorer rsa`."""
    plain, crt = read_need(64, "sign", ["area"]), read_need(64, "sign-crt", ["area"])
    assert (plain.nbits, plain.powers) == (64, 1)
    assert (crt.nbits, crt.powers, crt.workload) == (32, 2, "d")
    blinded = read_need(64, "sign-crt", ["area"], blinded="16")
    assert (blinded.nbits, blinded.powers) == (48, 2)
    rsa = Rsa(64, "crt", "ssmm-small", mask_bits=16)
    assert rsa.accelerator.nbits == blinded.nbits
    assert blinded.text == "64-bit sign-crt, least area, exponents blinded by 16 bits"
    assert "--nbits 64 --operation sign-crt --least area --blinded 16" in command_of(blinded)


def test_a_need_is_said_in_words():
    need = need_of("time=2ms,area=0.4mm2", least=["energy", "time"], constant_time=True, clock="3")
    assert need.text == (
        "32-bit sign, least energy and time, time at most 2.00 ms, area at most 0.400 mm2, "
        "constant time, a clock of 3 ns"
    )
    assert need_of().text == "32-bit sign, least area"


def test_a_need_is_written_as_the_command_that_asks_for_it():
    need = need_of("time=2ms", designs=["mont(steps=1..8)", "array-4"], clock="2.5", gated="free")
    assert command_of(need) == (
        "modexplorer find --nbits 32 --operation sign --at-most time=2000us --least area "
        "--designs 'mont(steps=1..8),array-4' --clock 2.5 --gated free"
    )


def decimals(least, most):
    """Numbers as people type them, with up to nine digits after the point."""
    return st.decimals(least, most, places=9).map(lambda number: f"{number.normalize():f}")


LIMITS = st.fixed_dictionaries(
    {}, optional={name: decimals("0.000000001", 10**9) for name in QUANTITIES}
)
NEEDS = st.fixed_dictionaries(
    {
        "nbits": st.integers(8, 2048).map(lambda half: 2 * half),
        "operation": st.sampled_from(["sign", "sign-crt", "verify"]),
        "least": st.lists(st.sampled_from([*QUANTITIES]), min_size=1, max_size=3),
        "at_most": st.tuples(LIMITS, st.randoms()).map(
            lambda drawn: [
                f"{name}={number}{drawn[1].choice([*QUANTITIES[name].units])}"
                for name, number in drawn[0].items()
            ]
        ),
    },
    optional={
        "constant_time": st.booleans(),
        "blinded": st.integers(0, 256),
        "moduli": st.sampled_from(["odd", "any", "special"]),
        "where": st.sampled_from(
            [
                {"families": ["mont"]},
                {"families": ["array", "near-power", "mont"]},
                {"designs": ["array-4"]},
                {"designs": ["mont(steps=1..8,loop=*)", "ssmm-*", "array(digit=4,loop=windows-1)"]},
            ]
        ),
        "clock": decimals("0.1", 1000),
        "gated": st.sampled_from(["no", "yes", "free"]),
        "budget": st.tuples(decimals("0.001", 99), st.sampled_from(["s", "min", "h"])).map("".join),
        "seed": st.integers(0, 10**12),
    },
)


class Asked(RunError):
    """Ends a command with the need that it was asked for."""


def test_the_command_of_a_need_asks_for_it_again(monkeypatch):
    """Whatever its options are: the command line reads it back to the same need."""
    asked = []

    def found(need, engine):
        asked.append(need)
        raise Asked("asked")

    monkeypatch.setattr(finding, "found", found)

    @settings(max_examples=40, deadline=None)
    @given(NEEDS)
    def check(drawn):
        options = {name: value for name, value in drawn.items() if name != "where"}
        options |= drawn.get("where", {})
        if drawn["operation"] == "verify":
            options.pop("blinded", None)
        need = read_need(**options)
        asked.clear()
        run(command_of(need).removeprefix("modexplorer "))
        assert asked == [need]

    check()
    assert set(FAMILIES) > {"mont", "array", "near-power"}


def test_the_command_of_a_need_names_the_files_of_designs(mine):
    assert "--with" not in command_of(need_of())
    bring("--with", mine)
    try:
        assert shlex.split(command_of(need_of()))[-2:] == ["--with", str(mine.absolute())]
    finally:
        forget()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"at_most": "time=2"}, "--at-most: time: 2 has no unit; give one of ns, us, ms, s"),
        ({"at_most": "time=2mm2"}, "--at-most: time: 'mm2' is no unit of time"),
        ({"at_most": "time=-2ms"}, "--at-most: time=-2ms is negative"),
        ({"at_most": "time=0ms"}, "--at-most: time=0ms: nothing is that small"),
        ({"at_most": "time=1e3ms"}, "--at-most: time='1e3ms' is not a number with a unit"),
        ({"at_most": "time"}, "--at-most: time has no limit; give one as time=2ms"),
        ({"at_most": "time="}, "--at-most: time='' is not a number with a unit"),
        ({"at_most": "power=3mW"}, "--at-most: no quantity 'power' here; choose from time"),
        ({"at_most": "time=2ms,time=3ms"}, "--at-most: time is limited twice"),
        ({"least": []}, "--least: nothing is named"),
        ({"least": ["cost"]}, "--least: no quantity 'cost' here"),
        ({"families": ["mont", "mount"]}, "--families: no family 'mount' with hardware"),
        ({"families": ["what-if"]}, "--families: no family 'what-if' with hardware"),
        ({"families": ["mont"], "designs": ["array-4"]}, "--designs: --families says already"),
        ({"designs": ["mont(steps=65)"]}, "steps=65 is no choice of steps"),
        ({"moduli": "even"}, "--moduli: 'even' is none; choose from odd, any, special"),
        ({"gated": "maybe"}, "--gated: 'maybe' is none"),
        ({"clock": "-1"}, "--clock: '-1' is not a number of ns"),
        ({"budget": "20"}, "--budget: '20' is no time to search"),
        ({"budget": "0min"}, "--budget: '0min' is no time to search"),
        ({"seed": "-1"}, "--seed: -1 is negative"),
        ({"blinded": "257"}, "--blinded: 257 is not from 0 to 256"),
    ],
)
def test_what_is_wrong_is_said_with_its_option(options, says):
    with pytest.raises(UserError) as caught:
        need_of(**options)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("nbits", "operation", "says"),
    [
        (7, "sign", "--nbits: 7 is not from 8 to 4096"),
        (8, "d", "--operation: 'd' is none"),
        (33, "sign-crt", "--nbits: 33 bits have no two primes of half as many"),
        (14, "sign-crt", "give an even number from 16 on"),
    ],
)
def test_width_and_operation_are_checked(nbits, operation, says):
    with pytest.raises(UserError, match=says):
        read_need(nbits, operation, ["area"])
    with pytest.raises(UserError, match="--blinded: a public exponent is no secret"):
        read_need(64, "verify", ["area"], blinded=16)


@pytest.mark.parametrize("nbits", [8, 4096])
def test_the_narrowest_and_the_widest_signature(nbits):
    assert read_need(nbits, "sign", ["area"]).nbits == nbits
    # Of which primes have half the bits, 8 at least.
    narrow = read_need(max(16, nbits), "sign-crt", ["area"])
    assert narrow.nbits == max(16, nbits) // 2
