"""Plays the files of `cargo xtask interop` in Blender (its module `bpy`) and compares what is seen with the tables beside them."""

import json
import pathlib
import sys

try:
    import bpy
except ImportError:
    print("skipped: bpy is not installed; --bpy names a Python that has it")
    sys.exit(0)

folder = pathlib.Path(sys.argv[1])
failures = []
counts = {}
FRAMES_PER_SECOND = 8


def near(found, wanted, tolerance=1e-6):
    return len(found) == len(wanted) and all(
        abs(a - b) <= tolerance for p, q in zip(found, wanted) for a, b in zip(p, q)
    )


def check(reader, path, what, good):
    counts[reader] = counts.get(reader, 0) + 1
    if not good:
        failures.append(f"{reader}, {path.name}: {what} differ")


def empty():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FRAMES_PER_SECOND


def shown(thing):
    """Where the vertices of an object are, as they are drawn."""
    mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    return [tuple(thing.matrix_world @ vertex.co) for vertex in mesh.vertices]


def cached(path, points, frames):
    """A point cache on the modifier Mesh Cache: by frame, and by time in seconds."""
    empty()
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata(points, [], [])
    thing = bpy.data.objects.new("mesh", mesh)
    bpy.context.scene.collection.objects.link(thing)
    modifier = thing.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = path.suffix[1:].upper()
    modifier.filepath = str(path)
    modifier.interpolation = "NONE"
    # Frame 1 of Blender is the first sample.
    modifier.frame_start = 1
    scene = bpy.context.scene
    for k, wanted in enumerate(frames):
        scene.frame_set(1 + k)
        check("Blender", path, f"points of frame {k}", near(shown(thing), wanted))
    # Halfway between two samples Blender goes in a straight line.
    modifier.interpolation = "LINEAR"
    scene.frame_set(2, subframe=0.5)
    middle = [[(a + b) / 2 for a, b in zip(p, q)] for p, q in zip(frames[1], frames[2])]
    check("Blender", path, "points between frames", near(shown(thing), middle))
    # A cache of every third frame, as the program tells how to play it.
    modifier.frame_start = modifier.frame_scale = 1 / 3
    for k, wanted in enumerate(frames):
        scene.frame_set(1 + 3 * k)
        check("Blender", path, f"points of frame {k} of every third", near(shown(thing), wanted, 1e-5))
    # By time Blender reads MDD only; of PC2 it makes something else.
    if path.suffix == ".mdd":
        modifier.frame_start, modifier.frame_scale, modifier.time_mode = 0, 1, "TIME"
        for k, wanted in enumerate(frames):
            scene.frame_set(k)
            check("Blender", path, f"points at {k / FRAMES_PER_SECOND} s", near(shown(thing), wanted, 1e-5))


def imported(path, read, frames, surface):
    """A file that Blender imports with its mesh, at every frame."""
    empty()
    read(filepath=str(path))
    meshes = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    check("Blender", path, "number of meshes", len(meshes) == 1)
    scene = bpy.context.scene
    for k, wanted in enumerate(frames):
        scene.frame_set(k)
        # Blender turns what has y up, so that z is.
        upright = [(x, -z, y) for x, y, z in wanted]
        good = near(shown(meshes[0]), upright, 1e-5)
        check("Blender", path, f"points of frame {k}", good)
    corners = [tuple(polygon.vertices) for polygon in meshes[0].data.polygons]
    check("Blender", path, "triangles", corners == [tuple(t) for t in surface])


for name in ["sheet", "solid"]:
    truth = json.loads((folder / f"{name}.json").read_text())
    for extension in ["pc2", "mdd"]:
        cached(folder / f"{name}_moving.{extension}", truth["points"], truth["frames"])
    imported(folder / f"{name}_moving.usda", bpy.ops.wm.usd_import, truth["surface_frames"], truth["surface"])
    imported(folder / f"{name}_moving.glb", bpy.ops.import_scene.gltf, truth["surface_frames"], truth["surface"])

print(f"Blender {bpy.app.version_string}: {counts['Blender']} comparisons")
for failure in failures:
    print(f"FAILS {failure}")
sys.exit(1 if failures else 0)
