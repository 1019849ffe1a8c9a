"""What the guide and the READMEs show runs as it is shown, and the types are what they say."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import pliant

PAGES = [
    "README.md",
    "crates/pliant-python/README.md",
    "docs/src/guide/python.md",
    "docs/src/guide/python-calibrate.md",
    "docs/src/guide/python-dataset.md",
    "docs/src/guide/python-gripper.md",
]
STUDIES = "docs/src/guide/studies.md"


@pytest.mark.parametrize("page", PAGES)
def test_pages_run_as_they_are_pasted(page: str, tmp_path: Path) -> None:
    path = ROOT / page
    if not path.exists():
        pytest.skip("the sources are not there")
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert blocks, "there is no Python in it"
    if "scipy" in text and importlib.util.find_spec("scipy") is None:
        pytest.skip("scipy is not installed")
    (tmp_path / "page.py").write_text("\n".join(blocks), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout)


def blocks_of(page: str, kind: str) -> list[str]:
    path = ROOT / page
    if not path.exists():
        pytest.skip("the sources are not there")
    return re.findall(rf"^```{kind}\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The files of the page on studies, with a smaller sample."""
    for block in blocks_of(STUDIES, "toml"):
        name = block.partition("\n")[0].removeprefix("# ")
        (tmp_path / name).write_text(block.replace("samples = 16", "samples = 3"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("engine", ["dask.distributed", "ray"])
def test_engines_run_as_they_are_pasted(engine: str, study: Path) -> None:
    (block,) = [block for block in blocks_of(STUDIES, "python") if re.search(rf"^(from|import) {engine}\b", block, re.M)]
    if importlib.util.find_spec(engine.split(".")[0]) is None:
        pytest.skip(f"{engine} is not installed")
    (study / "page.py").write_text(block, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "page.py"], cwd=study, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    table = pliant.table(study / "study")
    assert table["state"] == ["finished"] * 6
    assert float(done.stdout.split()[-1]) == max(table["stretch.max"])


def test_the_rule_of_snakemake_runs_as_it_is_pasted(study: Path) -> None:
    (rule,) = blocks_of(STUDIES, "snakemake")
    if importlib.util.find_spec("snakemake") is None:
        pytest.skip("snakemake is not installed")
    (study / "Snakefile").write_text(rule, encoding="utf-8")
    (study / "bin").mkdir()
    program = study / "bin/pliant"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pliant "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    library = str(Path(pliant.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": library, "PATH": f"{study / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    pliant.expand(study / "study.toml", study / "study")
    for expected in ("7 of 7 steps", "Nothing to be done"):
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", "all"],
            cwd=study, env=environment, capture_output=True, text=True, timeout=300, check=False,
        )
        assert done.returncode == 0, done.stderr
        assert expected in done.stderr, done.stderr
    assert pliant.table(study / "study")["state"] == ["finished"] * 6


def mypy(*arguments: str, cwd: Path) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_sound(tmp_path: Path) -> None:
    # As sources: in an installed package mypy passes over errors.
    shutil.copytree(Path(pliant.__file__).parent, tmp_path / "pliant", ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    mypy("mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "pliant", cwd=tmp_path)


def test_stubs_are_those_of_the_library(tmp_path: Path) -> None:
    mypy("mypy.stubtest", "pliant._pliant", cwd=tmp_path)


def test_users_get_types(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(
        "import pliant\n"
        "sim = pliant.Simulation([pliant.cloth(pliant.TriMesh.grid((3, 3), (1, 1)), material='cotton')])\n"
        "hash: int = sim.state_hash\n"
        "frame: pliant.Frame = sim.step()\n"
        "wrong: str = sim.time\n"
    )
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert "user.py:5" in done.stdout and "Found 1 error" in done.stdout, done.stdout


@pytest.mark.parametrize("name", pliant.__all__)
def test_everything_public_is_documented(name: str) -> None:
    found = getattr(pliant, name)
    if name == "__version__":
        assert re.fullmatch(r"\d+\.\d+\.\d+.*", found)
        return
    assert found.__doc__, name
    members = vars(found) if isinstance(found, type) else {}
    for member, value in members.items():
        if not member.startswith("_") and callable(getattr(found, member)) and not isinstance(value, type):
            assert value.__doc__ or getattr(found, member).__doc__, f"{name}.{member}"
