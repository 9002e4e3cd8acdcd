"""`modexplorer serve`: show a study's report in a browser while its rows come."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from threading import Thread
from typing import TYPE_CHECKING

import click

from eval.cli.options import Number, cli_command, option, tell

if TYPE_CHECKING:
    from eval.report.live import Live

LOOPBACK, PORT = "127.0.0.1", 8017


@cli_command("serve default")
@click.argument("study", default="default")
@option("--port P", "Port of the address; 0 takes a free one.", Number(0, 65535), default=PORT)
@option(
    "--host IP", "Who may look: this machine alone, or with 0.0.0.0 everybody.", default=LOOPBACK
)
def command(study: str, port: int, host: str, as_json: bool) -> None:
    """Show the report of STUDY, of the rows that are there, at an address for a browser.

    It is there at once; rows appear as they are found. The page looks for new rows by itself, so it
    goes along with `modexplorer report` or `explore` in another terminal; it measures nothing. An
    interrupt (Ctrl-C) ends it.
    """
    from eval.report.live import Live
    from eval.study.studies import find_at_one_clock

    asked = find_at_one_clock(study)
    with open_server(check_host(host), port) as server:
        server.live = Live(asked)
        address = f"http://{host}:{server.server_port}/"
        line = f"Study {asked.name} is at {address} until you interrupt (Ctrl-C)"
        tell({"study": asked.name, "address": address}, [line], as_json)
        Thread(target=_look_up, args=[server.live], daemon=True).start()
        server.serve_forever()


def _look_up(live: "Live") -> None:
    """Find which rows the store has, with progress, while the page is served."""
    from eval.cli.progress import Reporter
    from sim.errors import RunError, UserError

    try:
        with Reporter(f"rows of {live.study.name} looked up", len(live.study.tasks)) as progress:
            live.look_up(progress.now)
    except (RunError, UserError) as error:
        click.echo(f"modexplorer: error: {error}; other rows are not shown", err=True)


class Server(ThreadingHTTPServer):
    """Serves a study."""

    daemon_threads = True
    live: "Live"

    def handle_error(self, request: object, client_address: object) -> None:
        """Let a browser leave in the middle; else say on stderr what went wrong, and go on."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            click.echo(f"modexplorer: note: {error}", err=True)


class Handler(BaseHTTPRequestHandler):
    """Answers requests by what `live` has."""

    server: Server

    def do_GET(self) -> None:
        """Answer one."""
        answer = self.server.live.answer(self.path.partition("?")[0])
        if answer is None:
            self.send_error(404)
            return
        kind, text = answer
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""


def check_host(text: str) -> str:
    """Return the address; UserError if it is none."""
    from eval.catalog.inputs import shorten
    from sim.errors import UserError

    try:
        return str(IPv4Address(text))
    except ValueError:
        raise UserError(
            f"--host: {shorten(text)!r} is no address; give one of this machine, such as {LOOPBACK}"
        ) from None


def open_server(host: str, port: int) -> Server:
    """Take the address; UserError if it is not to be had."""
    from sim.errors import UserError

    try:
        return Server((host, port), Handler)
    except OSError as error:
        raise UserError(
            f"--port: cannot take {host}:{port} ({error.strerror}); give another, or 0 for a free "
            "one"
        ) from None
