"""Tests that the notebooks run, print the expected text, and are stored without outputs."""

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


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_outputs_are_stored(name):
    cells = json.loads((EXAMPLES / name).read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None, cell["source"][:1]


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
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    printed = "".join(output.get("text", "") for output in outputs)
    for words in NOTEBOOKS[name]["text"]:
        assert words in printed
    assert any("image/png" in output.get("data", {}) for output in outputs), "no picture is shown"
    assert not any(output.get("name") == "stderr" for output in outputs)
    assert {file.name for file in folder.iterdir()} == set(NOTEBOOKS[name]["files"])
