"""What goes wrong, with numbers that a program can use.

Every exception is an :class:`Error`, and also the kind of built-in exception that fits: wrong input is a
:class:`ValueError`, a simulation that becomes infinite a :class:`FloatingPointError`.
"""

from __future__ import annotations

__all__ = [
    "BuildError",
    "DeformError",
    "Error",
    "LiveError",
    "MeshError",
    "RenderError",
    "RunError",
    "SceneError",
    "SnapshotError",
    "StepError",
]


class Error(Exception):
    """Anything that Pliant refuses."""


class MeshError(Error, ValueError):
    """A mesh, or a mesh file, that cannot be used. The message names the element, or file and line."""


class SceneError(Error, ValueError):
    """A scene that says something that cannot be."""

    file: str | None
    """The file, or the name of the text."""
    line: int | None
    """Line in the file, from 1; None for a scene that was described in Python or has overrides."""
    column: int | None
    """Column in characters, from 1."""
    key: str | None
    """The field, such as ``body[1].edges``."""
    problem: str | None
    """What is wrong."""
    expected: str | None
    """What was expected; may be empty."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str | None = None,
        problem: str | None = None,
        expected: str | None = None,
    ) -> None:
        super().__init__(message)
        self.file, self.line, self.column = file, line, column
        self.key, self.problem, self.expected = key, problem, expected


class BuildError(SceneError):
    """A scene that says nothing wrong, and still cannot be simulated, mostly for what its meshes are."""

    body: str | None
    """Name of the body, if it is about one."""
    element: tuple[str, int] | None
    """The first element of its mesh that is at fault, such as ``("triangle", 17)``, numbered from 0."""

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str | None = None,
        problem: str | None = None,
        expected: str | None = None,
        body: str | None = None,
        element: tuple[str, int] | None = None,
    ) -> None:
        super().__init__(
            message, file=file, line=line, column=column, key=key, problem=problem, expected=expected
        )
        self.body, self.element = body, element


class StepError(Error, FloatingPointError):
    """A step whose result is not finite, or whose length makes no sense."""

    frame: int | None
    """The frame that broke down."""
    substep: int | None
    """The substep of that frame."""
    body: str | None
    """Name of the body."""
    vertex: int | None
    """The first vertex of that body that is not finite."""
    world: int | None
    """Number of the simulation in a :class:`pliant.Batch`."""

    def __init__(
        self,
        message: str,
        *,
        frame: int | None = None,
        substep: int | None = None,
        body: str | None = None,
        vertex: int | None = None,
        world: int | None = None,
    ) -> None:
        super().__init__(message)
        self.frame, self.substep, self.body, self.vertex, self.world = frame, substep, body, vertex, world


class LiveError(Error, ValueError):
    """A call that a running simulation refuses; nothing was changed."""


class SnapshotError(Error, ValueError):
    """A state that is damaged, or of another simulation; nothing was changed."""


class RunError(Error):
    """A run that cannot begin, be resumed or be written. What is there stays there."""


class DeformError(Error, ValueError):
    """A deformer that cannot be bound, or positions that it cannot take."""


class RenderError(Error, ValueError):
    """A picture that cannot be drawn."""
