"""Headers of modules with directions and widths of ports, which yosys writes below them.

The flow maps each module by itself, with the headers of those that it holds.
"""

import re

_MODULE = re.compile(r"^module (\S+) ?\(([^;]*)\);\n(.*?)^endmodule", re.M | re.S)
_PORT = re.compile(r"^  (input|output|inout) ((?:signed )?(?:\[-?\d+:-?\d+\] )?)(\S+) ?;\n", re.M)


def with_headers(verilog: str) -> str:
    """Move the declarations of ports into the headers of modules, as yosys writes them."""
    return _MODULE.sub(_whole, verilog)


def _whole(module: re.Match[str]) -> str:
    name, names, body = module.groups()
    declared = {port[3]: (port[1], port[2]) for port in _PORT.finditer(body)}
    body = _PORT.sub("", body)
    ports = []
    for port in filter(None, map(str.strip, names.split(","))):
        way, size = declared[port]
        kept = re.compile(
            rf"^  (wire|reg) (?:signed )?(?:\[-?\d+:-?\d+\] )?{re.escape(port)} ?;\n", re.M
        )
        found = kept.search(body)
        body = kept.sub("", body)
        kind = "reg " if found and found[1] == "reg" else ""
        ports.append(f"{way} {kind}{size}{port}{' ' * port.startswith(chr(92))}")
    return f"module {name}({', '.join(ports)});\n{body}endmodule"
