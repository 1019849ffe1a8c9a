"""The extension in Blender without a window: `pip install bpy pytest`, with the package `pliant`, and `pytest integrations/blender`."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="Blender as a module (bpy) is not installed")
pliant = pytest.importorskip("pliant", reason="the package pliant is not installed")

HERE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HERE), str(HERE / "examples")]

import pliant_cloth  # noqa: E402
import suzanne  # noqa: E402

FRAMES = 24


@pytest.fixture
def blend(tmp_path: Path):
    """An empty file that has been saved, with the extension."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    pliant_cloth.register()
    bpy.context.scene.frame_end = FRAMES
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "test.blend"))
    yield tmp_path
    pliant_cloth.unregister()


def sheet(size: float = 1.0, height: float = 1.0, cuts: int = 12):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cuts, y_subdivisions=cuts, size=size, location=(0, 0, height))
    obj = bpy.context.object
    obj.name = "Sheet"
    return obj


def pin_edge(obj) -> list[int]:
    """A vertex group of one edge of the sheet."""
    group = obj.vertex_groups.new(name="held")
    least = min(vertex.co.x for vertex in obj.data.vertices)
    held = [vertex.index for vertex in obj.data.vertices if vertex.co.x < least + 1e-6]
    group.add(held, 1.0, "REPLACE")
    # Weights below one half hold nothing.
    group.add([vertex.index for vertex in obj.data.vertices if vertex.index not in held], 0.2, "REPLACE")
    obj.pliant.pins = "held"
    return held


def shown(obj, frame: int) -> np.ndarray:
    """What Blender shows in a frame, in the world."""
    bpy.context.scene.frame_set(frame)
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", points)
    matrix = np.array(evaluated.matrix_world)
    return points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def cached(path: Path) -> np.ndarray:
    """All frames of a cache."""
    data = path.read_bytes()
    magic, version, points, start, rate, samples = struct.unpack("<12siiffi", data[:32])
    assert (magic, version, start, rate) == (b"POINTCACHE2\0", 1, 0.0, 1.0)
    return np.frombuffer(data, "<f4", -1, 32).reshape(samples, points, 3)


def refused(part: str) -> None:
    with pytest.raises(RuntimeError, match=part):
        bpy.ops.pliant.simulate()


def test_it_hangs_from_its_vertex_group_and_plays_after_reopening(blend: Path) -> None:
    obj = sheet()
    obj.rotation_euler = (0.0, 0.3, 0.5)
    obj.scale = (1.5, 1.0, 1.0)
    held = pin_edge(obj)
    bpy.context.view_layer.update()
    start = shown(obj, 1)
    assert bpy.ops.pliant.simulate() == {"FINISHED"}
    assert obj.pliant.verdict in ("good", "rough") and len(obj.pliant.state_hash) == 16
    cache = cached(blend / "pliant" / "Sheet.pc2")
    assert cache.shape == (FRAMES, len(obj.data.vertices), 3)
    assert np.allclose(shown(obj, 1), start, atol=1e-5)
    last = shown(obj, FRAMES)
    assert np.allclose(last[held], start[held], atol=1e-5)
    assert last[:, 2].min() < start[:, 2].min() - 0.1
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(blend / "test.blend"))
    obj = bpy.data.objects["Sheet"]
    assert obj.modifiers[0].type == "MESH_CACHE"
    matrix = np.array(obj.matrix_world)
    for frame in (1, FRAMES // 2, FRAMES):
        expected = cache[frame - 1] @ matrix[:3, :3].T + matrix[:3, 3]
        assert np.allclose(shown(obj, frame), expected, atol=1e-6), frame
    # Again: the same bits, and one modifier.
    bpy.context.view_layer.objects.active = obj
    before = obj.pliant.state_hash
    assert bpy.ops.pliant.simulate() == {"FINISHED"}
    assert obj.pliant.state_hash == before and len(obj.modifiers) == 1
    assert np.array_equal(cached(blend / "pliant" / "Sheet.pc2"), cache)
    assert bpy.ops.pliant.remove() == {"FINISHED"}
    assert len(obj.modifiers) == 0 and obj.pliant.verdict == ""


def test_an_animated_collider_lifts_the_cloth(blend: Path) -> None:
    obj = sheet(height=0.5)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12, radius=0.2, location=(0, 0, 0.2))
    ball = bpy.context.object
    ball.keyframe_insert("location", frame=1)
    ball.location.z = 0.6
    ball.keyframe_insert("location", frame=FRAMES)
    colliders = bpy.data.collections.new("Colliders")
    bpy.context.scene.collection.children.link(colliders)
    colliders.objects.link(ball)
    bpy.context.view_layer.objects.active = obj
    obj.pliant.colliders = colliders
    assert bpy.ops.pliant.simulate() == {"FINISHED"}
    points = shown(obj, FRAMES)
    distance = np.linalg.norm(points - np.array(ball.matrix_world.translation), axis=1)
    assert distance.min() > 0.19, "the cloth is in the ball"
    assert points[:, 2].max() > 0.75, "the ball has not lifted it"
    assert "crossings: 0" in obj.pliant.numbers


