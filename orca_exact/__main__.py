# PYTHON_ARGCOMPLETE_OK
"""``python -m orca_exact``, and what ``orca-exact`` calls: signals first, then what takes time to load."""

import os

from .cli.signals import stoppable


def main() -> None:
    """The command line; Ctrl-C ends it from the first moment."""
    with stoppable():
        if "_ARGCOMPLETE" in os.environ:  # the shell asks at TAB
            from .cli.completion import complete

            complete()
        from .cli.parser import run_command_line

        run_command_line()


if __name__ == "__main__":
    main()
