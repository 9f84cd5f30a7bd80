"""The command `tamis`.

Modules that take long to import are imported by the functions that need them: `tamis --help` answers at once.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence

from .errors import Interrupted, WrongUse
from .tables.refused import Refused


def main(args: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 done, 2 wrong use, 3 data refused, 130 interrupted; each with one sentence."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # names that a terminal cannot show do not end the work
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(_run(args))


def _run(args) -> int:
    try:
        code = _app()(args, standalone_mode=False, prog_name="tamis")
    except (WrongUse, Refused, Interrupted) as error:
        return _end(str(error), error.exit_code)
    except ImportError as error:
        if "pip install" not in str(error):
            raise
        return _end(str(error), 2)
    except KeyboardInterrupt:
        return _end("interrupted.", 130)
    except BrokenPipeError:  # the reader of the output has gone
        sys.stdout = None
        return 1
    except Exception as error:
        if type(error).__name__ == "Abort":  # how some versions of typer pass Ctrl-C on
            return _end("interrupted.", 130)
        if not hasattr(error, "format_message"):  # of the parser of options
            raise
        return _end(f"{error.format_message()} See tamis --help.", 2)
    if code == 130:
        return _end("interrupted.", 130)
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
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help="Which columns of a table tell its labels, when labels may be wrong.",
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


def _end(sentence: str, code: int) -> int:
    print(f"tamis: {sentence}", file=sys.stderr)
    return code
