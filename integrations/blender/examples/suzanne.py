"""Suzanne as cloth falls over a sphere that moves, without a window: `python suzanne.py [PICTURE.png]`, with `bpy` and `pliant`.

The picture is drawn from the file as it is after it has been saved and opened again.
"""

import sys
import tempfile
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import pliant_cloth  # noqa: E402

FRAMES = 44


def material(name: str, colour: tuple[float, float, float], roughness: float) -> bpy.types.Material:
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return made


def build() -> None:
    scene = bpy.context.scene
    scene.frame_end, scene.render.fps = FRAMES, 30

    bpy.ops.mesh.primitive_plane_add(size=30)
    bpy.context.object.data.materials.append(material("ground", (0.55, 0.55, 0.57), 0.9))

    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=0.45, location=(0.0, 0.0, 0.5))
    sphere = bpy.context.object
    bpy.ops.object.shade_smooth()
    sphere.data.materials.append(material("sphere", (0.04, 0.12, 0.3), 0.25))
    for frame, x in ((1, -0.1), (FRAMES, 0.15)):
        sphere.location.x = x
        sphere.keyframe_insert("location", frame=frame)
    colliders = bpy.data.collections.new("Colliders")
    scene.collection.children.link(colliders)
    colliders.objects.link(sphere)

    bpy.ops.mesh.primitive_monkey_add(size=1.3, location=(0.0, 0.0, 1.75), rotation=(-0.7, 0.0, 0.0))
    # The eyes are parts of their own that cross the head.
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.separate(type="LOOSE")
    bpy.ops.object.mode_set(mode="OBJECT")
    parts = sorted(bpy.context.selected_objects, key=lambda part: len(part.data.vertices))
    for eye in parts[:-1]:
        bpy.data.objects.remove(eye)
    suzanne = parts[-1]
    suzanne.name = "Suzanne"
    bpy.context.view_layer.objects.active = suzanne
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=1, smoothness=1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.shade_smooth()
    suzanne.data.materials.append(material("cloth", (0.7, 0.13, 0.06), 0.75))
    settings = suzanne.pliant
    settings.material, settings.colliders, settings.ground = "denim", colliders, True
    settings.distance, settings.substeps, settings.damping = 0.006, 40, 0.02


def light() -> None:
    scene = bpy.context.scene
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = 3.0, 0.2
    lamp = bpy.data.objects.new("sun", sun)
    lamp.rotation_euler = (0.8, 0.2, 0.6)
    scene.collection.objects.link(lamp)
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.75, 0.82, 0.9, 1.0)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.6
    scene.world = world
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location, camera.rotation_euler = (0.4, -3.9, 1.75), (1.28, 0.0, 0.085)
    camera.data.lens = 60
    scene.collection.objects.link(camera)
    scene.camera = camera


def main() -> None:
    picture = Path(sys.argv[1] if len(sys.argv) > 1 else "suzanne.png").resolve()
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        pliant_cloth.register()
        blend = str(Path(folder) / "suzanne.blend")
        bpy.ops.wm.save_as_mainfile(filepath=blend)
        build()
        light()
        suzanne = bpy.data.objects["Suzanne"]
        bpy.context.view_layer.objects.active = suzanne
        bpy.ops.pliant.simulate()
        print(suzanne.pliant.verdict, suzanne.pliant.findings, suzanne.pliant.numbers, suzanne.pliant.state_hash, sep="\n")
        bpy.ops.wm.save_mainfile()
        bpy.ops.wm.open_mainfile(filepath=blend)
        scene = bpy.context.scene
        scene.frame_set(FRAMES)
        scene.render.engine = "CYCLES"
        scene.cycles.samples, scene.cycles.use_denoising = 48, True
        scene.render.resolution_x, scene.render.resolution_y = 600, 390
        scene.render.image_settings.file_format = "PNG"
        scene.render.image_settings.color_mode = "RGB"
        scene.render.image_settings.compression = 100
        scene.render.filepath = str(picture)
        bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
