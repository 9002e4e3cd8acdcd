"""What outlives a reset, tried in each cycle of a unit's work, which then goes on."""

from collections.abc import Callable

from pymtl3 import Component, mk_bits

Name = tuple[str, str]  # a class of components, and a register of it


class Registers:
    """The registers of an elaborated component that is yet to be prepared for simulation."""

    def __init__(self, component: Component) -> None:
        _, written, _ = component.get_all_upblk_metadata()
        blocks = component.get_all_update_ff()
        found = {one.get_top_level_signal() for block in blocks for one in written[block]}
        signals = sorted(found, key=repr)
        self.top = component
        self.places = [repr(signal) for signal in signals]
        self.names: list[Name] = [
            (type(one.get_parent_object()).__name__, one.get_field_name().split("[")[0])
            for one in signals
        ]

    def prepared(self, settle: Callable[[], None], edge: Callable[[], None]) -> None:
        """Take the component's half cycles, as of now that it can be simulated; see it fresh."""
        space: dict[str, object] = {"s": self.top}
        values = [eval(place, space) for place in self.places]
        space["packed"] = [mk_bits(value.nbits) for value in values]
        lines = ["def read(s):"]
        lines += ["    return (" + ", ".join(f"{p}.to_bits().uint()" for p in self.places) + ",)"]
        lines += ["def write(s, values):"]
        for i, (place, value) in enumerate(zip(self.places, values, strict=True)):
            new = f"values[{i}]"
            if hasattr(value, "__bitstruct_fields__"):
                new = f"type({place}).from_bits(packed[{i}]({new}))"
            lines.append(f"    {place} <<= {new}; {place}._flip()")
        exec("\n".join(lines), space)
        self._read, self._write = space["read"], space["write"]
        self._settle, self._edge = settle, edge
        self.fresh = self.after_reset()
        self.outlived: dict[Name, str] = {}

    def after_reset(self) -> tuple[int, ...]:
        """What a reset of one cycle makes of the registers, which then are as they were."""
        before = self._read(self.top)
        self.top.reset @= 1
        self._settle()
        self._edge()
        after = self._read(self.top)
        self._write(self.top, before)
        self.top.reset @= 0
        return after

    def tried_edge(self) -> None:
        """Pass the clock's edge; then note what another value than a fresh unit's outlives."""
        self._edge()
        if self.top.reset:
            return
        for i, value in enumerate(self.after_reset()):
            if value != self.fresh[i]:
                self.outlived.setdefault(self.names[i], f"{self.places[i]} = {value:#x}")
