"""Bodies, obstacles and what ties them together, in the words of a scene file.

Every function returns a plain description; nothing is built yet. Its keywords are the keys of a scene file, with the
same meaning, units and defaults (``docs/src/guide/scene-keys.md``); a key that takes a table there takes a dictionary
here. Lengths are metres, masses kilograms, times seconds, angles degrees; y points up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._pliant import TetMesh, TriMesh

__all__ = [
    "Attachment",
    "Body",
    "Contact",
    "ObstacleShape",
    "PinSpec",
    "Stitch",
    "attachment",
    "box",
    "capsule",
    "cloth",
    "contact",
    "container",
    "floor",
    "height_field",
    "hull",
    "mesh_obstacle",
    "motion",
    "pin",
    "plane",
    "sdf",
    "solid",
    "sphere",
    "stitch",
]

Table = Mapping[str, Any]
Mesh = Union[TriMesh, TetMesh]


@dataclass(frozen=True)
class PinSpec:
    """Vertices that are held or moved; see :func:`pin`."""

    vertices: Any
    table: dict[str, Any]


@dataclass(frozen=True)
class Body:
    """A mesh with a material; see :func:`cloth` and :func:`solid`."""

    mesh: Mesh
    table: dict[str, Any]
    start: npt.NDArray[np.float64] | None = None

    @property
    def name(self) -> str | None:
        """The name that it was given."""
        return self.table.get("name")

    def as_table(self, number: int) -> tuple[dict[str, Any], dict[str, Mesh]]:
        """The table of a scene, for the body of this number, and the meshes by the paths that it names."""
        file = f"meshes/{self.name or f'body-{number + 1}'}"
        if self.start is None:
            return {"mesh": file + ".vtu", **self.table}, {file + ".vtu": self.mesh}
        meshes = {file + ".vtu": self.mesh.with_positions(self.start), file + "-rest.vtu": self.mesh}
        return {"mesh": file + ".vtu", "rest": file + "-rest.vtu", **self.table}, meshes


@dataclass(frozen=True)
class ObstacleShape:
    """Something that bodies rest on; see :func:`floor` and the like."""

    table: dict[str, Any]
    meshes: dict[str, Mesh] = field(default_factory=dict)
    """Meshes that the table names, by the key that names them."""

    def as_table(self, number: int) -> tuple[dict[str, Any], dict[str, Mesh]]:
        """The table of a scene, for the obstacle of this number, and the meshes by the paths that it names."""
        kind, shape = next(iter(self.table.items()))
        files = {key: f"meshes/obstacle-{number}.vtu" for key in self.meshes}
        table = {**self.table, kind: {**files, **shape}}
        return table, {files[key]: mesh for key, mesh in self.meshes.items()}


@dataclass(frozen=True)
class Stitch:
    """What sews bodies together; see :func:`stitch`."""

    table: dict[str, Any]


@dataclass(frozen=True)
class Attachment:
    """What holds vertices of a body at places of another; see :func:`attachment`."""

    table: dict[str, Any]


@dataclass(frozen=True)
class Contact:
    """How two bodies meet; see :func:`contact`."""

    table: dict[str, Any]


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def motion(
    *,
    velocity: Sequence[float] | None = None,
    spin: tuple[Sequence[float], float] | None = None,
    keyframes: Iterable[Table] | None = None,
    pivot: Sequence[float] | None = None,
) -> dict[str, Any]:
    """How a pin or an obstacle moves.

    :param velocity: constant velocity, m/s.
    :param spin: direction of an axis, and degrees per second about it.
    :param keyframes: poses in order of time, each with ``time``, s, and ``translate``, m, or
        ``rotate={"axis": [x, y, z], "degrees": angle}``, or both; linear in between, held before and after.
    :param pivot: centre of the rotation, m; the origin by default.
    """
    turn = None if spin is None else {"axis": list(spin[0]), "degrees_per_second": spin[1]}
    keys = None if keyframes is None else [dict(key) for key in keyframes]
    return _given(velocity=velocity, spin=turn, keyframes=keys, pivot=pivot)


def pin(
    vertices: npt.ArrayLike,
    *,
    motion: Table | None = None,
    compliance: float | None = None,
    damping_time: float | None = None,
    release: float | None = None,
) -> PinSpec:
    """Vertices that are held or moved.

    :param vertices: their numbers, (k,), or a mask with a truth value for every vertex of the mesh.
    :param motion: how they move, see :func:`motion`; they stay where they are by default.
    :param compliance: hold them by springs of this compliance, m/N, instead of exactly.
    :param damping_time: relaxation time of those springs, s.
    :param release: let go at this time, s.
    """
    table = _given(motion=motion, compliance=compliance, damping_time=damping_time, release=release)
    return PinSpec(vertices, table)


def _pins(given: Any, vertices: int) -> list[dict[str, Any]]:
    """A list of pins from one, several, or numbers of vertices."""
    if given is None:
        return []
    if isinstance(given, (PinSpec, Mapping)):
        given = [given]
    if isinstance(given, Sequence) and any(isinstance(one, (PinSpec, Mapping)) for one in given):
        pins = []
        for one in given:
            if isinstance(one, Mapping):
                pins.append(dict(one))
            elif isinstance(one, PinSpec):
                chosen = _arrays.selection(one.vertices, vertices, "pin")
                pins.append({"vertices": chosen, **one.table})
            else:
                raise TypeError(f"pin has {one!r} among its pins; make it pliant.pin([{one!r}])")
        return pins
    chosen = _arrays.selection(given, vertices, "pin")
    return [{"vertices": chosen}] if chosen else []


def _body(
    mesh: Mesh,
    start: npt.ArrayLike | None,
    pin: Any,
    material: str | Table | None,
    moduli: dict[str, Any],
    table: dict[str, Any],
) -> Body:
    if moduli:
        named = {"name": material} if isinstance(material, str) else dict(material or {})
        material = {**named, **moduli}
    placed = None
    if start is not None:
        placed = _arrays.vectors(start, "start")
        if len(placed) != len(mesh):
            raise ValueError(f"start has {len(placed)} rows; the mesh has {len(mesh)} vertices")
    pins = _pins(pin, len(mesh))
    return Body(mesh, {**table, **_given(material=material, pin=pins or None)}, placed)


def cloth(
    mesh: TriMesh,
    *,
    name: str | None = None,
    material: str | Table | None = None,
    young: float | None = None,
    poisson: float | None = None,
    thickness: float | None = None,
    area_density: float | None = None,
    density: float | None = None,
    edges: str | Table | None = None,
    bending: Table | None = None,
    damping_time: float | None = None,
    pin: Any = None,
    start: npt.ArrayLike | None = None,
    velocity: Sequence[float] | None = None,
    contact_radius: float | None = None,
    collide: bool | Table | None = None,
    tethers: bool | Table | None = None,
    strain_limit: Table | None = None,
    pressure: Table | None = None,
    shape: Sequence[Table] | None = None,
    vary: Sequence[Table] | None = None,
) -> Body:
    """A piece of cloth. It needs a ``material``, moduli, or ``edges``.

    :param mesh: its triangles, at rest.
    :param name: name in errors and outputs: letters, digits, ``-`` and ``_``.
    :param material: a name such as ``"cotton"`` (see :func:`pliant.materials`), or a table of moduli.
    :param young: Young's modulus, Pa; with ``poisson`` and ``thickness`` (m) in place of a material.
    :param area_density: kg/m²; that of the material, or 0.2.
    :param edges: ``"rigid"``, ``{"compliance": m/N}`` or ``{"stiffness": N/m}``: springs along edges instead of a
        material.
    :param bending: ``{"modulus": N·m}`` or ``{"compliance": rad²/J}``.
    :param pin: numbers of vertices, a mask of truth values, or pins made by :func:`pin`.
    :param start: where the vertices start, (n, 3), m, if not where the mesh is at rest.
    :param collide: meet other bodies that collide, and itself: ``True``, or a table with ``friction``, ``itself``, ….
    :param contact_radius: gap to whatever it touches, m: half of the thickness.
    :param tethers: keep vertices within reach of pins: ``True``, or ``{"slack": share}``.
    :raises ValueError: if an array does not fit the mesh. Numbers are checked when the simulation is built.
    """
    moduli = _given(young=young, poisson=poisson, thickness=thickness)
    table = _given(
        name=name,
        area_density=area_density,
        density=density,
        edges=edges,
        bending=bending,
        damping_time=damping_time,
        velocity=velocity,
        contact_radius=contact_radius,
        collide=collide,
        tethers=tethers,
        strain_limit=strain_limit,
        pressure=pressure,
        shape=shape,
        vary=vary,
    )
    if not isinstance(mesh, TriMesh):
        raise TypeError(f"cloth is made of a TriMesh, not of {type(mesh).__name__}; tetrahedra make a solid")
    return _body(mesh, start, pin, material, moduli, table)


def solid(
    mesh: TetMesh,
    *,
    name: str | None = None,
    material: str | Table | None = None,
    young: float | None = None,
    poisson: float | None = None,
    density: float | None = None,
    edges: str | Table | None = None,
    volumes: str | Table | None = None,
    damping_time: float | None = None,
    pin: Any = None,
    start: npt.ArrayLike | None = None,
    velocity: Sequence[float] | None = None,
    contact_radius: float | None = None,
    collide: bool | Table | None = None,
    tethers: bool | Table | None = None,
    strain_limit: Table | None = None,
    pressure: Table | None = None,
    shape: Sequence[Table] | None = None,
    vary: Sequence[Table] | None = None,
) -> Body:
    """A soft solid. It needs a ``material``, moduli, or ``edges``. As for :func:`cloth`, and:

    :param mesh: its tetrahedra, at rest.
    :param young: Young's modulus, Pa, with ``poisson``, below 0.5, in place of a material.
    :param density: kg/m³; that of the material, or 1000.
    :param volumes: with ``edges``: resistance to a change of volume, ``{"bulk_modulus": Pa}``; that of water by default.
    """
    table = _given(
        name=name,
        density=density,
        edges=edges,
        volumes=volumes,
        damping_time=damping_time,
        velocity=velocity,
        contact_radius=contact_radius,
        collide=collide,
        tethers=tethers,
        strain_limit=strain_limit,
        pressure=pressure,
        shape=shape,
        vary=vary,
    )
    if not isinstance(mesh, TetMesh):
        raise TypeError(
            f"a solid is made of a TetMesh, not of {type(mesh).__name__}; pliant.tetrahedralize fills a surface"
        )
    return _body(mesh, start, pin, material, _given(young=young, poisson=poisson), table)


def mesh_obstacle(
    mesh: Mesh,
    *,
    name: str | None = None,
    motion: Table | None = None,
    contact_radius: float | None = None,
    collide: bool | Table | None = None,
) -> Body:
    """A body that is an obstacle of any shape: all its vertices are held, or moved by a motion. Bodies that collide meet
    its surface."""
    table = _given(
        name=name, obstacle=True, motion=motion, contact_radius=contact_radius, collide=collide
    )
    return Body(mesh, table)


def _obstacle(
    kind: str,
    shape: dict[str, Any],
    friction: float | Table | None,
    restitution: float | None,
    motion: Table | None,
    meshes: dict[str, Mesh] | None = None,
) -> ObstacleShape:
    table = {kind: shape, **_given(friction=friction, restitution=restitution, motion=motion)}
    return ObstacleShape(table, meshes or {})


def floor(
    height: float = 0.0,
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """A horizontal floor at a height, m.

    :param friction: coefficient, or ``{"static": …, "kinetic": …}``; 0 by default.
    :param restitution: share of the normal velocity that an impact gives back, 0 to 1.
    :param motion: how it moves, see :func:`motion`.
    """
    return _obstacle("floor", {"height": height}, friction, restitution, motion)


def plane(
    point: Sequence[float],
    normal: Sequence[float],
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """All that is behind a plane through a point, m; the normal points into the free side. Otherwise as :func:`floor`."""
    return _obstacle("plane", {"point": point, "normal": normal}, friction, restitution, motion)


def sphere(
    centre: Sequence[float],
    radius: float,
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """A ball; lengths in m. Otherwise as :func:`floor`."""
    return _obstacle("sphere", {"centre": centre, "radius": radius}, friction, restitution, motion)


def box(
    min: Sequence[float],
    max: Sequence[float],
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """A solid box with sides along the axes, from its smallest to its largest coordinates, m. Otherwise as :func:`floor`."""
    return _obstacle("box", {"min": min, "max": max}, friction, restitution, motion)


def container(
    min: Sequence[float],
    max: Sequence[float],
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """A box that bodies stay inside of, m. Otherwise as :func:`floor`."""
    return _obstacle("container", {"min": min, "max": max}, friction, restitution, motion)


def capsule(
    start: Sequence[float],
    end: Sequence[float],
    radius: float,
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """A rod with round ends, m. Otherwise as :func:`floor`."""
    return _obstacle("capsule", {"from": start, "to": end, "radius": radius}, friction, restitution, motion)


def hull(
    points: npt.ArrayLike | Mesh,
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """A convex solid: the hull of points, (n, 3), m, or of the vertices of a mesh. Otherwise as :func:`floor`."""
    x = points.positions if isinstance(points, (TriMesh, TetMesh)) else _arrays.vectors(points, "points")
    return _obstacle("hull", {"points": x}, friction, restitution, motion)


def height_field(
    heights: npt.ArrayLike,
    spacing: float | Sequence[float],
    *,
    origin: Sequence[float] = (0.0, 0.0, 0.0),
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """Ground by heights, (rows along z, columns along x), m, with so much between neighbours, m. Otherwise as
    :func:`floor`."""
    rows = np.asarray(heights, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"heights has the shape {rows.shape}; give (rows, columns)")
    shape = {"heights": rows, "spacing": spacing, "origin": origin}
    return _obstacle("height_field", shape, friction, restitution, motion)


def sdf(
    mesh: Mesh,
    cell: float,
    *,
    band: float | None = None,
    friction: float | Table | None = None,
    restitution: float | None = None,
    motion: Table | None = None,
) -> ObstacleShape:
    """A solid of any shape, by distances from the closed surface of a mesh on a grid of cells of this side, m. Otherwise as
    :func:`floor`."""
    return _obstacle("sdf", {"cell": cell, **_given(band=band)}, friction, restitution, motion, {"mesh": mesh})


def stitch(
    bodies: tuple[str, str],
    *,
    to: str = "vertices",
    radius: float | None = None,
    pairs: npt.ArrayLike | None = None,
    region: Table | None = None,
    stiffness: float | Sequence[float] | None = None,
    rest_length: float | Sequence[float] | None = None,
    keep_distance: bool | None = None,
    young: float | Sequence[float] | None = None,
    poisson: float | Sequence[float] | None = None,
    thickness: float | Sequence[float] | None = None,
    same_body: bool | None = None,
    damping_time: float | None = None,
) -> Stitch:
    """Sews vertices of one body to ``"vertices"``, ``"edges"`` or ``"triangles"`` of another, by names.

    :param radius: sew what is within this distance at the start, m; or
    :param pairs: numbers of vertices, (k, 2), (k, 3) or (k, 4): of the first body, then of the second.
    """
    listed = None if pairs is None else np.asarray(pairs)
    table = _given(
        bodies=list(bodies),
        to=to,
        radius=radius,
        pairs=listed,
        region=region,
        stiffness=stiffness,
        rest_length=rest_length,
        keep_distance=keep_distance,
        young=young,
        poisson=poisson,
        thickness=thickness,
        same_body=same_body,
        damping_time=damping_time,
    )
    return Stitch(table)


def attachment(
    bodies: tuple[str, str],
    vertices: Iterable[int] | None = None,
    *,
    region: Table | None = None,
    compliance: float | None = None,
    damping_time: float | None = None,
) -> Attachment:
    """Holds vertices of the first body at the nearest places of the second, by names: vertices by number, or a region of
    the first body such as ``{"sphere": {"centre": [0, 0, 0], "radius": 0.1}}``.

    :param compliance: m/N; 0, rigid, by default.
    """
    if (vertices is None) == (region is None):
        raise ValueError("an attachment needs vertices or a region, and not both")
    place = region if vertices is None else {"vertices": [int(v) for v in vertices]}
    table = _given(bodies=list(bodies), region=place, compliance=compliance, damping_time=damping_time)
    return Attachment(table)


def contact(
    bodies: tuple[str, str],
    *,
    friction: float | Table | None = None,
    restitution: float | None = None,
    compliance: float | None = None,
) -> Contact:
    """How two bodies meet, by names, where that is not what each of them says."""
    table = _given(
        bodies=list(bodies), friction=friction, restitution=restitution, compliance=compliance
    )
    return Contact(table)
