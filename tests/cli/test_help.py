"""Tests of ``--help`` and its examples, of standard input, of ``--quiet``, the tutorial and completion."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import orca
from here import PROBLEMS, ROOT
from marks import not_windows, quick

from orca_exact import Problem, errors, solve
from orca_exact.cli.parser import EXIT_CODES, leaf_parsers, list_verbs, make_parser, run_command_line
from orca_exact.numbers.rationals import to_text

LONG = (
    "verify -j",
    "verify eq-data",
    "verify --section",
    "crosscheck --run",
    "tables",
    "figures",
    "report",
    "data",
    "certify examples/problems/xor.json --rocq",
    "check-certificate xor.v",
)  # these examples are parsed but not run

XOR = PROBLEMS / "xor.json"


def epilog(verb: str) -> str:
    top = make_parser(verb)
    (verbs,) = (action for action in top._actions if action.dest == "verb")
    return verbs.choices[verb].epilog


def examples(verb: str) -> list[str]:
    listed = epilog(verb).partition("examples:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in re.sub(r" \\\n +", " ", listed).splitlines()]


def words_of(command: str) -> list[str]:
    program, *words = shlex.split(command)
    assert program == "orca-exact", command
    return words


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the examples and the files that some of them read."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    problem = Problem.load(XOR)
    alpha = [to_text(x) for x in solve(problem).alpha]
    (tmp_path / "result.json").write_text(json.dumps({"id": problem.id, "alpha": alpha}))
    for words in ("certify {} -o cert.json", "reference {} -o ref.json"):
        assert orca(*words.format(XOR).split())[0] == 0
    return tmp_path


def piped(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


@pytest.mark.parametrize("verb", quick(list_verbs(), {*list_verbs()} - {"verify"}))  # judges all claims
def test_every_example_is_a_command_and_runs(verb, folder, monkeypatch):
    commands = examples(verb)
    assert commands and all(f"orca-exact {verb}" in command for command in commands)
    for command in commands:
        content = b""
        for part in command.split(" | "):
            if part.startswith("cat "):
                content = Path(part.removeprefix("cat ")).read_bytes()
                continue
            words = words_of(part)
            if " ".join(words).startswith(LONG):
                make_parser(words[0]).parse_args(words)
                continue
            piped(monkeypatch, content)
            code, out, err = orca(*words)
            assert code == 0, f"{part}\n{err}"
            content = out.encode()


def test_figures_of_the_examples_exist():
    from proofs_checks.experiments.figures import PLANS

    named = [make_parser("figures").parse_args(words_of(command)).only for command in examples("figures")]
    assert any(named) and all(name in PLANS for names in named for name in names or ())
    (top,) = (action for action in make_parser("figures")._actions if action.dest == "verb")
    (only,) = (action for action in top.choices["figures"]._actions if action.dest == "only")
    assert only.help.endswith(f": {', '.join(PLANS)}")


@pytest.mark.parametrize("verb", list_verbs())
def test_help_fits_a_narrow_terminal_but_for_commands(verb, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit):
        make_parser(verb).parse_args([verb, "--help"])
    told = (
        capsys.readouterr().out.partition("\n\n")[2].partition("\nexamples:")[0]
    )  # argparse does not break {...} into lines
    assert max(map(len, told.splitlines())) <= 60


def test_what_is_only_parsed_is_there():
    every = [
        " ".join(words_of(command))
        for verb in list_verbs()
        for command in examples(verb)
        if "|" not in command
    ]
    assert all(any(command.startswith(prefix) for command in every) for prefix in LONG)


@pytest.mark.parametrize("verb", ["", *list_verbs()])
def test_help_fits_80_columns_with_its_examples(verb, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    parser = make_parser(verb)
    (top,) = (action for action in parser._actions if action.dest == "verb")
    for leaf in leaf_parsers(top.choices[verb]) if verb else [parser]:
        leaf.print_help()
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_each_kind_of_study_has_its_own_example():
    (top,) = (action for action in make_parser("study")._actions if action.dest == "verb")
    for leaf in leaf_parsers(top.choices["study"]):
        shown = [line for line in leaf.epilog.splitlines() if line.startswith("  orca-exact ")]
        assert shown and all(line.startswith(f"  {leaf.prog} ") for line in shown)


@pytest.mark.parametrize("verb", list_verbs())
def test_every_help_has_examples_and_quiet_but_no_exit_codes(verb, capsys):
    (top,) = (action for action in make_parser(verb)._actions if action.dest == "verb")
    for leaf in leaf_parsers(top.choices[verb]):
        leaf.print_help()
        shown = capsys.readouterr().out
        assert "--quiet" in shown and "\nexamples:\n  " in shown and "exit codes" not in shown


def test_exit_codes_are_listed_in_the_help_of_all_verbs(capsys):
    make_parser("").print_help()
    shown = capsys.readouterr().out
    assert all(f"\n  {code}  {meaning}\n" in shown for code, meaning in EXIT_CODES.items())


@pytest.mark.parametrize(
    "words",
    [
        "problem t.csv --label x --n 3,2",
        "study sweep p.json --n 1,2",
        "study sweep p.json --C 1,10",
        "study noise p.json --delta 0.1,0.2",
        "path p.json --at 0.1,10",
        "verify eq-data,prop-1",
    ],
)
def test_a_list_with_commas_is_a_usage_error(words, capsys):
    with pytest.raises(SystemExit) as end:
        make_parser(words.split()[0]).parse_args(words.split())
    err = capsys.readouterr().err
    assert end.value.code == 2 and "has a comma; separate values by spaces, as in" in err


def test_a_file_after_a_list_is_a_usage_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").touch()
    hints = {"t.csv": "put files before the options", "2.5": "pass a whole number such as 2"}
    for text, hint in hints.items():
        with pytest.raises(SystemExit):
            make_parser("problem").parse_args(["problem", "--label", "x", "--n", "2", text])
        assert f"{text!r} is not an integer; {hint}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "no verb was given; start with 'orca-exact tutorial'"),
        (["profil"], "there is no verb 'profil'; did you mean 'profile'?"),
        (["xyz"], "start with 'orca-exact tutorial'"),
    ],
)
def test_a_missing_or_unknown_verb_is_a_usage_error(words, says, capsys):
    with pytest.raises(SystemExit) as end:
        run_command_line(words)
    assert end.value.code == 2 and says in capsys.readouterr().err


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_the_former_name_of_a_verb_works_and_names_the_new_one(quiet):
    words = [sys.executable, "-m", "orca_exact", "explain", "eq-kerneldef", "--format", "json", *quiet]
    end = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    assert end.returncode == 0 and json.loads(end.stdout)["claim"] == "eq-kerneldef"
    note = "note: 'explain' is now called 'claim'; the old name works for one more version\n"
    assert end.stderr == "" if quiet else end.stderr.startswith(note)  # then perhaps progress
    assert "claim" in list_verbs() and "explain" not in list_verbs()


def test_exit_codes_of_errors_are_listed():
    codes = {error.exit_code for error in vars(errors).values() if hasattr(error, "exit_code")}
    assert codes == {1, 2, 3, 4, 5} and codes | {0, 130} == set(EXIT_CODES)


def test_help_of_all_tells_how_to_complete(capsys):
    with pytest.raises(SystemExit):
        make_parser("").parse_args(["--help"])
    shown = capsys.readouterr().out
    assert all(verb in shown for verb in list_verbs()) and "register-python-argcomplete orca-exact" in shown


# Standard input.


@pytest.mark.parametrize(
    "words",
    ["profile -", "certify -", "path -", "reference -", "reference - --format json", "certify - --level gap"],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_a_problem_from_standard_input(words, packed, monkeypatch):
    raw = XOR.read_bytes()
    piped(monkeypatch, gzip.compress(raw) if packed else raw)
    code, out, err = orca(*words.split())
    assert (code, err) == (0, "")
    named = words.replace("-", str(XOR), 1).split()
    same = orca(*named)[1].replace(str(XOR), "-")
    assert out.replace("PROBLEM", "-").splitlines()[:5] == same.splitlines()[:5]


def test_other_files_from_standard_input(folder, monkeypatch):
    for words, file in (
        ("check-certificate -", "cert.json"),
        ("crosscheck ref.json -", "result.json"),
        ("crosscheck - result.json", "ref.json"),
        (f"certify {XOR} --level ball --solution -", "result.json"),
    ):
        piped(monkeypatch, Path(file).read_bytes())
        assert orca(*words.split())[::2] == (0, ""), words
    piped(monkeypatch, b"\\begin{document}\nno paper\n\\end{document}\n")
    code, out, _ = orca("claim", "eq-data", "--paper", "-")
    assert code == 0 and "not the file that the ledger refers to" in out


@pytest.mark.parametrize(
    ("words", "content", "says"),
    [
        ("profile -", b"", "standard input: is empty or has been read already; give the name of a file"),
        ("profile -", b"{", "standard input: is not JSON"),
        ("profile -", b"{}", "standard input: the field 'X' is missing"),
        ("check-certificate -", b"{}", "standard input: not a certificate"),
        ("reference - -", XOR.read_bytes(), "standard input: is empty or has been read already"),
        ("crosscheck - -", b"{}\n{", "standard input:2: is not JSON"),
        ("problem - --label x --n 1", b"\xff", "standard input: the content is not UTF-8"),
    ],
)
def test_an_error_names_standard_input(words, content, says, monkeypatch):
    piped(monkeypatch, content)
    code, out, err = orca(*words.split())
    assert (code, out, err.count("\n")) == (4, "", 1) and says in err


@not_windows
def test_a_real_pipe():
    done = subprocess.run(
        f"cat {shlex.quote(str(XOR))} | {shlex.quote(sys.executable)} -m orca_exact profile - -q --digits 5",
        shell=True, capture_output=True, encoding="utf-8", cwd=ROOT,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "") and "OKC^(2)" in done.stdout
    closed = subprocess.run(
        [sys.executable, "-m", "orca_exact", "profile", "-"], preexec_fn=lambda: os.close(0),
        capture_output=True, encoding="utf-8", cwd=ROOT,
    )  # fmt: skip
    assert closed.returncode == 4 and "standard input: is empty" in closed.stderr


# Quiet.


@pytest.mark.parametrize(
    "words",
    [
        f"profile {XOR}", f"path {XOR}", f"path {XOR} -o made.json", f"certify {XOR} -o made.json",
        f"certify {XOR} --solution result.json", f"reference {XOR} -o made.json",
        "verify -j 1 eq-data eq-kernel*", "crosscheck ref.json wrong.json", "tutorial",
    ],
)  # fmt: skip
def test_quiet_drops_hints_and_nothing_else(words, folder):
    result = json.loads(Path("result.json").read_text(encoding="utf-8"))
    Path("wrong.json").write_text(json.dumps(result | {"norm2": "1"}), encoding="utf-8")
    told = orca(*words.split())
    for made in Path().glob("tea.*"):
        made.unlink()
    hushed = orca(*words.split(), "--quiet")
    assert told[0] == hushed[0] and hushed[2] == ""
    hints = ("next:", "orca-exact report", "orca-exact claim", "--formal")
    assert any(hint in told[1] for hint in hints) and not any(hint in hushed[1] for hint in hints)
    whole, part = ([line for line in x[1].splitlines() if " claims in " not in line] for x in (told, hushed))
    lines = iter(whole)
    assert all(any(line.startswith(kept) for line in lines) for kept in part)  # in order
    assert len(whole) - len(part) <= (17 if words == "tutorial" else 6)  # its four commands are quiet too


def test_quiet_errors_remain_and_announcements_do_not(folder, monkeypatch):
    code, out, err = orca("profile", "absent.json", "--quiet")
    assert (code, out) == (4, "") and "absent.json" in err
    monkeypatch.setattr("orca_exact.cost.LONG_SECONDS", 0.0)
    assert "this can take long" in orca("certify", str(XOR))[2]
    assert orca("certify", str(XOR), "-q")[2] == ""
    assert orca("check-certificate", "cert.json", "-q")[2] == ""


# Progress messages.


def test_certify_and_the_checker_tell_what_they_begin():
    from orca_exact import certify, checker, path

    problem, told = Problem.load(XOR), []
    for level in ("exact", "ball", "gap", "float"):
        told.clear()
        certify(problem, level=level, progress=told.append)
        assert told and told[0].startswith("solving"), level
    told.clear()
    certificate = certify(problem, progress=told.append)
    assert [line.split(":")[0] for line in told[2:]] == [
        "computing the Gram matrix over Q", "solving over Q", "proving every condition over Q",
    ]  # fmt: skip
    told.clear()
    checker.check(certificate.to_json(), told.append)
    assert told[0] == "reading every number"
    assert "the Gram matrix: 7 of 8 rows" in told and told[-1] == "claims"
    told.clear()
    checker.check(path(problem, level="exact").to_json(), told.append)
    assert told[0].startswith("segment 1 of ")


# The tutorial.


def test_the_tutorial_in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = orca("tutorial")
    assert (code, err) == (0, "")
    shown = [line.removeprefix("$ orca-exact ") for line in out.splitlines() if line.startswith("$ ")]
    assert [line.split()[0] for line in shown] == ["problem", "profile", "certify", "check-certificate"]
    assert "temperature × minutes" in out and "accepted at level exact" in out
    left = sorted(file.name for file in tmp_path.iterdir())
    assert left == ["tea.cert.json", "tea.csv", "tea.json"]
    assert "Files written: tea.csv, tea.json, tea.cert.json." in out
    for command in shown:  # each command also runs by itself
        assert orca(*shlex.split(command))[0] == 0
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    code, _, err = orca("tutorial")
    assert code == 4 and "tea.csv: the file exists already" in err
    assert before == {file: file.read_bytes() for file in tmp_path.iterdir()}
    assert orca("tutorial", "--folder", "one more")[0] == 0
    assert sorted(file.name for file in (tmp_path / "one more").iterdir()) == left


# Completion as bash requests it.

ASK = """
eval "$(register-python-argcomplete orca-exact)"
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_KEY=9 COMPREPLY=()
spec=$(complete -p orca-exact); function=${spec##*-F }
${function%% *} orca-exact "" "" 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
@pytest.mark.parametrize(
    ("line", "offers", "not_offers"),
    [
        ("orca-exact ver", {"verify"}, {"claim"}),
        ("orca-exact ", {"problem", "tutorial", "--version"}, {"examples/"}),
        ("orca-exact verify --o", {"--only", "--offline"}, {"--list"}),
        ("orca-exact verify --only ", {"refuted", "undecided"}, {"eq-data"}),
        ("orca-exact claim eq-dat", {"eq-data"}, {"eq-kernel"}),
        ("orca-exact verify eq-data eq-sec4-2-const", {"eq-sec4-2-constant-bias"}, {"eq-data"}),
        ("orca-exact profile examples/problems/x", {"examples/problems/xor.json"}, {"examples/tea.csv"}),
        ("orca-exact profile x --arithmetic v", {"verified"}, {"ball"}),
        ("orca-exact profile x --digits ", set(), {"examples/"}),
        ("orca-exact figures -o exam", {"examples/"}, set()),
        ("orca-exact figures --only fig", {"fig1", "fig2"}, set()),
        ("orca-exact schema problem", {"problem", "problem-2"}, {"path"}),
        ("orca-exact crosscheck --vector v00", {"v001", "v009"}, {"v010"}),
        ("orca-exact crosscheck --flag Herm", {"Hermite"}, {"Laguerre"}),
    ],
)  # fmt: skip
def test_completion_in_bash(line, offers, not_offers):
    pytest.importorskip("argcomplete")
    scripts = str(Path(sys.executable).parent)
    if not (Path(scripts) / "register-python-argcomplete").exists():
        pytest.skip("argcomplete is installed elsewhere")
    done = subprocess.run(
        ["bash", "--norc", "-c", ASK, "bash", line], capture_output=True, encoding="utf-8", cwd=ROOT,
        env=os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
    )  # fmt: skip
    offered = {word.strip() for word in done.stdout.splitlines()}
    assert offers <= offered and not not_offers & offered, done.stderr


def test_completion_costs_nothing_when_nobody_asks():
    code = (
        "import sys; sys.argv = ['orca-exact', 'schema']; from orca_exact.__main__ import main\ntry: main()\n"
    )
    code += "finally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", cwd=ROOT)
    assert done.returncode == 0 and "argcomplete" not in done.stderr.split()
