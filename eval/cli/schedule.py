"""`modexplorer schedule`: an exponentiation algorithm of the documents, product by product."""

from typing import Any

import click

from eval.cli.options import NUMBER, Number, cli_command, flag, given, option, tell

MOST_PRODUCTS = 1_000_000  # of a run; repeated multiplying takes as many as the exponent says
MOST_STEPS = 1000  # that are listed
WIDEST_WINDOW = 12
NAMES = ("repeated", "left-to-right", "right-to-left", "always")
OF_WIDTH = ("k-ary", "left-windows", "right-windows")


@cli_command(
    "schedule right-to-left --base 3 --exp 23 --mod 29 --steps",
    "schedule left-windows --width 3 --base 3 --exp 59594 --mod 101",
    "schedule left-to-right-as-printed --base 3 --exp 4 --mod 101",
)
@click.argument("name")
@option("--base", "Base.", NUMBER, required=True)
@option("--exp", "Exponent.", NUMBER, required=True)
@option("--mod", "Modulus.", Number(1), required=True)
@option("--width W", "Bits of a digit or a window.", Number(1, WIDEST_WINDOW), default=4)
@flag("--steps", "List every product.")
def command(
    name: str, base: int, exp: int, mod: int, width: int, steps: bool, as_json: bool
) -> None:
    """Compute BASE^EXP mod MOD by the algorithm NAME of the documents, in integers, and count its
    products.

    NAME is repeated, left-to-right, right-to-left, always, or of --width bits k-ary, left-windows
    or right-windows. Each is put right where its document prints it wrong; what document 000 prints
    is left-to-right-as-printed, k-ary-as-printed and sliding-as-printed, whose results are shown
    beside the right one. Products are counted as made: the squarings of 1 at the first digit, too.
    """
    from fl.printed_schedules.as_printed import AS_PRINTED
    from sim.errors import UserError

    if name in (*NAMES, f"{NAMES[1]}-as-printed") and (option_name := given("width")):
        raise UserError(f"{option_name}: {name} takes a bit at a time; leave it out")
    if name in AS_PRINTED:
        if steps:
            raise UserError(f"--steps: not of {name}; choose a schedule that is right")
        answer = _as_printed(name, base, exp, mod, width)
    else:
        answer = _counted(name, base, exp, mod, width, steps)
    lines = [f"{key:16}{value}" for key, value in answer.items() if key != "steps"]
    lines += [f"  {one['a']} * {one['b']} = {one['product']}" for one in answer.get("steps", ())]
    tell(answer, lines, as_json)


def _as_printed(name: str, base: int, exp: int, mod: int, width: int) -> dict[str, Any]:
    from fl.printed_schedules.as_printed import AS_PRINTED

    source, run = AS_PRINTED[name]
    asked = {"schedule": name, "source": source, "base": base, "exp": exp, "mod": mod}
    return asked | {"result": run(base, exp, mod, width), "right": pow(base, exp, mod)}


def _counted(name: str, base: int, exp: int, mod: int, width: int, steps: bool) -> dict[str, Any]:
    from eval.catalog.inputs import shorten
    from fl.mul_rem import mod_mul
    from fl.printed_schedules import SCHEDULES, k_ary, left_windows, right_windows
    from fl.printed_schedules.as_printed import AS_PRINTED
    from sim.errors import RunError, UserError

    makers = dict(zip(OF_WIDTH, (k_ary, left_windows, right_windows), strict=True))
    if name in makers:
        schedule = makers[name](width)
    elif name in NAMES:
        schedule = SCHEDULES[name]
    else:
        choices = ", ".join((*NAMES, *OF_WIDTH, *AS_PRINTED))
        raise UserError(f"NAME: no schedule {shorten(name)!r}; choose from {choices}")
    counts = schedule.counts(exp)
    most = MOST_STEPS if steps else MOST_PRODUCTS
    if counts.total > most:
        raise UserError(f"--exp: takes {shorten(counts.total)} products, at most {most} are made")
    listed: list[dict[str, int]] = []

    def product(a: int, b: int, m: int) -> int:
        made = mod_mul(a, b, m)
        if steps:
            listed.append({"a": a, "b": b, "product": made})
        return made

    result, right = schedule.run(base, exp, mod, product), pow(base, exp, mod)
    if result != right:
        raise RunError(f"{schedule.name} makes {result}, Python's pow {right}")
    answer: dict[str, Any] = {
        "schedule": schedule.name,
        "title": schedule.title,
        "source": schedule.source,
        "base": base,
        "exp": exp,
        "mod": mod,
        "result": result,
        "squarings": counts.squarings,
        "multiplications": counts.multiplications,
        "products": counts.total,
    }
    return answer | ({"steps": listed} if steps else {})
