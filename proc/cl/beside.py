"""What stands beside the cycle-level processor as a PyMTL3 component of any level, clocked with it.

A component is settled once per cycle, before any stage moves: what it is shown then depends on the
processor's registers, and on its own answer.
"""

from pymtl3 import Component, InPort, update

from fl.messages import XcelReq
from fl.random_bytes import FIRST, step
from proc.cl.bus_bridge import BusBridge
from sim.python import half_cycles
from sim.transfers import RESET_CYCLES


class XcelSocket(Component):
    """Sends a request of X if M takes what is in X: also if that is as M has its answer now."""

    def construct(s, accelerator: Component):
        s.wants = InPort()
        s.waits = InPort()  # M waits for an answer
        s.request = InPort(XcelReq)
        s.accelerator = accelerator
        s.accelerator.xcel.req.msg //= s.request
        s.accelerator.xcel.resp.rdy //= s.waits

        @update
        def send():
            s.accelerator.xcel.req.val @= s.wants & (~s.waits | s.accelerator.xcel.resp.val)

    def line_trace(s) -> str:
        return s.accelerator.line_trace()


class _Beside:
    """Clocks a component."""

    def __init__(self, top: Component) -> None:
        self.top = top
        self._settle, self._edge = half_cycles(top)

    def reset(self) -> None:
        """Hold reset, with nothing asked for."""
        self.top.reset @= 1
        for _ in range(RESET_CYCLES):
            self.idle()
            self._edge()
        self.top.reset @= 0

    def line_trace(self) -> str:
        """Show what the component does in this cycle."""
        return str(self.top.line_trace())

    def close(self) -> None:
        """Unload an imported component's library."""
        if hasattr(self.top, "finalize"):
            self.top.finalize()


class XcelBeside(_Beside):
    """Is the processor's XcelPort to an accelerator."""

    def __init__(self, accelerator: Component) -> None:
        super().__init__(XcelSocket(accelerator))
        self._quiet = getattr(accelerator, "quiet", None)
        self._shown: object = None
        self.ready = False
        self.answer: int | None = None

    def idle(self) -> None:
        """Settle in a cycle in which the processor does not use it."""
        self.settle(None, False)

    def edge(self) -> None:
        """Pass a clock edge."""
        self._edge()

    def settle(self, wants: tuple[int, int, int] | None, waits: bool) -> None:
        """Show the accelerator what X would send, and whether M waits."""
        top = self.top
        if (wants, waits) != self._shown:
            self._shown = wants, waits
            top.wants @= wants is not None
            top.waits @= waits
            if wants is not None:
                top.request @= XcelReq(*wants)
        self._settle()
        port = top.accelerator.xcel
        self.ready = bool(port.req.rdy)
        self.answer = int(port.resp.msg.data) if waits and port.resp.val else None

    def quiet(self) -> int:
        """Count the cycles from this one on in which the accelerator does nothing."""
        return self._quiet() if self._quiet else 0

    def skip(self, cycles: int) -> None:
        """Be as after so many of these cycles."""
        self.top.accelerator.skip(cycles)

    def send(self, type_: int, register: int, data: int) -> None:
        """Leave the request to the next clock edge: the accelerator has been shown it."""


class DeviceBeside(_Beside):
    """Is what the bridge has on its other side: the device, its interrupt line, its answers.

    A refused access ends the run: that the answer is then not taken makes no difference.
    """

    def __init__(self, device: Component) -> None:
        super().__init__(device)
        self.bridge = BusBridge()
        self.random = FIRST
        self.irq = self.refused = False
        self.answer: int | None = None

    def idle(self) -> None:
        """Settle in a cycle in which nothing is on the bus."""
        self.bridge = BusBridge()
        self.random = FIRST
        self.settle(False)

    def settle(self, waits: bool) -> None:
        """Show the device what the bridge offers, and whether M waits."""
        top, bridge = self.top, self.bridge
        top.s_axi_awvalid @= bridge.sends_address
        top.s_axi_wvalid @= bridge.sends_data
        top.s_axi_arvalid @= bridge.sends_read
        top.s_axi_awaddr @= bridge.address
        top.s_axi_araddr @= bridge.address
        top.s_axi_wdata @= bridge.data
        top.s_axi_wstrb @= bridge.strobes
        top.s_axi_bready @= waits
        top.s_axi_rready @= waits
        top.random_valid @= 1
        top.random_byte @= self.random & 0xFF
        self._settle()
        writes, reads = top.s_axi_bvalid, top.s_axi_rvalid
        self.refused = bool((writes & top.s_axi_bresp[1]) | (reads & top.s_axi_rresp[1]))
        self.answer = int(top.s_axi_rdata) if (writes | reads) and not self.refused else None
        self.irq = bool(top.irq)

    def edge(self) -> None:
        """Pass a clock edge."""
        top = self.top
        taken = (top.s_axi_awready, top.s_axi_wready, top.s_axi_arready)
        self.bridge.edge(*map(bool, taken))
        if top.random_ready:
            self.random = step(self.random)
        self._edge()

    def line_trace(self) -> str:
        """Show what the bridge and the device do in this cycle."""
        return f"{self.bridge_trace()} {super().line_trace()}"

    def bridge_trace(self) -> str:
        """Show what goes over the bus: an access offered, its answer."""
        top, bridge = self.top, self.bridge
        shown = " "
        if bridge.sends_address or bridge.sends_data:
            shown = f"W[{top.s_axi_awaddr}]={top.s_axi_wdata}"
        elif bridge.sends_read:
            shown = f"R[{top.s_axi_araddr}]"
        elif self.refused:
            shown = "refused"
        elif self.answer is not None:
            shown = f"={top.s_axi_rdata}" if top.s_axi_rvalid else "done"
        return f"{shown:16}"
