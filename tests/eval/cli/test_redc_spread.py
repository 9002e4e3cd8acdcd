"""`modexplorer redc` and `modexplorer spread`."""

from statistics import fmean, stdev

import pytest

from eval.catalog import find
from eval.cli.spread import spread
from fl.rsa_keys import BENCHMARK
from tests.command_line import assert_refused, run, run_json

pytestmark = pytest.mark.quick


def test_redc_shows_its_steps():
    assert run_json("redc 100 --mod 11 --nbits 4") == {
        **{"z": 100, "mod": 11, "nbits": 4},
        **{"m_prime": 13, "u": 4, "t": 9, "result": 9},
    }
    assert "u         4\n" in run("redc 100 --mod 11 --nbits 4").stdout


def test_redc_fails_where_the_ways_differ(monkeypatch):
    monkeypatch.setattr("fl.redc.mm_red", lambda z, m, r: 10)
    wrong = run("redc 100 --mod 11 --nbits 4")
    assert wrong.exit_code == 1
    assert wrong.stdout == ""
    assert "9, but a bit at a time 10, by an inverse 9" in wrong.stderr


def test_redc_refuses_what_it_cannot_reduce():
    assert_refused("redc 1 --mod 8 --nbits 4", "--mod: m must be odd")
    assert_refused("redc 1 --mod 17 --nbits 4", "--mod: m must be from 0 to 2^4-1")
    assert_refused("redc 176 --mod 11 --nbits 4", "Z: z must be from 0 to m * 2^4-1 = 175")


def test_spread_counts_the_cycles_of_messages():
    found = run_json("spread mul-rem-001 --nbits 32 --messages 40 --seed 3")
    assert found["messages"] == 40
    one = run_json("simulate mul-rem-001 --nbits 32 --workload d --level cl")
    assert found["workloads"]["d"]["workload"] == one["cycles"]
    assert "workload d  1836 cycles; mean" in run("spread mul-rem-001 --nbits 32").stdout


def test_spread_of_messages_that_are_counted_by_hand(monkeypatch):
    design, key = find("mul-rem-001"), BENCHMARK.key
    one_same = [424185324, 70]  # as many cycles in the encryption alone, in the decryption alone
    messages = [BENCHMARK.message, 5745, BENCHMARK.message, *one_same]
    monkeypatch.setattr("eval.cli.spread.Random", lambda seed: iter_below(messages, key.n))
    found = spread(design, 32, len(messages), 0)
    for name, exp, bases in (
        ("e", key.e, messages),
        ("d", key.d, [pow(m, key.e, key.n) for m in messages]),
    ):
        cycles = [design.cycles(32, base, exp, key.n) for base in bases]
        assert found["workloads"][name] == {
            **{"workload": cycles[0], "mean": fmean(cycles), "deviation": stdev(cycles)},
            **{"least": min(cycles), "most": max(cycles)},
        }
    assert found["same"] == 2


def iter_below(values, limit):
    """A source of random numbers that gives these values in turn, all below the limit."""
    given = iter(values)

    class Source:
        def randrange(self, below):
            assert below == limit
            return next(given)

    return Source()


def test_spread_of_a_constant_time_is_none():
    found = run_json("spread mont-001 --nbits 16 --messages 50")
    assert found["same"] == 50
    assert all(cycles["deviation"] == 0 for cycles in found["workloads"].values())
