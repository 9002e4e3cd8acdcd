"""`modexplorer dots`: the dot diagrams of a compression tree."""

from pathlib import Path

import click

from eval.cli.options import NUMBER, OUTPUT, Number, cli_command, flag, option, tell

WIDEST = 256  # n whose tree is still drawn within seconds


@cli_command(
    "dots 2^n-1 --nbits 8",
    "dots 2^n+k --k 85 --nbits 8 --order late",
    "dots 2^n+1 --nbits 16 --square --svg build/square.svg",
)
@click.argument("form")
@option("--nbits N", "n of the modulus.", Number(2, WIDEST), required=True)
@option("--k K", "k of 2^n+k or 2^n-k.", Number(1))
@option(
    "--order NAME",
    "Which compressors first: document (5:3, full, half adders), document-5:3-fa, fa, "
    "wallace, dadda, or late (compress first, then fold).",
    default="document",
)
@flag("--square", "A squarer instead of a multiplier.")
@option("--stage S", "One stage only, from 0.", NUMBER)
@option("--svg FILE", "Write a drawing there.", OUTPUT, name="drawing")
def command(
    form: str,
    nbits: int,
    k: int | None,
    order: str,
    square: bool,
    stage: int | None,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Draw the partial products modulo FORM, folded below column n, and every stage after them.

    FORM is 2^n, 2^n-1, 2^n+1, or 2^n-k or 2^n+k with --k or a number in k's place.
    """
    from eval.catalog.inputs import check_output
    from eval.report import dots as diagrams
    from eval.report.trees import find_tree
    from sim.errors import UserError

    if drawing and drawing.suffix != ".svg":
        raise UserError(
            f"--svg: {drawing} does not end in .svg; name it {drawing.with_suffix('.svg')}"
        )
    tree = find_tree(form, nbits, k, order, square)
    numbers = diagrams.stages_shown(tree, stage)
    operation = "a^2" if square else "a*b"
    title = f"{operation} mod {tree.modulus.text}, {order}"
    if drawing:
        check_output("--svg", drawing).write_text(diagrams.svg(tree, numbers, title))
    shown = {
        "modulus": tree.modulus.text,
        "value": tree.modulus.value,
        "order": order,
        "stages": [diagrams.stage_json(tree, number) for number in numbers],
    }
    lines = [title, *diagrams.text(tree, numbers), diagrams.LEGEND]
    tell(shown, [f"{title}: {drawing}"] if drawing else lines, as_json)
