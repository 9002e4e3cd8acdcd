"""What of document 000's figures stands beside ours: Montgomery's exponentiator on an FPGA."""

from eval.documents.d000.figures import KEY_BITS, TWO
from eval.documents.published import Published

# "Logic elements", taken to be ALMs.
PUBLISHED = tuple(
    Published("mm-000", "alms", "MM (M)", nbits, elements, "000, table 7", "", "cyclonev")
    for nbits, elements in zip(KEY_BITS, TWO.elements["mm-modulus"], strict=True)
)
