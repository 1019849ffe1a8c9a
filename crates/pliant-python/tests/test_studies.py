"""Studies: units, their runs, tables."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import pliant

SCENE = """frames = 30
[solver]
substeps = 4
[[body]]
name = "sheet"
mesh = { grid = { vertices = [9, 9], size = [0.5, 0.5] } }
edges = { compliance = 1e-6 }
pin = [{ vertices = [0, 8] }]
[output]
formats = ["pc2"]
"""

STUDY = """scene = "sheet.toml"
[vary]
"solver.substeps" = [3, 5]
"body.0.edges.compliance" = { log = [1e-8, 1e-4] }
[sample]
method = "sobol"
samples = 3
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "sheet.toml").write_text(SCENE)
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path / "study.toml"


def test_a_study_from_its_file_to_a_table(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    units = pliant.expand(study, out)
    assert len(units) == 6 and len(pliant.expand(study, out, shard="2/3")) == 2
    hashes = {unit.name: pliant.ensure(unit).state_hash for unit in units}
    before = {unit: (unit / "run" / "run.json").stat().st_mtime_ns for unit in units}
    again = {unit.name: pliant.ensure(unit).state_hash for unit in units}
    assert again == hashes and len(set(hashes.values())) == 6
    assert before == {unit: (unit / "run" / "run.json").stat().st_mtime_ns for unit in units}
    table = pliant.table(out)
    assert table["unit"] == sorted(hashes) and set(table["state"]) == {"finished"}
    assert [int(found, 16) for found in table["state_hash"]] == [hashes[unit] for unit in table["unit"]]
    parameters = json.loads((out / "units" / table["unit"][0] / "parameters.json").read_text())
    assert {key: table[key][0] for key in parameters} == parameters
    assert all(value > 0 for value in table["stretch.max"])


def test_the_program_finds_the_units_whole(study: Path, tmp_path: Path) -> None:
    for unit in pliant.expand(study, tmp_path / "out"):
        pliant.ensure(unit)
    command = [sys.executable, "-m", "pliant", "sweep", str(study), "-o", str(tmp_path / "out"), "--run"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "0 finished, 6 were there before" in done.stdout


def test_parquet(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "study.toml").write_text(STUDY + '[set]\n"frames" = 2\n')
    for unit in pliant.expand(study, out)[:4]:
        pliant.ensure(unit)
    if importlib.util.find_spec("pyarrow") is None:
        with pytest.raises(ImportError, match="pip install pyarrow"):
            pliant.write_table(tmp_path / "table.parquet", out)
        pytest.skip("pyarrow is not installed")
    import pyarrow.parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]

    pliant.write_table(tmp_path / "table.parquet", out)
    read = pyarrow.parquet.read_table(tmp_path / "table.parquet").to_pydict()
    assert read == pliant.table(out)
    assert read["state"].count("waiting") == 2 and read["stretch.max"].count(None) == 2


def test_what_is_wrong_has_a_line(study: Path, tmp_path: Path) -> None:
    study.write_text(STUDY.replace("solver.substeps", "solver.substep"))
    with pytest.raises(pliant.SceneError, match=r"study.toml:3:1: solver.substep = 3: unknown field `substep`"):
        pliant.expand(study, tmp_path / "out")
    with pytest.raises(pliant.SceneError, match="such as 3/16"):
        pliant.expand(study, tmp_path / "out", shard="3")
    with pytest.raises(pliant.SceneError, match="holds no units"):
        pliant.table(tmp_path / "nowhere")
    with pytest.raises(pliant.SceneError, match="scene.toml"):
        pliant.ensure(tmp_path / "nowhere")


def test_ensure_knows_what_it_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "sheet.toml").write_text(SCENE)
    scene, out = tmp_path / "sheet.toml", tmp_path / "run"
    first = pliant.run(scene, out=out, ensure=True)
    assert pliant.run(scene, out=out, ensure=True).state_hash == first.state_hash
    with pytest.raises(pliant.RunError, match="another scene, or with other options"):
        pliant.run(scene, out=out, ensure=True, overrides={"solver.substeps": 9})
    with pytest.raises(ValueError, match="choose one"):
        pliant.run(scene, out=out, ensure=True, resume=True)
    with pytest.raises(ValueError, match="give out"):
        pliant.run(scene, ensure=True)


def long_study(folder: Path, units: int) -> Path:
    """A study whose units take long enough to be killed."""
    (folder / "sheet.toml").write_text(SCENE.replace("[9, 9]", "[21, 21]").replace("frames = 30", "frames = 120"))
    (folder / "study.toml").write_text(
        f'scene = "sheet.toml"\n[vary]\n"body.0.edges.compliance" = {{ log = [1e-8, 1e-4], steps = {units} }}\n'
    )
    return folder / "study.toml"


def test_killed_workers_of_dask_change_no_bit(tmp_path: Path) -> None:
    """Workers are killed while they run units; the scheduler starts others, and the hashes are those of an undisturbed study."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("dask and distributed are not installed")
    # In a process of its own, as users have it: the workers import what the client has.
    study = long_study(tmp_path, 64)
    calm = {unit.name: pliant.ensure(unit).state_hash for unit in pliant.expand(study, tmp_path / "calm")}
    script = tmp_path / "client.py"
    script.write_text(
        """
import os, random, signal, sys, time
import pliant
from dask.distributed import Client, LocalCluster

def hash_of(unit):
    return unit.name, pliant.ensure(unit).state_hash

if __name__ == "__main__":
    study, out = sys.argv[1:]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        units = pliant.expand(study, out)
        futures = client.map(hash_of, units, retries=20, pure=False)
        kills, dice = 0, random.Random(1)
        while kills < 3 and not all(future.done() for future in futures):
            time.sleep(0.5 + dice.random())
            # Victims are workers of this cluster, by the numbers that they give.
            ours = list(client.run(os.getpid).values())
            if ours:
                os.kill(dice.choice(ours), signal.SIGKILL)
                kills += 1
        found = dict(client.gather(futures))
    print(kills, *(f"{name}={value}" for name, value in sorted(found.items())))
"""
    )
    done = subprocess.run(
        [sys.executable, str(script), str(study), str(tmp_path / "killed")], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    kills, *found = done.stdout.split()
    assert int(kills) >= 1, "no worker was killed"
    assert {name: int(value) for name, value in (one.split("=") for one in found)} == calm


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_a_signal_to_the_script_makes_a_checkpoint(tmp_path: Path) -> None:
    study = long_study(tmp_path, 2)
    command = [sys.executable, "-m", "pliant", "sweep", str(study), "-o", str(tmp_path / "out"), "--run", "-q"]
    child = subprocess.Popen(command)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "out").glob("units/*/run/run.unfinished")) and child.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    child.send_signal(signal.SIGTERM)
    assert child.wait(60) in (0, 75)
    subprocess.run(command, check=True)
    assert set(pliant.table(tmp_path / "out")["state"]) == {"finished"}


def test_positions_of_a_unit_are_its_cache(study: Path, tmp_path: Path) -> None:
    unit = pliant.expand(study, tmp_path / "out")[0]
    positions = pliant.ensure(unit).positions("sheet")
    assert positions.shape == (31, 81, 3) and np.isfinite(positions).all()
