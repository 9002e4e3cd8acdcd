"""What is inside a Verilated design, read at one moment."""

import pytest

from rtl.leaf.ram import Ram
from sim.batch import BatchModel
from tests.toys import AddRTL


def test_registers_are_as_after_the_last_edge():
    model = BatchModel(AddRTL(40, 2), signals=True)
    model.reset()
    assert model.snapshot().values["busy"] == 0
    for name, value in (("recv.val", 1), ("recv.msg", 0xFF_FFFF_FFFF << 40 | 2), ("send.rdy", 1)):
        model.poke(name, value)
    model.settle()
    model.step()
    now = model.snapshot()
    assert (now.values["busy"], now.values["left"], now.values["total"]) == (1, 2, 1)
    assert (now.widths["busy"], now.widths["total"]) == (1, 40)
    model.step(2)
    assert model.snapshot().values["left"] == 0


def test_words_of_a_memory_have_names_of_their_own():
    model = BatchModel(Ram(4, 12), signals=True)
    model.reset()
    for word in range(4):
        for name, value in (("write", 1), ("to", word), ("data", 0xA00 + word)):
            model.poke(name, value)
        model.settle()
        model.step()
    found = model.snapshot()
    words = {name: value for name, value in found.values.items() if name.startswith("kept[")}
    assert words == {f"kept[{word}]": 0xA00 + word for word in range(4)}


def test_a_model_built_without_its_signals_says_so():
    with pytest.raises(ValueError, match="Ram_.*: the model was built without"):
        BatchModel(Ram(4, 12)).snapshot()
