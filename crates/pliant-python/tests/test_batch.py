"""Many worlds side by side, and data sets."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import hanging

import pliant


def worlds(count: int) -> list[pliant.Scene]:
    mesh = pliant.TriMesh.grid((7, 7), (1.0, 1.0))
    return [
        pliant.Scene.of([pliant.cloth(mesh, name="sheet", edges={"compliance": 1e-6 * (1 + k)}, pin=[0, 6])])
        for k in range(count)
    ]


def test_each_world_has_the_bits_that_it_has_alone() -> None:
    scenes = worlds(9)
    alone = []
    for scene in scenes:
        sim = scene.build(threads=1)
        x = []
        for _ in range(3):
            sim.advance(2)
            x.append(sim["sheet"].positions())
        alone.append((sim.state_hash, np.stack(x)))
    for threads in (1, 2, 5):
        batch = pliant.Batch(scenes, threads=threads)
        x = batch.rollout(6, every=2)
        assert x.shape == (9, 3, 49, 3) and x.dtype == np.float32
        assert batch.state_hashes == [state for state, _ in alone]
        assert np.array_equal(x, np.stack([positions for _, positions in alone]))
    assert len(set(batch.state_hashes)) == 9 and len(batch) == 9
    assert np.array_equal(batch.positions(), x[:, -1])
    out = np.empty((9, 1, 49, 3), np.float32)
    assert batch.rollout(3, every=3, out=out) is out and np.array_equal(batch.positions(), out[:, 0])


def test_what_does_not_fit_is_refused() -> None:
    batch = pliant.Batch(worlds(2))
    with pytest.raises(ValueError, match="shape"):
        batch.rollout(4, out=np.empty((2, 3, 49, 3), np.float32))
    with pytest.raises(TypeError, match="float32"):
        batch.rollout(4, out=np.empty((2, 4, 49, 3)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 1"):
        batch.rollout(4, every=0)
    with pytest.raises(ValueError, match="at least one world"):
        pliant.Batch([])
    with pytest.raises(ValueError, match="25 to 49 particles"):
        pliant.Batch([*worlds(1), hanging(5)]).rollout(1)
    sim = hanging()
    with pytest.raises(ValueError, match="world 1 is in the batch twice"):
        pliant.Batch([sim, sim]).advance()
    with pytest.raises(ValueError, match="threads"):
        pliant.Batch(worlds(1), threads=0)


def test_a_world_that_breaks_down_is_named() -> None:
    batch = pliant.Batch(worlds(5))
    batch[3]["sheet"].set_force(12, (1e300, 0, 0))
    with pytest.raises(pliant.StepError, match="world 3") as caught:
        batch.advance(3)
    assert caught.value.world == 3 and caught.value.body == "sheet"


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_stops_a_batch() -> None:
    batch = pliant.Batch(worlds(3))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.advance(10_000_000)
    timer.join()
    assert batch[0].frame == batch[2].frame > 0


def test_data_sets(tmp_path: Path) -> None:
    scenes = worlds(3)
    mesh = pliant.TriMesh.grid((7, 7), (1.0, 1.0))
    x = pliant.Batch(scenes).rollout(4, every=2)
    path = tmp_path / "d.npz"
    pliant.write_dataset(path, x, mesh, fps=30, parameters={"compliance": [1e-6, 2e-6, 3e-6]})
    data = np.load(path)
    assert data["vertices_seq"].shape == (3, 2, 49, 3) and data["faces"].shape == (72, 3)
    assert data["fps"] == 30 and data["parameters/compliance"][1] == 2e-6 and data["edges"].shape[1] == 2
    with pytest.raises(ValueError, match="3 sequences"):
        pliant.write_dataset(path, x, mesh, fps=30, parameters={"compliance": [1e-6]})
    with pytest.raises(ValueError, match="not finite, first in frame 1 of sequence 2"):
        x[2, 1, 5, 0] = np.nan
        pliant.write_dataset(path, x, mesh, fps=30)
    assert np.isfinite(np.load(path)["vertices_seq"]).all()  # what was there is still there
    solid = pliant.TetMesh.ball(1, 2)
    pliant.write_dataset(path, solid.positions[np.newaxis], solid, fps=60)
    assert np.load(path)["tets"].shape == solid.tets.shape
    assert [file.name for file in tmp_path.iterdir()] == ["d.npz"]
