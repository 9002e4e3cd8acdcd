"""The port's proof of tests/rtl/port_messages.py for any word, and for operands of two words."""

import pytest

from rtl.port.xcel import XcelRTL
from tests.prove import Asserted, prove_from_reset
from tests.rtl.port_messages import ForgetfulMixer, Mixer, xcel

pytestmark = pytest.mark.long

EACH = pytest.mark.parametrize("mixer", [Mixer, ForgetfulMixer], ids=["stays", "is shifted out"])
TWO_WORDS = 64
CYCLES = 13  # six pushes, a go, its two cycles, and the pops of both words
EDITS = {
    "reg [31:0] base, exp, mod, result": "reg [63:0] base, exp, mod, result",
    "reg [2:0] pushed": "reg [5:0] pushed",
    "base <= asked[31:0]; pushed[0] <= 1;": "base <= {asked[31:0], base[63:32]}; "
    "pushed[1:0] <= {pushed[0], 1'b1};",
    "exp <= asked[31:0]; pushed[1] <= 1;": "exp <= {asked[31:0], exp[63:32]}; "
    "pushed[3:2] <= {pushed[2], 1'b1};",
    "mod <= asked[31:0]; pushed[2] <= 1;": "mod <= {asked[31:0], mod[63:32]}; "
    "pushed[5:4] <= {pushed[4], 1'b1};",
    "addr == 4) result <= 0;": "addr == 4) result <= result >> 32;",
    "addr == 4 ? result : 0": "addr == 4 ? result[31:0] : 0",
}


def of_two_words(mixer: type[Mixer]) -> Asserted:
    """The same of operands of two words; the lowest bit of each word is any."""
    _, body, _ = xcel(mixer, any_bits=1)
    for sound, wider in EDITS.items():
        if body.count(sound) != 1:
            raise ValueError(f"the proof has {body.count(sound)} times {sound!r}, not once")
        body = body.replace(sound, wider)
    return Asserted(XcelRTL(mixer(TWO_WORDS, lambda mod: True)), body, CYCLES)


@EACH
def test_any_word(tmp_path, mixer: type[Mixer]):
    assert prove_from_reset(tmp_path, *xcel(mixer, any_bits=0xFFFFFFFF)) == "proven"


@EACH
def test_two_words(tmp_path, mixer: type[Mixer]):
    assert prove_from_reset(tmp_path, *of_two_words(mixer)) == "proven"


def test_a_second_word_that_is_another_is_not_proven(tmp_path):
    component, body, cycles = of_two_words(ForgetfulMixer)
    wrong = body.replace("result >> 32", "{32'd0, result[63:33], ~result[32]}")
    assert wrong != body
    assert "broken in cycle" in prove_from_reset(tmp_path, component, wrong, cycles)
