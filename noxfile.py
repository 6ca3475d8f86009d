"""Sessions of nox: lint, types, docs, and the tests on each installed Python from 3.11 to 3.14.

``nox -s coverage`` shows the lines that no test runs. Arguments after ``--`` are passed to pytest:
``nox -s tests -- tests/svm`` runs one folder, ``nox -s tests -- -m slow`` the slow tests.
"""

import re
import tomllib
from pathlib import Path

import nox

nox.options.default_venv_backend = "venv"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "types", "docs", "tests"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
TESTS = ("python", "-m", "pytest", "-n", "auto")
MEASURED = {"COVERAGE_CORE": "sysmon"}  # almost no cost; needs Python 3.12
LEAST = 95  # percent of the lines of the library that the quick tests run


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, format, import contracts, and the files for the host against their schemas."""
    session.install("ruff>=0.6", "import-linter>=2.16", "check-jsonschema>=0.39")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-logo", "--no-cache")
    forms = (path for path in Path(".github/ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
    for schema, files in {
        "vendor.github-workflows": Path(".github/workflows").glob("*.yml"),
        "vendor.github-issue-forms": forms,
        "vendor.citation-file-format": [Path("CITATION.cff")],
    }.items():
        session.run("check-jsonschema", "--builtin-schema", schema, *map(str, files))


@nox.session
def types(session: nox.Session) -> None:
    """Run mypy for each system and pyright, with the libraries whose types they read."""
    session.install("-e", ".[test]", "mypy>=1.11", "pyright>=1.1.400")
    for system in ("linux", "darwin", "win32"):  # a function that a system lacks is an error
        session.run("mypy", "--platform", system)
    session.run("pyright")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation in ``site/``; a warning is an error."""
    session.install("-e", ".[docs]")
    session.run("sphinx-build", "-W", "-b", "html", "docs", "site", *session.posargs)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the quick tests; from Python 3.12 on fail if all of them run less than 95 % of the lines."""
    session.install("-e", ".[coverage]")
    if session.python == "3.11" or session.posargs:
        session.run(*TESTS, *session.posargs)
    else:
        options = ("--cov", "--cov-report=term:skip-covered", f"--cov-fail-under={LEAST}")
        session.run(*TESTS, *options, env=MEASURED)


@nox.session(python=PYTHONS[0])
def lowest(session: nox.Session) -> None:
    """Run the tests with the lowest version of each library that pyproject.toml allows."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    tools = [x for name, extra in extras if name not in ("coverage", "dev", "docs") for x in extra]
    others = ("orca-exact[", "import-linter")  # import-linter needs a newer rich
    wanted = {x for x in project["dependencies"] + tools if not x.startswith(others)}
    pins = sorted(x.replace(">=", "==") for x in wanted)
    session.install("-e", ".", *pins)
    session.run(*TESTS, *session.posargs)


@nox.session(python=PYTHONS)
def package(session: nox.Session) -> None:
    """Install the wheel in an empty environment and run it from an empty folder, as pipx does."""
    session.install("build")
    made = session.create_tmp()
    session.run("python", "-m", "build", "--outdir", made, ".")
    (wheel,) = Path(made).glob("*.whl")
    session.run("pip", "uninstall", "-y", "-q", "build")
    session.install("--force-reinstall", str(wheel))
    session.chdir(made)
    session.run("orca-exact", "doctor")
    session.run("orca-exact", "tutorial", "--folder", "tutorial")
    session.run("orca-exact", "verify", "--offline", "--section", "3")


@nox.session
def release(session: nox.Session) -> None:
    """Build the files of a release in ``dist/`` from a clean clone: nox -s release -- v1.2.3."""
    (tag,) = session.posargs or session.error("name the tag: nox -s release -- v1.2.3")
    (version,) = re.findall(
        r'__version__ = "(.+?)"', Path("orca_exact/__init__.py").read_text(encoding="utf-8")
    )
    cited, changes = (
        Path("CITATION.cff").read_text(encoding="utf-8"),
        Path("CHANGELOG.md").read_text(encoding="utf-8"),
    )
    wrong = {
        f"the tag is {tag}, but orca_exact/__init__.py has the version {version}": tag != f"v{version}",
        "CITATION.cff has another version": f"\nversion: {version}\n" not in cited,
        "CHANGELOG.md does not describe this version": f"\n## {version} (" not in changes,
        "changelog.d still has fragments; run towncrier": len(list(Path("changelog.d").glob("*.md"))) > 1,
        "there are uncommitted changes": session.run(
            "git", "status", "--porcelain", external=True, silent=True
        ),
        "dist/ is not empty": Path("dist").is_dir() and any(Path("dist").iterdir()),
    }
    if found := [message for message, holds in wrong.items() if holds]:
        session.error("; ".join(found))
    session.install("build", "twine")
    session.run("python", "-m", "build", "--outdir", "dist", ".")
    session.run("twine", "check", "--strict", *map(str, Path("dist").iterdir()))


@nox.session(python="3.12")
def coverage(session: nox.Session) -> None:
    """Run all tests once and show the lines that no test runs."""
    session.install("-e", ".[coverage]")
    options = ("-m", "", "--cov", "--cov-report=term-missing:skip-covered")
    session.run(*TESTS, *options, *session.posargs, env=MEASURED)


@nox.session(python=PYTHONS[0])
def mutation(session: nox.Session) -> None:
    """Test whether the tests detect changes of a module: nox -s mutation -- orca_exact/numbers/midrad.py."""
    session.install("-e", ".[test]", "cosmic-ray>=8.7")
    session.run("python", "-m", "benchmarks.mutation", *session.posargs)


@nox.session(python=PYTHONS[0])
def oracle(session: nox.Session) -> None:
    """Compare every proved number of 10,000 random problems with an oracle that shares no code with us."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "benchmarks.oracle", *(session.posargs or ("--jobs", "2")))


@nox.session(python=PYTHONS[0])
def fuzz(session: nox.Session) -> None:
    """Fuzz the readers, the checker and paths; by default 3000 inputs of each."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "benchmarks.fuzz", *(session.posargs or ("--count", "3000")))
