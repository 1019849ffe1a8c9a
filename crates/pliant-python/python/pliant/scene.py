"""Scenes: everything that is to be simulated, checked and not yet built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _pliant, _toml
from .describe import Attachment, Body, Contact, Mesh, ObstacleShape, Stitch

if TYPE_CHECKING:
    from .simulation import Simulation

__all__ = ["Scene", "materials", "templates"]

Overrides = Mapping[str, Any]
PRECISIONS = {"float32": "f32", "float64": "f64", None: "auto"}


def materials() -> dict[str, str]:
    """The materials that can be named, each with what it is and the source of its numbers."""
    return {name: f"{about} ({source})" for name, about, source in _pliant.materials()}


def templates() -> dict[str, str]:
    """The examples of ``pliant new``, each with what it shows; :meth:`Scene.template` makes one."""
    return dict(_pliant.templates())


def _literals(overrides: Overrides | None) -> list[tuple[str, str]]:
    return [(key, _toml.value(value)) for key, value in (overrides or {}).items()]


def _precision(dtype: npt.DTypeLike | None) -> str:
    name = None if dtype is None else np.dtype(dtype).name
    if name not in PRECISIONS:
        raise TypeError(f"dtype is {name}; give float32, float64, or None for what the scene needs")
    return PRECISIONS[name]


class Scene:
    """A scene: bodies, obstacles, how they are solved, how many frames there are.

    Made from a file, from text, from descriptions in Python, or from an example::

        pliant.Scene("hanging.toml", overrides={"solver.substeps": 40})
        pliant.Scene.parse('''[[body]]
        mesh = { grid = { vertices = [21, 21], size = [1.0, 1.0] } }
        material = "cotton"
        ''')
        pliant.Scene.of([pliant.cloth(mesh, material="cotton", pin=[0, 20])])
        pliant.Scene.template("drape")

    :param path: a scene file (TOML). Relative paths in it start from its folder.
    :param overrides: other values for keys such as ``"solver.substeps"`` or ``"body.0.edges.compliance"``; bodies,
        pins and the like are numbered from 0.
    :raises pliant.SceneError: if the scene says something that cannot be; it has ``line``, ``column`` and ``key``.
    """

    _native: _pliant.Scene

    def __init__(self, path: str | PathLike[str], *, overrides: Overrides | None = None) -> None:
        self._native = _pliant.Scene.load(Path(path), _literals(overrides))

    @classmethod
    def _of(cls, native: _pliant.Scene) -> Scene:
        scene = cls.__new__(cls)
        scene._native = native
        return scene

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        base: str | PathLike[str] = ".",
        name: str = "scene",
        meshes: Mapping[str, Mesh] | None = None,
        overrides: Overrides | None = None,
    ) -> Scene:
        """A scene from text.

        :param base: the folder that relative paths start from.
        :param name: what errors call the text.
        :param meshes: meshes by the paths that stand for them in the text; the files need not exist.
        """
        given = dict(meshes or {})
        return cls._of(_pliant.Scene.parse(text, Path(base), name, given, _literals(overrides), True))

    @classmethod
    def template(cls, name: str, *, overrides: Overrides | None = None) -> Scene:
        """An example, by name; see :func:`pliant.templates`."""
        return cls.parse(_pliant.template(name), name=name, overrides=overrides)

    @classmethod
    def of(
        cls,
        bodies: Iterable[Body],
        *,
        obstacles: Iterable[ObstacleShape] = (),
        stitches: Iterable[Stitch] = (),
        attachments: Iterable[Attachment] = (),
        contacts: Iterable[Contact] = (),
        name: str | None = None,
        frames: int = 120,
        frame_rate: float = 60.0,
        dtype: npt.DTypeLike | None = "float32",
        require: Sequence[str] = (),
        substeps: int | None = None,
        iterations: int | None = None,
        gravity: Sequence[float] | None = None,
        damping: float | None = None,
        drag: float | None = None,
        wind: Mapping[str, Any] | None = None,
        method: str | None = None,
        accuracy: float | None = None,
        plan: str | None = None,
        seed: int | None = None,
        recover: bool | None = None,
        crossing_start: str | None = None,
        pinch: str | None = None,
        output: Mapping[str, Any] | None = None,
    ) -> Scene:
        """A scene from descriptions; see :class:`pliant.Simulation` for the parameters, and:

        :param frames: how many frames :func:`pliant.run` simulates.
        :param output: what it writes, as the table ``[output]`` of a scene file, such as ``{"formats": ["pc2"]}``.
        """
        head: dict[str, Any] = {
            "name": name,
            "frames": frames,
            "frame_rate": float(frame_rate),
            "precision": _precision(dtype),
            "require": list(require) or None,
        }
        solver: dict[str, Any] = {
            "substeps": substeps,
            "iterations": iterations,
            "gravity": gravity,
            "damping": damping,
            "drag": drag,
            "wind": wind,
            "method": method,
            "accuracy": accuracy,
            "plan": plan,
            "seed": seed,
            "recover": recover,
            "crossing_start": crossing_start,
            "pinch": pinch,
        }
        meshes: dict[str, Mesh] = {}
        body_tables = []
        for number, body in enumerate(bodies):
            if not isinstance(body, Body):
                raise TypeError(f"body {number} is {body!r}; make it with pliant.cloth or pliant.solid")
            table, named = body.as_table(number)
            meshes.update(named)
            body_tables.append(table)
        obstacle_tables = []
        for number, obstacle in enumerate(obstacles):
            if not isinstance(obstacle, ObstacleShape):
                raise TypeError(f"obstacle {number} is {obstacle!r}; make it with pliant.floor or the like")
            table, named = obstacle.as_table(number)
            meshes.update(named)
            obstacle_tables.append(table)
        document: dict[str, Any] = {name: value for name, value in head.items() if value is not None}
        document["solver"] = {name: value for name, value in solver.items() if value is not None}
        document["body"] = body_tables
        document["obstacle"] = obstacle_tables
        document["stitch"] = [stitch.table for stitch in stitches]
        document["attachment"] = [attachment.table for attachment in attachments]
        document["contact"] = [contact.table for contact in contacts]
        if output is not None:
            document["output"] = dict(output)
        text = _toml.document(document)
        return cls._of(_pliant.Scene.parse(text, Path("."), "scene", meshes, [], False))

    @property
    def name(self) -> str:
        """Its name, ``"scene"`` where it has none."""
        return self._native.name

    @property
    def frames(self) -> int:
        """How many frames a run has."""
        return self._native.frames

    @property
    def time_step(self) -> float:
        """Length of a frame, s."""
        return self._native.time_step

    @property
    def text(self) -> str:
        """The scene as TOML: as it was written, or as a file of it would be."""
        return self._native.text

    @property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes that were given as arrays, by the paths that stand for them in the text."""
        return self._native.meshes

    def remarks(self) -> list[dict[str, Any]]:
        """What is likely to spoil a run of the scene, each with ``what`` and ``remedy``; empty for most scenes.

        :raises pliant.BuildError: as :meth:`build`.
        """
        return self._native.remarks()

    def build(self, *, threads: int | None = None) -> Simulation:
        """Builds the simulation.

        :param threads: how many threads step it; one for every core by default. The result is the same to the last bit.
        :raises pliant.BuildError: if a mesh cannot be read or simulated; it has ``body`` and ``element``.
        """
        from .simulation import Simulation

        return Simulation._of(self._native.build(threads))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the scene as a file that ``pliant run`` takes, and the meshes that were given as arrays beside it.

        :raises pliant.MeshError: if a mesh cannot be written.
        :raises OSError: if the file cannot be written.
        """
        path = Path(path)
        for name, mesh in self.meshes.items():
            (path.parent / name).parent.mkdir(parents=True, exist_ok=True)
            mesh.write(path.parent / name)
        path.write_text(self.text, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<pliant.Scene {self.name!r}, {self.frames} frames>"

    def __reduce__(self) -> tuple[Any, ...]:
        native = self._native
        return _parsed, (native.toml, str(native.base), native.meshes)


def _parsed(text: str, base: str, meshes: dict[str, Mesh]) -> Scene:
    return Scene._of(_pliant.Scene.parse(text, Path(base), "scene", meshes, [], False))
