"""The command `tamis`.

Modules that take long to import are imported by the functions that need them: `tamis --help` answers at once.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from . import signals, streams
from .errors import EXIT_CODES, Interrupted, Unprinted, WrongUse
from .tables.refused import Refused

_LONGEST = 1000
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def main(args: Sequence[str] | None = None) -> None:
    """Run a command and exit, as `EXIT_CODES` has it; with one sentence unless it is done."""
    with streams.guarded():
        try:
            with signals.heeded():
                code = _run(args)
        except signals.Ended:  # between two of the steps of `_run`
            code = _interrupted()
    sys.exit(code)


def _run(args) -> int:
    try:
        code = _app()(
            list(sys.argv[1:] if args is None else args) or ["--help"], standalone_mode=False, prog_name="tamis"
        )
        sys.stdout.flush()
    except (WrongUse, Refused, Interrupted, Unprinted) as error:
        return _end(str(error), error.exit_code)
    except ImportError as error:
        if "pip install" not in str(error):
            raise
        return _end(str(error), 2)
    except MemoryError:
        return _end("the work must fit into memory; it does not. Keep fewer rows or columns.", 3)
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as error:
        if type(error).__name__ == "Abort":  # how some versions of typer pass Ctrl-C on
            return _interrupted()
        if not hasattr(error, "format_message"):  # of the parser of options
            raise
        return _end(f"{error.format_message().rstrip('.')}. See tamis --help.", 2)
    if code == 130:
        return _interrupted()
    return code if isinstance(code, int) else 0


def _app():
    try:
        import typer
    except ImportError as error:
        raise ImportError("the command tamis needs typer: pip install 'tamis[cli]'.") from error
    from .audit import audit
    from .demo import demo
    from .select import select

    app = typer.Typer(
        add_completion=False,
        epilog="Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items()) + ".",
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help="Which columns of a table predict its target, when labels may be wrong.",
    )

    @app.callback(invoke_without_command=True)
    def common(version: bool = typer.Option(False, "--version", help="Print the version.")):
        if version:
            from .. import __version__

            typer.echo(__version__)
            raise typer.Exit

    for command in (select, audit, demo):
        app.command()(command)
    return app


def _interrupted() -> int:
    return _end(f"{signals.interrupted()}.", signals.exit_code())


def _end(sentence: str, code: int) -> int:
    """Say why, on one line that can be read, whatever the names in it."""
    line = _CONTROL.sub(lambda sign: ascii(sign[0])[1:-1], sentence)
    if len(line) > _LONGEST:  # a name of a class can be a whole page
        line = f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"
    print(f"tamis: {line}", file=sys.stderr, flush=True)
    return code
