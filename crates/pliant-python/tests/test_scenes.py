"""Scenes from files, text and descriptions; what is wrong with them; runs to folders; one hash whoever runs them."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import hanging

import pliant

HANGING = """
frames = 12

[solver]
substeps = 8

[[body]]
name = "sheet"
mesh = { grid = { vertices = [9, 9], size = [1.0, 1.0] } }
material = "cotton"
pin = [{ vertices = [0, 8] }]
"""


def program(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The program, as the script of the package runs it."""
    script = Path(sys.executable).parent / "pliant"
    installed = script.exists() and script.parent.parent in Path(pliant.__file__).parents
    command = [*([script] if installed else [sys.executable, "-m", "pliant"]), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


def test_one_hash_whoever_runs_the_scene(tmp_path: Path) -> None:
    path = tmp_path / "hanging.toml"
    path.write_text(HANGING)
    scene = pliant.Scene(path)
    sim = scene.build()
    sim.advance(scene.frames)
    # The program.
    done = program("run", path, "-o", tmp_path / "by-program", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    hashes = [json.loads((tmp_path / "by-program" / "run.json").read_text())["summary"]["state_hash"]]
    # The library, to a folder.
    run = pliant.run(path, out=tmp_path / "by-library")
    assert run.state_hash == sim.state_hash == int(hashes[0], 16)
    # The same from arrays.
    described = hanging(substeps=8)
    described.advance(12)
    assert described.state_hash == sim.state_hash
    assert np.array_equal(run.positions("sheet")[-1], sim["sheet"].positions())


def test_the_bits_that_rust_has() -> None:
    """The bits of the examples after sixteen frames are pinned in a test of pliant-scene."""
    source = Path(__file__).resolve().parents[2] / "pliant-scene" / "tests" / "it" / "pinned.rs"
    if not source.exists():
        pytest.skip("the sources of pliant-scene are not there")
    pinned = re.findall(r'\("([\w-]+)", 0x(\w+), 0x(\w+)\)', source.read_text())
    assert len(pinned) > 10
    for name, single, double in pinned:
        if name not in ("cloth", "chain", "corners", "balloon"):
            continue
        for precision, expected in (("f32", single), ("f64", double)):
            sim = pliant.Scene.template(name, overrides={"precision": precision}).build()
            sim.advance(16)
            assert sim.state_hash == int(expected, 16), (name, precision)


def test_a_described_scene_is_a_file_too(tmp_path: Path) -> None:
    mesh = pliant.TriMesh.grid((9, 9), (1.0, 1.0))
    scene = pliant.Scene.of(
        [
            pliant.cloth(mesh, name="sheet", material="cotton", pin=[0, 8], start=mesh.positions * (1.1, 1, 1)),
            pliant.mesh_obstacle(pliant.TriMesh.icosphere(0.2, 3).translated((0, -0.5, 0)), name="ball"),
        ],
        obstacles=[pliant.floor(-2), pliant.sdf(pliant.TriMesh.icosphere(0.2, 3).translated((0, -1, 0)), 0.05)],
        frames=6,
    )
    sim = scene.build()
    sim.advance(6)
    scene.save(tmp_path / "saved.toml")
    loaded = pliant.Scene(tmp_path / "saved.toml").build()
    loaded.advance(6)
    assert loaded.state_hash == sim.state_hash
    done = program("run", "saved.toml", "-o", "out", "--quiet", cwd=tmp_path)
    assert done.returncode in (0, 4), done.stderr
    assert pliant.RunResult(tmp_path / "out").state_hash == sim.state_hash
    twin = pickle.loads(pickle.dumps(scene)).build()
    twin.advance(6)
    assert twin.state_hash == sim.state_hash
    # The folder of a run of arrays can be looked at by itself, and is known again.
    first = pliant.run(scene, out=tmp_path / "arrays")
    assert pliant.run(scene, out=tmp_path / "arrays", resume=True).state_hash == first.state_hash == sim.state_hash
    other = pliant.Scene.parse(scene.text, meshes={**scene.meshes, "meshes/ball.vtu": pliant.TriMesh.icosphere(0.2, 4)})
    with pytest.raises(pliant.RunError, match="another scene"):
        pliant.run(other, out=tmp_path / "arrays", resume=True)
    done = program("certify", "arrays", cwd=tmp_path)
    assert done.returncode in (0, 3, 4), done.stderr


def test_errors_point_into_the_file(tmp_path: Path) -> None:
    with pytest.raises(pliant.SceneError) as caught:
        pliant.Scene.parse(HANGING.replace("substeps = 8", "substeps = 0"), name="hanging.toml")
    error = caught.value
    assert isinstance(error, ValueError) and not isinstance(error, pliant.BuildError)
    assert (error.file, error.line, error.column, error.key) == ("hanging.toml", 5, 12, "solver.substeps")
    with pytest.raises(pliant.SceneError, match="did you mean `material`") as caught:
        pliant.Scene.parse(HANGING.replace("material", "materiel"))
    assert caught.value.line == 10
    with pytest.raises(pliant.SceneError, match="no such file"):
        pliant.Scene(tmp_path / "missing.toml")


def test_errors_of_descriptions_name_the_key() -> None:
    mesh = pliant.TriMesh.grid((3, 3), (1.0, 1.0))
    cases = [
        (dict(young=-1.0, poisson=0.3, thickness=1e-3), "body[0].material.young"),
        (dict(material="coton"), "body[0].material"),
        (dict(material="cotton", area_density=float("nan")), "body[0].area_density"),
        (dict(material="cotton", name="a/b"), "body[0].name"),
    ]
    for keys, key in cases:
        with pytest.raises(pliant.SceneError) as caught:
            pliant.Simulation([pliant.cloth(mesh, **keys)])  # type: ignore[arg-type]
        assert (caught.value.key, caught.value.line) == (key, None), str(caught.value)
    with pytest.raises(pliant.SceneError, match="complaince.*did you mean `compliance`") as caught:
        pliant.Simulation([pliant.cloth(mesh, material="cotton"), pliant.cloth(mesh, edges={"complaince": 1e-6})])
    assert caught.value.key == "body[1].edges"
    with pytest.raises(TypeError, match="TetMesh"):
        pliant.solid(mesh)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pliant.cloth"):
        pliant.Simulation([mesh])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="9 vertices"):
        pliant.cloth(mesh, pin=[9])
    with pytest.raises(ValueError, match="mask"):
        pliant.cloth(mesh, pin=np.zeros(8, bool))
    with pytest.raises(ValueError, match="9 vertices"):
        pliant.cloth(mesh, start=np.zeros((8, 3)))
    with pytest.raises(TypeError, match="float16"):
        pliant.Simulation([pliant.cloth(mesh, material="cotton")], dtype="float16")
    with pytest.raises(pliant.SceneError, match="no body"):
        pliant.Simulation([])


def test_a_mesh_that_cannot_be_simulated_is_named_with_its_element() -> None:
    good = pliant.TetMesh.block((1, 1, 1), (1, 1, 1))
    tets = good.tets
    tets[2] = tets[2][[0, 1, 3, 2]]
    turned = pliant.TetMesh(good.positions, tets)
    with pytest.raises(pliant.BuildError, match="tetrahedron 2") as caught:
        pliant.Simulation([pliant.solid(good, material="rubber"), pliant.solid(turned, name="bad", material="rubber")])
    assert (caught.value.body, caught.value.element) == ("bad", ("tetrahedron", 2))
    assert caught.value.key is not None and caught.value.key.startswith("body[1]")
    flat = pliant.TriMesh([[0, 0, 0], [1, 0, 0], [0, 0, 1], [2, 0, 0]], [[0, 2, 1], [0, 1, 3]])
    with pytest.raises(pliant.BuildError, match="triangle 1") as caught:
        pliant.Simulation([pliant.cloth(flat, material="cotton")])
    assert (caught.value.body, caught.value.element) == ("body-1", ("triangle", 1))


def test_overrides(tmp_path: Path) -> None:
    path = tmp_path / "hanging.toml"
    path.write_text(HANGING)
    scene = pliant.Scene(path, overrides={"solver.substeps": 3, "body.0.pin.0.vertices": [0], "frame_rate": 30})
    assert scene.name == "hanging" and scene.time_step == pytest.approx(1 / 30)
    sim = scene.build()
    assert sim.substeps == 3 and sim.pins["sheet"][0].vertices == [0]
    for key, value, text in [
        ("solver.substep", 3, "did you mean `substeps`"),
        ("solver.substeps", -1, r"at solver\.substeps"),
        ("body.0.pin.0.vertices", ["x"], r"at body\[0\]\.pin\[0\]\.vertices"),
        ("body.1.name", "x", "1 entry"),
        ("frames.x", 1, "cannot be within"),
        ("solver.gravity", [0, float("nan"), 0], "gravity"),
    ]:
        with pytest.raises(pliant.SceneError, match=text) as caught:
            pliant.Scene(path, overrides={key: value})
        assert caught.value.line is None
    with pytest.raises(TypeError, match="cannot stand in a scene"):
        pliant.Scene(path, overrides={"frames": object()})


def test_templates_and_materials() -> None:
    assert "cotton" in pliant.materials() and "drape" in pliant.templates()
    assert pliant.Scene.template("drape").frames > 0
    with pytest.raises(pliant.SceneError, match="drape"):
        pliant.Scene.template("drapes")
    assert isinstance(pliant.Scene.parse(HANGING).remarks(), list)


def test_all_kinds_of_obstacles_and_ties_are_built() -> None:
    sheet = pliant.TriMesh.grid((5, 5), (0.4, 0.4))
    swing = pliant.motion(spin=((0, 1, 0), 90.0), pivot=(0, 0, 0))
    keys = pliant.motion(keyframes=[{"time": 0.0}, {"time": 1.0, "translate": [0, 0.1, 0]}])
    obstacles = [
        pliant.floor(-1, friction={"static": 0.6, "kinetic": 0.5}, restitution=0.1),
        pliant.plane((0, -1, 0), (0, 1, 0)),
        pliant.sphere((0, -0.6, 0), 0.1, motion=swing),
        pliant.box((-0.1, -0.8, -0.1), (0.1, -0.7, 0.1)),
        pliant.container((-2, -2, -2), (2, 2, 2)),
        pliant.capsule((-1, -0.5, 0), (1, -0.5, 0), 0.05, motion=keys),
        pliant.hull(pliant.TriMesh.icosphere(0.1, 2).translated((0.5, -0.6, 0))),
        pliant.hull([[1, -1, 0], [1.1, -1, 0], [1, -0.9, 0], [1, -1, 0.1]]),
        pliant.height_field(np.zeros((4, 5)), 0.5, origin=(-1, -0.9, -1)),
        pliant.sdf(pliant.TriMesh.icosphere(0.1, 3).translated((-0.5, -0.6, 0)), 0.02, friction=0.3),
    ]
    bodies = [
        pliant.cloth(sheet, name="upper", material="cotton", pin=pliant.pin([0], motion=keys, release=0.5), collide=True),
        pliant.cloth(sheet.translated((0, -0.01, 0)), name="lower", material="denim", collide={"friction": 0.4}),
        pliant.solid(pliant.TetMesh.block((1, 1, 1), (0.05, 0.05, 0.05)).translated((0, 0.1, 0)), name="weight", young=1e5, poisson=0.4),
    ]
    sim = pliant.Simulation(
        bodies,
        obstacles,
        stitches=[pliant.stitch(("upper", "lower"), pairs=[[24, 24], [20, 20]], stiffness=100.0)],
        attachments=[pliant.attachment(("weight", "upper"), [0, 1])],
        contacts=[pliant.contact(("upper", "lower"), friction=0.9)],
        wind={"velocity": [1, 0, 0]},
        substeps=5,
    )
    sim.advance(3)
    assert len(sim.obstacles) == len(obstacles) and np.isfinite(sim.positions()).all()
    assert [body.name for body in sim.bodies] == ["upper", "lower", "weight"] and sim["weight"].is_solid
    assert sim.render((80, 60))[:4] == b"\x89PNG"
    with pytest.raises(ValueError, match="not both"):
        pliant.attachment(("weight", "upper"))


def test_a_run_and_its_files(tmp_path: Path) -> None:
    path = tmp_path / "hanging.toml"
    path.write_text(HANGING)
    seen: list[tuple[int, int]] = []
    run = pliant.run(
        path, out=tmp_path / "a", overrides={"frames": 5}, require=["stretch.max<=0.9"], progress=lambda *at: seen.append(at)
    )
    assert seen == [(k, 5) for k in range(1, 6)]
    x = run.positions("sheet")
    assert isinstance(x, np.memmap) and x.shape == (6, 81, 3) and run.bodies == ["sheet"]
    assert run.certificate["stretch.max"] > 0 and run.met and "findings" in run.verdict
    with pytest.raises(pliant.RunError, match="already holds a run"):
        pliant.run(path, out=tmp_path / "a")
    with pytest.raises(FileNotFoundError, match="curtain"):
        run.positions("curtain")
    with pytest.raises(pliant.RunError, match="no finished run"):
        pliant.RunResult(tmp_path)
    with pytest.raises(pliant.RunError, match="checkpoints|often"):
        pliant.run(path, out=tmp_path / "b", checkpoints="often")
    again = pliant.run(path, out=tmp_path / "a", replace=True)
    assert again.positions("sheet").shape[0] == 13


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    scene = pliant.Scene.parse(HANGING, name="hanging")
    whole = pliant.run(scene, out=tmp_path / "whole", resume=True)

    class Stop(Exception):
        pass

    def stop(frame: int, frames: int) -> None:
        if frame == 5:
            raise Stop

    with pytest.raises(Stop):
        pliant.run(scene, out=tmp_path / "a", progress=stop)
    seen: list[int] = []
    run = pliant.run(scene, out=tmp_path / "a", resume=True, progress=lambda frame, _: seen.append(frame))
    assert seen[0] == 6 and run.state_hash == whole.state_hash
    assert (tmp_path / "a/pc2/sheet.pc2").read_bytes() == (tmp_path / "whole/pc2/sheet.pc2").read_bytes()
    # Whole already: nothing is simulated.
    assert pliant.run(scene, out=tmp_path / "a", resume=True, progress=stop).state_hash == whole.state_hash
    with pytest.raises(pliant.RunError, match="another scene"):
        pliant.run(pliant.Scene.parse(HANGING.replace("8]", "7]")), out=tmp_path / "a", resume=True)


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_stops_a_run_between_frames(tmp_path: Path) -> None:
    scene = pliant.Scene.parse(HANGING.replace("frames = 12", "frames = 100000"))
    out = tmp_path / "a"
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        pliant.run(scene, out=out)
    timer.join()
    assert (out / "run.unfinished").exists()
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    sim = scene.build()
    with pytest.raises(KeyboardInterrupt):
        sim.advance(10_000_000)
    timer.join()
    assert 0 < sim.frame < 10_000_000


def test_the_program_reports_as_ever(tmp_path: Path) -> None:
    done = program("new", cwd=tmp_path)
    assert done.returncode == 0 and "drape" in done.stdout
    done = program("run", "missing.toml", cwd=tmp_path)
    assert done.returncode == 2 and "missing.toml" in done.stderr
