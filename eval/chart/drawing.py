"""A Vega-Lite chart as SVG, and the library that draws it in a browser."""

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import vl_convert

VEGA_LITE = "6.1"


def svg(spec: dict[str, Any], label: str) -> str:
    """Draw a chart as an element of a page; `label` says what it shows. Equal for equal charts."""
    drawing = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
    drawing = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawing[drawing.index("<svg") :])
    # Links to the page itself are given a site that is none of ours.
    drawing = re.sub(r'href="https?:[^"]*#', 'href="#', drawing)
    return drawing.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)


@cache
def script() -> str:
    """Return the library that draws charts in a browser, with nothing that ends a script element
    in it."""
    return vl_convert.javascript_bundle(vl_version=VEGA_LITE).replace("</script", "<\\/script")


def write(spec: dict[str, Any], path: Path) -> None:
    """Write a chart to a file of its own, on white: PNG or SVG, as its name ends."""
    if path.suffix == ".png":
        path.write_bytes(vl_convert.vegalite_to_png(_on_white(spec), vl_version=VEGA_LITE, scale=2))
    else:
        path.write_text(svg_file(spec))


def svg_file(spec: dict[str, Any]) -> str:
    """Return a chart as an SVG file of its own, on white."""
    return vl_convert.vegalite_to_svg(_on_white(spec), vl_version=VEGA_LITE)


def _on_white(spec: dict[str, Any]) -> dict[str, Any]:
    return spec | {"background": "white", "padding": 8}
