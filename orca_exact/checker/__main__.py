"""Entry point of ``python -m orca_exact.checker FILE``, and of ``python checker FILE`` for this folder."""

import sys

if __package__:
    from . import main
else:  # Python was given the folder and does not treat it as a package
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    spec = spec_from_file_location("checker", Path(__file__).with_name("__init__.py"))
    assert spec is not None and spec.loader is not None
    package = sys.modules["checker"] = module_from_spec(spec)
    spec.loader.exec_module(package)
    main = package.main

if __name__ == "__main__":
    sys.exit(main())
