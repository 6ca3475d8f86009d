"""The README for a package index, where relative links do not work: they become links to the documentation.

Everything else about the package is in pyproject.toml, also the address of the documentation.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
SITE = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Documentation"]
README = (HERE / "README.md").read_text("utf-8")
README = re.sub(r"\]\(docs/images/([\w.-]+)\)", rf"]({SITE}/_images/\1)", README)
README = re.sub(r"\]\(docs/([\w-]+)\.md(#[\w-]+)?\)", rf"]({SITE}/\1.html\2)", README)

setup(long_description=README, long_description_content_type="text/markdown")
