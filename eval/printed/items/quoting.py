"""How a finding quotes figures: each as an expression of the template that the finding is."""


def ours(command: str, path: str, spec: str = "") -> str:
    """Quote a figure of ours, at a path of a command's JSON."""
    return f"{{{{ figure('{command}', '{path}', '{spec}') }}}}"


def theirs(figure: float, spec: str = "") -> str:
    """Quote what a document prints, or what follows from that by arithmetic alone."""
    return f"{{{{ printed('{figure:{spec}}') }}}}"


def times(command: str, path: str, figure: float) -> str:
    """Quote how many times a document's figure ours is."""
    return f"{{{{ ratio(value('{command}', '{path}'), {figure}, '.2f') }}}}"


def between(command: str, other: str, path: str) -> str:
    """Quote how many times the other command's figure the first one's is."""
    return f"{{{{ ratio(value('{command}', '{path}'), value('{other}', '{path}'), '.2f') }}}}"
