"""`modexplorer dev`: what maintainers do beside measuring."""

import click

from eval.cli.options import cli_command, flag, option, tell


@click.group("dev", epilog="\b\nExample:\n  modexplorer dev canary")
def command() -> None:
    """Check or record the canaries that guard the atlas."""


@cli_command("dev canary", "dev canary --only simulate", "dev canary --record map", group=command)
@click.argument("stages", nargs=-1)
@option("--only TEXT", "Measure those whose names contain this.", name="only", default="")
@flag("--record", "Store the values, and raise the versions of STAGES.")
def canary(stages: tuple[str, ...], only: str, record: bool, as_json: bool) -> None:
    """Measure small cases of every stage and compare them with their stored values.

    Canaries whose stages have not changed since they passed are not measured again. With --record
    the values of this checkout are stored, and the versions of the named STAGES are raised: results
    of older versions are then shown, but not ranked.
    """
    from eval.atlas import canaries
    from eval.cli.progress import Reporter
    from sim.errors import RunError, UserError
    from sim.stages import stages as table

    known = table().named
    for stage in stages:
        if stage not in known:
            raise UserError(f"STAGES: {stage!r} is none; choose from {', '.join(sorted(known))}")
    if stages and not record:
        raise UserError("STAGES: give --record, too, which raises their versions")
    if only and record:
        raise UserError("--only: not with --record, which stores the values of all")
    names = [name for name in canaries.canaries() if only in name]
    if not names:
        raise UserError(f"--only {only!r}: no canary has this in its name")
    failures, lines = [], []
    with Reporter("canary", len(names)) as progress:
        if record:
            lines = canaries.record(stages, progress.now)
        else:
            for done, name in enumerate(names):
                progress.now(name, done)
                try:
                    if not canaries.passed(name):
                        canaries.check(name)
                except canaries.Moved as moved:
                    failures.append(str(moved))
    if failures:
        raise RunError("\n".join([f"{len(failures)} of {len(names)} canaries moved", *failures]))
    said = "stored the values of" if record else "unmoved:"
    tell({"canaries": names, "moved": lines}, [*lines, f"{said} {len(names)} canaries"], as_json)
