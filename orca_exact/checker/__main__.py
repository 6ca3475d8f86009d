"""Run the checker: ``python -m orca_exact.checker FILE``, or ``python checker FILE`` on this folder."""

import sys

if __package__:
    from . import main
else:  # the folder itself was given to Python, which then knows no package
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    spec = spec_from_file_location("checker", Path(__file__).with_name("__init__.py"))
    assert spec is not None and spec.loader is not None
    package = sys.modules["checker"] = module_from_spec(spec)
    spec.loader.exec_module(package)
    main = package.main

if __name__ == "__main__":
    sys.exit(main())