def test_suzanne_falls_over_a_moving_sphere_and_plays_her_cache_after_reopening(blend: Path) -> None:
    suzanne.build()
    assert bpy.ops.pliant.simulate() == {"FINISHED"}
    assert "crossings: 0" in bpy.data.objects["Suzanne"].pliant.numbers
    cache = cached(blend / "pliant" / "Suzanne.pc2")
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(blend / "test.blend"))
    obj = bpy.data.objects["Suzanne"]
    assert cache.shape == (suzanne.FRAMES, len(obj.data.vertices), 3)
    matrix = np.array(obj.matrix_world)
    for frame in range(1, suzanne.FRAMES + 1):
        expected = cache[frame - 1] @ matrix[:3, :3].T + matrix[:3, 3]
        assert np.allclose(shown(obj, frame), expected, atol=1e-6), frame
    # She has landed on the sphere, and none of her is left in it.
    ball = next(o for o in bpy.data.objects if o.name.startswith("Sphere"))
    fallen = shown(obj, suzanne.FRAMES)
    distance = np.linalg.norm(fallen - np.array(ball.matrix_world.translation), axis=1)
    assert 0.44 < distance.min() < 0.48


def test_units_are_those_of_the_scene(blend: Path) -> None:
    """A sheet of one metre falls as far in metres as in centimetres."""
    falls = []
    for scale in (1.0, 0.01):
        bpy.context.scene.unit_settings.scale_length = scale
        obj = sheet(size=1.0 / scale, height=1.0 / scale)
        obj.pliant.distance = 0.01 / scale
        bpy.context.view_layer.objects.active = obj
        before = shown(obj, 1)[:, 2].mean()
        assert bpy.ops.pliant.simulate() == {"FINISHED"}
        falls.append((before - shown(obj, FRAMES)[:, 2].mean()) * scale)
        bpy.data.objects.remove(obj)
    time = (FRAMES - 1) / 24
    assert falls[0] == pytest.approx(0.5 * 9.81 * time * time, rel=0.05)
    assert falls[0] == pytest.approx(falls[1], rel=1e-3)


def test_ground_and_self_collision(blend: Path) -> None:
    bpy.context.scene.frame_end = 40
    obj = sheet(size=0.6, height=0.35)
    obj.rotation_euler = (1.5, 0.1, 0.0)
    bpy.context.view_layer.objects.active = obj
    obj.pliant.ground = True
    obj.pliant.distance = 0.004
    assert bpy.ops.pliant.simulate() == {"FINISHED"}
    assert shown(obj, 40)[:, 2].min() > -1e-3
    assert "crossings: 0" in obj.pliant.numbers


def test_mistakes_are_said_in_a_sentence_and_nothing_is_lost(blend: Path) -> None:
    obj = sheet()
    obj.pliant.pins = "nothing"
    refused("no vertex group 'nothing'")
    obj.pliant.pins = ""
    assert bpy.ops.pliant.simulate() == {"FINISHED"}
    cache = blend / "pliant" / "Sheet.pc2"
    kept = cache.read_bytes()

    # A mesh without faces.
    wire = bpy.data.meshes.new("wire")
    wire.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    line = bpy.data.objects.new("Line", wire)
    bpy.context.scene.collection.objects.link(line)
    bpy.context.view_layer.objects.active = line
    refused("Line has no faces")

    # A collider that changes its number of vertices on the way.
    colliders = bpy.data.collections.new("Colliders")
    bpy.context.scene.collection.children.link(colliders)
    bpy.ops.mesh.primitive_cube_add(size=0.1, location=(3, 0, 0))
    cube = bpy.context.object
    colliders.objects.link(cube)
    modifier = cube.modifiers.new("array", "ARRAY")
    for frame, count in ((1, 1), (5, 1), (6, 2)):
        modifier.count = count
        modifier.keyframe_insert("count", frame=frame)
    bpy.context.view_layer.objects.active = obj
    obj.pliant.colliders = colliders
    refused("Cube has 16 vertices in frame 6, and 8 before")
    assert cache.read_bytes() == kept
    assert sorted(path.name for path in cache.parent.iterdir()) == ["Sheet.pc2"]

    # A folder that cannot be made.
    obj.pliant.colliders = None
    (blend / "file").write_text("")
    obj.pliant.folder = "//file/cache"
    refused("file")


def test_a_file_that_was_never_saved_is_refused(blend: Path) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    sheet()
    refused("save the file")


def test_it_can_be_cancelled_and_leaves_nothing(blend: Path) -> None:
    from pliant_cloth.simulate import Bake

    obj = sheet()
    bpy.context.scene.frame_set(7)
    bake = Bake(bpy.context, obj)
    for _ in range(3):
        assert bake.step()
    assert bake.progress == pytest.approx(3 / (FRAMES - 1))
    bake.cancel()
    assert bpy.context.scene.frame_current == 7
    assert not list((blend / "pliant").iterdir()) and len(obj.modifiers) == 0


def test_the_extension_is_one_file(tmp_path: Path) -> None:
    import subprocess
    import tomllib
    import zipfile

    wheel = tmp_path / "pliant-0.1.0-cp310-abi3-linux_x86_64.whl"
    wheel.write_bytes(b"PK")
    out = tmp_path / "pliant_cloth.zip"
    subprocess.run([sys.executable, str(HERE / "build.py"), str(wheel), "-o", str(out)], check=True)
    with zipfile.ZipFile(out) as archive:
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
        assert manifest["wheels"] == [f"./wheels/{wheel.name}"]
        assert {"__init__.py", "panel.py", f"wheels/{wheel.name}"} <= set(archive.namelist())
