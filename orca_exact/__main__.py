# PYTHON_ARGCOMPLETE_OK
"""Entry point of ``python -m orca_exact`` and ``orca-exact``.

Signal handlers are installed before the imports that take time.
"""

import os

from .cli.signals import handle_signals


def main() -> None:
    """Run the command line; Ctrl-C ends it at any time."""
    with handle_signals():
        if "_ARGCOMPLETE" in os.environ:  # set by the shell when TAB is pressed
            from .cli.completion import complete

            complete()
        from .cli.parser import run_command_line

        run_command_line()


if __name__ == "__main__":
    main()
