"""Tests of the wheel and the sdist, built without a network: they are complete and contain nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_string
from email.message import Message
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from here import ROOT

DOCS = ROOT / "docs"
SHIPPED = ("orca_exact", "proofs_checks")
LIMIT = {"whl": 1.9e6, "gz": 3.5e6}  # bytes; pictures and measurements are 0.8 MB of the sdist


def new_enough() -> bool:
    try:
        return int(version("setuptools").split(".")[0]) >= 77 and bool(version("build"))
    except PackageNotFoundError:
        return False


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the wheel and the sdist from a copy, because a build writes files into its source folder."""
    if not new_enough():
        pytest.skip("build and setuptools >= 77 are not installed: pip install -e '.[test]'")
    folder = tmp_path_factory.mktemp("package")
    source = folder / "source"
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "site", "*.egg-info", "__pycache__", "*.vo*")
    shutil.copytree(ROOT, source, ignore=unwanted)
    (source / "examples" / "echocardiogram.data").write_text("never shipped\n")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", source],
        capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = ((folder / "dist").glob(pattern) for pattern in ("*.whl", "*.tar.gz"))
    return wheel, sdist


def names(file: Path) -> set[str]:
    if file.suffix == ".whl":
        return set(zipfile.ZipFile(file).namelist())
    with tarfile.open(file) as archive:
        return {member.name.partition("/")[2] for member in archive if member.isfile()}


def tracked(*under: str) -> set[str]:
    """Return every file of these folders that belongs to the project."""
    files = (file for folder in under for file in (ROOT / folder).rglob("*") if file.is_file())
    made = re.compile(r"__pycache__|\.(pyc|vo|vok|vos|glob|aux)$|\.lia\.cache|/\.")
    return {str(file.relative_to(ROOT)) for file in files if not made.search(str(file.relative_to(ROOT)))}


TWINS = tracked("proofs_checks/formal/twins")  # falsified theorems, used only by the tests


def test_both_contain_the_whole_library(built):
    for file, whole in zip(built, (tracked(*SHIPPED) - TWINS, tracked(*SHIPPED)), strict=True):
        missing = whole - names(file)
        assert not missing, f"{file.name} lacks {sorted(missing)[:5]}"
    needed = {
        "py.typed",
        "files/schemas/problem-2.json",
        "checker/__main__.py",
        "rocq/Svm.v",
        "rocq/_CoqProject",
    }
    assert {f"orca_exact/{name}" for name in needed} <= names(built[0])
    shipped = {"formal/theorems.toml", "data/printed_tables.json"}
    assert {f"proofs_checks/{name}" for name in shipped} <= names(built[0])


def test_the_wheel_contains_nothing_else(built):
    assert TWINS and not TWINS & names(built[0])
    others = names(built[0]) - tracked(*SHIPPED)
    assert all(name.startswith("orca_exact-") and ".dist-info/" in name for name in others)


def test_the_sdist_can_be_tested_and_documented(built):
    there = names(built[1])
    assert tracked("tests", "docs", "examples", "benchmarks") <= there
    assert {
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "CITATION.cff",
        "pyproject.toml",
        "setup.py",
        "noxfile.py",
    } <= there


def test_data_and_build_files_are_not_included(built):
    for file in built:
        unwanted = re.compile(r"\.data$|__pycache__|\.pyc$|\.vo[ks]?$|\.venv|\.git/")
        assert not [name for name in names(file) if unwanted.search(name)], file.name
        assert file.stat().st_size < LIMIT[file.suffix[1:]]


def metadata(file: Path) -> tuple[str, Message]:
    """Return the name of the folder with the metadata of a wheel, and what its METADATA says."""
    wheel = zipfile.ZipFile(file)
    (where,) = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    return where, message_from_string(wheel.read(f"{where}/METADATA").decode())


def test_the_readme_has_no_relative_link_on_a_package_index(built):
    """``twine check`` does not notice a link that leads nowhere; each one is to a page of the site."""
    about = metadata(built[0])[1]
    assert about["Description-Content-Type"] == "text/markdown"
    text = str(about.get_payload())
    site = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Documentation"]
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    relative = re.findall(r"\]\(([^)\s]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) == len(relative) > 10
    for link in links:
        assert link.startswith(f"{site}/"), link
        page, _, _ = link.removeprefix(f"{site}/").partition("#")
        folder, _, name = page.rpartition("/")
        file = DOCS / "images" / name if folder else DOCS / f"{name.removesuffix('.html')}.md"
        assert file.is_file() and folder in ("", "_images"), link


def test_metadata(built):
    wheel = zipfile.ZipFile(built[0])
    where, about = metadata(built[0])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (about["Name"], about["License-Expression"], about["Requires-Python"]) == (
        "orca-exact", "BSD-3-Clause", ">=3.11",
    )  # fmt: skip
    plain = {line for line in about.get_all("Requires-Dist", []) if "extra" not in line}
    assert plain == set(project["dependencies"])
    entry = wheel.read(f"{where}/entry_points.txt").decode()
    assert "[console_scripts]\norca-exact = orca_exact.__main__:main" in entry  # pipx run orca-exact
    assert "pytest11" not in entry  # a plug-in that nobody asked for would be loaded by every run of pytest


def test_an_installed_wheel_runs_from_an_empty_folder(built, tmp_path):
    """The environment has the libraries of this one, but not this source tree."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = (home / "lib").glob("python*/site-packages")
    zipfile.ZipFile(built[0]).extractall(site)
    here = Path(pytest.__file__).parents[1]
    (site / "libraries.pth").write_text(f"{here}\n")
    python, folder = home / "bin" / "python", tmp_path / "empty"
    folder.mkdir()
    where = subprocess.run(
        [python, "-c", "import orca_exact, proofs_checks; print(orca_exact.__file__)"], cwd=folder,
        capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert str(site) in where.stdout, where.stderr
    for words in (["doctor"], ["tutorial"], ["claim", "eq-data"], ["schema", "problem-2"]):
        done = subprocess.run(
            [python, "-m", "orca_exact", *words], cwd=folder, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0 and done.stdout, done.stderr


def test_lower_bounds_are_written_one_way():
    """``nox -s lowest`` replaces ">=" by "==" and understands no other form."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    every = [
        *project["dependencies"],
        *(x for extra in project["optional-dependencies"].values() for x in extra),
    ]
    ours = re.compile(r"orca-exact\[[\w,-]+\]")
    assert all(re.fullmatch(r"[\w.-]+>=[\d.]+", x) or ours.fullmatch(x) for x in every)
