"""A simulation of an object, frame by frame; it knows Blender's data and no buttons.

Blender's lengths are converted to metres by the scale of the scene's units, in world space. Blender's axes, z up, stay as
they are: only gravity has a direction, and the scene gives it.
"""

import re
from pathlib import Path

import bpy
import numpy as np
import pliant

from .pc2 import Writer

MODIFIER = "Pliant"


class Problem(Exception):
    """What the user has to know, in a sentence."""


def mesh_arrays(mesh: bpy.types.Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Vertices, (n, 3), in the space of the object, and triangles, (m, 3)."""
    vertices = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", vertices)
    mesh.calc_loop_triangles()
    triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    return vertices.reshape(-1, 3), triangles.reshape(-1, 3)


def transformed(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def pinned(obj: bpy.types.Object, name: str) -> np.ndarray:
    """Numbers of the vertices in a vertex group."""
    group = obj.vertex_groups.get(name)
    if group is None:
        raise Problem(f"{obj.name} has no vertex group {name!r}; choose another for the pins")

    def weight(vertex: bpy.types.MeshVertex) -> float:
        return max((entry.weight for entry in vertex.groups if entry.group == group.index), default=0.0)

    return np.array([vertex.index for vertex in obj.data.vertices if weight(vertex) >= 0.5], np.int64)


class Bake:
    """A simulation of the frames of a scene, and the cache that it makes."""

    def __init__(self, context: bpy.types.Context, obj: bpy.types.Object) -> None:
        if obj is None or obj.type != "MESH":
            raise Problem("the active object is no mesh; select the mesh that is to be cloth")
        self.settings = obj.pliant
        folder = bpy.path.abspath(self.settings.folder)
        if self.settings.folder.startswith("//") and not bpy.data.filepath:
            raise Problem("the file was never saved, and the cache is to lie beside it; save the file, or choose another folder")
        self.context, self.obj, self.scene = context, obj, context.scene
        self.scale = self.scene.unit_settings.scale_length
        self.first, self.last = self.scene.frame_start, self.scene.frame_end
        self.shown = self.scene.frame_current
        self.frame = self.first
        self.scene.frame_set(self.first)
        try:
            self._build()
        except Exception:
            self.scene.frame_set(self.shown)
            raise
        name = re.sub(r"[^\w-]", "_", obj.name)
        self.writer = Writer(Path(folder) / f"{name}.pc2", len(obj.data.vertices))
        self._write()

    def _build(self) -> None:
        settings, obj = self.settings, self.obj
        self.rest, triangles = mesh_arrays(obj.data)
        if not len(triangles):
            raise Problem(f"{obj.name} has no faces; cloth is made of faces")
        held = pinned(obj, settings.pins) if settings.pins else np.empty(0, np.int64)
        self.held = held
        collide = {"itself": settings.self_collision, "friction": settings.friction}
        distance = settings.distance * self.scale
        cloth = pliant.cloth(
            pliant.TriMesh(self._world(self.rest), triangles),
            name="cloth",
            material=settings.material,
            pin=held if len(held) else None,
            collide=collide,
            contact_radius=0.5 * distance,
            damping_time=settings.damping or None,
        )
        self.colliders = [] if settings.colliders is None else [
            other for other in settings.colliders.all_objects if other.type == "MESH" and other != obj
        ]
        bodies, self.counts = [cloth], []
        for number, other in enumerate(self.colliders):
            points, triangles = self._evaluated(other)
            if not len(triangles):
                raise Problem(f"the collider {other.name} has no faces; take it out of {settings.colliders.name}")
            self.counts.append(len(points))
            bodies.append(
                pliant.mesh_obstacle(
                    pliant.TriMesh(points, triangles),
                    name=f"collider-{number}",
                    collide={"friction": settings.friction},
                    contact_radius=0.5 * distance,
                )
            )
        gravity = self.scene.gravity if self.scene.use_gravity else (0.0, 0.0, 0.0)
        rate = self.scene.render.fps / self.scene.render.fps_base
        obstacles = [pliant.plane((0, 0, 0), (0, 0, 1), friction=settings.friction)] if settings.ground else []
        self.simulation = pliant.Simulation(
            bodies, obstacles, substeps=settings.substeps, gravity=[float(g) for g in gravity], frame_rate=rate
        )
        self.simulation.certify()

    def _world(self, points: np.ndarray) -> np.ndarray:
        """Points of the object in the world, m, in the present frame."""
        return self.scale * transformed(np.array(self.obj.matrix_world), points)

    def _evaluated(self, other: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
        """A collider as it is in the present frame, m."""
        evaluated = other.evaluated_get(self.context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        try:
            points, triangles = mesh_arrays(mesh)
        finally:
            evaluated.to_mesh_clear()
        return self.scale * transformed(np.array(evaluated.matrix_world), points), triangles

    def _write(self) -> None:
        """The present positions, as the object's own mesh would have them."""
        points = self.simulation["cloth"].positions().astype(float) / self.scale
        self.writer.append(transformed(np.linalg.inv(np.array(self.obj.matrix_world)), points))

    @property
    def progress(self) -> float:
        """The share that is done."""
        return (self.frame - self.first) / max(1, self.last - self.first)

    def step(self) -> bool:
        """Simulates the next frame; False if that was the last."""
        if self.frame >= self.last:
            return False
        self.frame += 1
        self.scene.frame_set(self.frame)
        if len(self.held):
            self.simulation["cloth"].pins[0].move_to(self._world(self.rest[self.held]))
        for number, other in enumerate(self.colliders):
            points, _ = self._evaluated(other)
            if len(points) != self.counts[number]:
                raise Problem(
                    f"the collider {other.name} has {len(points)} vertices in frame {self.frame}, and {self.counts[number]}"
                    " before; its modifiers must not change their number"
                )
            self.simulation[f"collider-{number}"].pins[0].move_to(points)
        self.simulation.step()
        self._write()
        return True

    def finish(self) -> None:
        """Keeps the cache, and has Blender play it."""
        self.writer.finish()
        self.scene.frame_set(self.shown)
        modifiers = self.obj.modifiers
        modifier = modifiers.get(MODIFIER)
        if modifier is None or modifier.type != "MESH_CACHE":
            modifier = modifiers.new(MODIFIER, "MESH_CACHE")
            # Before all others: the cache has the vertices of the mesh itself.
            modifiers.move(len(modifiers) - 1, 0)
        modifier.cache_format = "PC2"
        path = str(self.writer.path)
        modifier.filepath = bpy.path.relpath(path) if self.settings.folder.startswith("//") else path
        modifier.frame_start = self.first
        modifier.frame_scale = 1.0
        modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
        modifier.interpolation = "LINEAR"
        certificate = self.simulation.certificate
        settings = self.settings
        settings.verdict = certificate.verdict
        settings.findings = "\n".join(f"{finding['what']}: {finding['cure']}" for finding in certificate.findings)
        worst = certificate.data["worst"]
        told = [("stretch.max", "largest stretch", 100.0, " %"), ("intersections", "crossings", 1.0, "")]
        settings.numbers = "\n".join(
            f"{words}: {factor * worst[name]['value']:.4g}{unit}" for name, words, factor, unit in told if name in worst
        )
        settings.state_hash = f"{self.simulation.state_hash:016x}"

    def cancel(self) -> None:
        """Leaves everything as it was."""
        self.writer.discard()
        self.scene.frame_set(self.shown)
