"""Tests that the notebooks are stored with their outputs, and print the same text again when they run."""

from __future__ import annotations

import json

import pytest
from here import EXAMPLES

NOTEBOOKS = {
    "iris.ipynb": {
        "text": [
            "150 points, 81 modes, sepal length",
            "accepted at level exact",
            "complementarity: y_i g_i = 1",
            "the largest:",
        ],
        "files": ["iris.csv", "iris.certificate.json", "iris.svg"],
    }
}


def test_every_notebook_is_known():
    assert {file.name for file in EXAMPLES.glob("*.ipynb")} == NOTEBOOKS.keys()


def printed(cells) -> list[str]:
    """Return the text that each cell of code prints."""
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    parts = [
        [output["text"] for output in cell["outputs"] if output.get("name") == "stdout"] for cell in code
    ]  # a slow machine also writes progress to stderr
    return ["".join(text if isinstance(text, str) else "".join(text) for text in part) for part in parts]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_outputs_are_stored_in_order(name):
    cells = json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(printed(cells))
    for words in NOTEBOOKS[name]["text"]:
        assert words in "".join(printed(cells))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert any("image/png" in output.get("data", {}) for output in outputs), "no picture is shown"
    assert not any(output.get("name") == "stderr" for output in outputs)


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs(name, tmp_path, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    for package in ("ipykernel", "sklearn", "matplotlib", "pandas"):
        pytest.importorskip(package)
    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(variable, str(tmp_path / "home" / variable))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    folder = tmp_path / "work"
    for made in (folder, tmp_path / "home"):
        made.mkdir()
    notebook = nbformat.read(EXAMPLES / name, as_version=4)
    stored = printed(notebook.cells)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert printed(notebook.cells) == stored, "run the notebook and store it"
    assert any("image/png" in output.get("data", {}) for output in outputs), "no picture is shown"
    assert {file.name for file in folder.iterdir()} == set(NOTEBOOKS[name]["files"])
