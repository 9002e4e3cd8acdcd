"""What is inside a Verilated design, read at one moment."""

import pytest

from rtl.leaf.ram import Ram
from sim.batch import BatchModel
from tests.toys import AddRTL


def test_registers_are_as_after_the_last_edge():
    model = BatchModel(AddRTL(40, 2), signals=True)
    model.reset()
    assert model.snapshot()["busy"] == 0
    for name, value in (("recv.val", 1), ("recv.msg", 0xFF_FFFF_FFFF << 40 | 2), ("send.rdy", 1)):
        model.poke(name, value)
    model.settle()
    model.step()
    now = model.snapshot()
    assert (now["busy"], now["left"], now["total"]) == (1, 2, 1)
    assert now.places["recv__rdy"] == model.snapshot().places["recv__rdy"]
    model.step(2)
    assert model.snapshot()["left"] == 0


@pytest.mark.parametrize(("words", "nbits"), [(4, 12), (40, 12), (2, 5000)])
def test_words_of_a_memory_have_names_of_their_own(words, nbits):
    model = BatchModel(Ram(words, nbits), signals=True)
    model.reset()
    for word in range(words):
        for name, value in (("write", 1), ("to", word), ("data", 0xA00 + word)):
            model.poke(name, value)
        model.settle()
        model.step()
    found = model.snapshot()
    assert [found[f"kept[{word}]"] for word in range(words)] == [
        0xA00 + word for word in range(words)
    ]


def test_a_model_built_without_its_signals_says_so():
    with pytest.raises(ValueError, match="Ram_.*: the model was built without"):
        BatchModel(Ram(4, 12)).snapshot()
