"""How the text of a Liberty file is read as groups, where its signs are left out or stand close."""

import pytest

from flow.gates.groups import parse, places, replaced, without_groups

pytestmark = pytest.mark.quick


def test_attributes_and_groups_are_those_of_the_group_that_they_are_in() -> None:
    found = parse(
        'library (l) { a : 1; cell ("c") { a : 2; pin (p, q) { a : 3; } } b : 4; } x (y) {}'
    )
    [cell] = found.groups
    [pin] = cell.groups
    assert [(one.kind, one.name, one.attributes) for one in (found, cell, pin)] == [
        ("library", "l", {"a": "1", "b": "4"}),
        ("cell", "c", {"a": "2"}),
        ("pin", "p q", {"a": "3"}),
    ]
    assert list(found.all("pin")) == []
    assert list(cell.all("timing", "pin")) == [pin]


def test_the_last_sign_of_an_attribute_in_brackets_may_be_left_out() -> None:
    """Before another attribute, before a group, and at the end of a group."""
    found = parse("g () { unit (1, ff) a : 1; index_1 (2) table (t) { values (3, 4) } b : 5; }")
    assert found.complex == [("unit", ["1", "ff"]), ("index_1", ["2"])]
    assert found.attributes == {"a": "1", "b": "5"}
    [table] = found.groups
    assert (table.kind, table.values("values"), table.values("index_1")) == (
        "table",
        ["3", "4"],
        None,
    )


def test_a_value_of_several_words_keeps_them_apart() -> None:
    found = parse('g () { function : A & B; table : "L : H" ; a : b/* a comment */c; }')
    assert found.attributes == {"function": "A & B", "table": "L : H", "a": "b c"}


def test_comments_end_where_they_say() -> None:
    text = "g () { /* a : 1; */ b : 2; /* {\n ( */ c : 3; /**/ }"
    assert parse(text).attributes == {"b": "2", "c": "3"}


TEXT = "l (a) { pin (b) { pin (c) { } } spin (d) { } pin (e) { } }"


def test_places_are_of_whole_groups_side_by_side() -> None:
    """Not of one that is in another, nor of a kind that ends alike."""
    assert [TEXT[place] for place in places(TEXT, ["pin"])] == [
        "pin (b) { pin (c) { } }",
        "pin (e) { }",
    ]
    within = slice(TEXT.index("pin (c)"), TEXT.index("pin (e)"))
    assert [TEXT[place] for place in places(TEXT, ["pin", "spin"], within)] == [
        "pin (c) { }",
        "spin (d) { }",
    ]


def test_parts_of_a_text_are_replaced() -> None:
    assert replaced("abcdef", [(slice(1, 2), "XY"), (slice(3, 5), "")]) == "aXYcf"
    assert without_groups(TEXT, ["pin"]) == "l (a) {  spin (d) { }  }"
