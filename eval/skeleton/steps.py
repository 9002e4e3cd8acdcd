"""The steps of a protocol that `modexplorer new --adapter steps` copies into an entry."""

from rtl.foreign.steps import Do, Drive


def handshake(nbits: int) -> Drive:
    """Drive the core through one request: OPERANDS in, the result out."""
    # PORTS
    #
    # A step lasts one cycle unless it says otherwise. Pins that a step does not name are 0 in it. A
    # pin holds a number, the name of an operand, WORD (in an Each: the current word), or
    # Address(first, stride) (in an Each or a Read: the address of the current word).
    #   Do({"load": 1}, cycles=2)                       2 cycles
    #   Do({"go": 1}, until="ready")                    until an output is 1; until="!busy": 0
    #   Do({"valid": 1}, drop={"valid": "ready"})       until each pin's output has been 1
    #   Each("OPERAND", 32, [Do({"din": WORD, "we": 1})])     steps for each word of 32 bits
    #   Read("dout", 32, [Do({"re": 1}, cycles=2)])     takes the result word by word
    #   While("!ready", [Do({"poll": 1})])              again while the output is 0
    # Import from rtl.foreign.steps what you use of these.
    return Drive(
        steps=[
            Do({"START": 1}),  # edit
            Do(until="DONE", take="RESULT"),  # edit: take names the output with the result
        ],
        always={},  # edit: pins that hold an operand or a number during the whole request
        constants={},  # edit: of the modulus, "r2": ("r2", nbits); pins name them like operands
    )
