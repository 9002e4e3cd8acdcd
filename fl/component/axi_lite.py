"""The slave of a register map on AXI4-Lite, behind the ports of the hardware."""

from pymtl3 import Component, InPort, OutPort

from fl.axi_lite import INPUTS, OUTPUTS, PREFIX, Mapped


class BusPorts(Component):
    """Has the ports of a slave."""

    def construct(s):
        for name, nbits in INPUTS.items():
            setattr(s, PREFIX + name, InPort(nbits))
        for name, nbits in OUTPUTS.items():
            setattr(s, PREFIX + name, OutPort(nbits))

    def line_trace(s) -> str:
        """Show what is handed over: writes W, their responses B, reads R."""
        shown = []
        if s.s_axi_awvalid & s.s_axi_awready:
            shown.append(f"W[{s.s_axi_awaddr}]")
        if s.s_axi_wvalid & s.s_axi_wready:
            shown.append(f"={s.s_axi_wdata}")
        if s.s_axi_bvalid & s.s_axi_bready:
            shown.append(f"B{s.s_axi_bresp}")
        if s.s_axi_arvalid & s.s_axi_arready:
            shown.append(f"R[{s.s_axi_araddr}]")
        if s.s_axi_rvalid & s.s_axi_rready:
            shown.append(f"={s.s_axi_rdata},{s.s_axi_rresp}")
        return f"{' '.join(shown):32}"


class Channels:
    """Keeps what has come on a slave's channels and what is to be answered, as integers."""

    def __init__(self) -> None:
        self.address = self.data = self.read_address = None  # of a write, of a read: what has come
        self.response = self.answer = None  # which its channel offers

    def edge(self, bus: BusPorts, registers: Mapped) -> None:
        """Pass a clock edge: perform what has come, take what comes."""
        if self.response is not None and bus.s_axi_bready:
            self.response = None
        if self.answer is not None and bus.s_axi_rready:
            self.answer = None
        if self.read_address is not None:
            self.answer, self.read_address = registers.read(self.read_address), None
        if self.address is not None and self.data is not None:
            self.response = registers.write(self.address, *self.data)
            self.address = self.data = None
        if bus.s_axi_awvalid & bus.s_axi_awready:
            self.address = int(bus.s_axi_awaddr)
        if bus.s_axi_wvalid & bus.s_axi_wready:
            self.data = int(bus.s_axi_wdata), int(bus.s_axi_wstrb)
        if bus.s_axi_arvalid & bus.s_axi_arready:
            self.read_address = int(bus.s_axi_araddr)

    def outputs(self) -> dict[str, int]:
        """Return what stands at the output ports."""
        data, response = self.answer or (0, 0)
        return {
            "awready": self.address is None and self.response is None,
            "wready": self.data is None and self.response is None,
            "bvalid": self.response is not None,
            "bresp": self.response or 0,
            "arready": self.read_address is None and self.answer is None,
            "rvalid": self.answer is not None,
            "rdata": data,
            "rresp": response,
        }

    def drive(self, bus: BusPorts) -> None:
        """Set the output ports."""
        for name, value in self.outputs().items():
            port = getattr(bus, PREFIX + name)
            port @= value
