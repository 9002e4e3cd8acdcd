"""The messages of the processor's memory ports."""

from pymtl3 import Bits1, Bits4, Bits32, mk_bitstruct

# type_ is READ or WRITE of fl/xcel.py; addr is the word's; bit i of strb says that byte i of
# the word (bits 8i+7:8i) is accessed. A read answers the whole word, a write anything.
MemReq = mk_bitstruct("MemReq", {"type_": Bits1, "addr": Bits32, "strb": Bits4, "data": Bits32})
MemResp = mk_bitstruct("MemResp", {"data": Bits32})
