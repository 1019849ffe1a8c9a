"""A simulation: it is stepped, looked at, and changed between its frames."""

from __future__ import annotations

import base64
import html
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _pliant, _toml
from ._pliant import Frame, TriMesh
from .describe import Attachment, Body, Contact, Mesh, ObstacleShape, Stitch
from .errors import LiveError
from .scene import Scene

__all__ = ["BodyView", "Certificate", "Contacts", "Grab", "Obstacle", "Pin", "Simulation", "Snapshot"]

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Snapshot:
    """A state of a simulation, to go back to by :meth:`Simulation.restore`; it can be pickled and kept in a file."""

    data: bytes
    """The state, with a version and a checksum."""
    watched: bool = False
    """Whether the simulation kept what certificates need."""

    def __repr__(self) -> str:
        return f"<pliant.Snapshot, {len(self.data)} bytes>"


@dataclass(frozen=True)
class Contacts:
    """Contacts between surfaces of bodies that pressed in the last substep, as arrays with a row for each."""

    bodies: npt.NDArray[np.uint32]
    """Numbers of the two bodies, (n, 2)."""
    particles: npt.NDArray[np.uint32]
    """Numbers of the four particles in the simulation, (n, 4): a vertex and a triangle, or two edges."""
    weights: npt.NDArray[np.float64]
    """Their shares in the two points that touch, (n, 4)."""
    points: npt.NDArray[np.float64]
    """Where they touch, m, (n, 3)."""
    normals: npt.NDArray[np.float64]
    """Direction in which the first body is pushed, (n, 3)."""
    distances: npt.NDArray[np.float64]
    """Distance, m, (n,)."""
    impulses: npt.NDArray[np.float64]
    """Impulse on the first body in that substep, N·s, (n, 3)."""

    def __len__(self) -> int:
        return len(self.distances)


class Certificate:
    """How good the answer is, over all frames that were stepped since :meth:`Simulation.certify`."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        self.data = data
        """All of it as dictionaries."""
        self._text = text

    @property
    def frames(self) -> int:
        """Frames that it is about."""
        return int(self.data["frames"])

    @property
    def met(self) -> bool:
        """Whether all requirements were kept."""
        return bool(self.data["met"])

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """Of every requirement how often it was not met, and the worst value."""
        return list(self.data["verdicts"])

    @property
    def verdict(self) -> str:
        """``"good"``, ``"rough"`` or ``"not to be trusted"``: the worst of the findings."""
        grades = [finding["grade"] for finding in self.findings]
        return next((grade for grade in ("not to be trusted", "rough") if grade in grades), "good")

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What speaks against the answer, the worst first: ``what`` was found, ``cure``, and where."""
        return list(self.data["verdict"]["findings"])

    def __getitem__(self, quantity: str) -> float:
        """The worst value of a quantity such as ``"stretch.max"``."""
        worst = self.data["worst"]
        if quantity not in worst:
            raise KeyError(f"{quantity}; there are {', '.join(worst)}")
        return float(worst[quantity]["value"])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<pliant.Certificate of {self.frames} frames: {self.verdict}>"


class Pin:
    """Particles that are held exactly, or moved."""

    def __init__(self, simulation: Simulation, body: BodyView, native: _pliant.Pin, vertices: list[int]) -> None:
        self._simulation, self._native = simulation, native
        self.body = body
        """The body."""
        self.vertices = vertices
        """The vertices of the body that it holds."""

    def move_to(self, places: npt.ArrayLike) -> None:
        """Leads the vertices to places, (k, 3), m, in the course of the next frame, evenly; there they stay. A single point,
        (3,), is a place for the mean of the vertices, which keep their places relative to each other.

        :raises ValueError: if the shape is another, or a number is not finite.
        """
        array = np.asarray(places)
        if array.shape == (3,):
            here = self.body.positions().astype(np.float64)[self.vertices]
            array = here + (_arrays.vector(places, "places") - here.mean(axis=0))
        self._simulation._native.lead(self._native, array)

    def move_by(self, by: npt.ArrayLike) -> None:
        """Leads the vertices by a displacement, (3,), m, from where they are, in the course of the next frame."""
        here = self.body.positions().astype(np.float64)[self.vertices]
        self._simulation._native.lead(self._native, here + _arrays.vector(by, "by"))

    def release(self) -> None:
        """Lets the vertices go; they keep the velocities that the pin gave them."""
        self._simulation._native.unpin(self._native)

    def __repr__(self) -> str:
        return f"<pliant.Pin of {len(self.vertices)} vertices of {self.body.name!r}>"


class Grab:
    """A spring that drags a vertex to a target."""

    def __init__(self, simulation: Simulation, native: _pliant.Grab) -> None:
        self._simulation, self._native = simulation, native

    def move_to(self, target: npt.ArrayLike) -> None:
        """Moves the target to a point, (3,), m, in the course of the next frame."""
        self._simulation._native.move_grab(self._native, target)

    @property
    def force(self) -> npt.NDArray[np.float64] | None:
        """The force with which it draws the vertex, N, (3,); None if it has let go."""
        force = self._simulation._native.grab_force(self._native)
        return None if force is None else np.array(force)

    def release(self) -> None:
        """Lets the vertex go."""
        self._simulation._native.let_go(self._native)


class Obstacle:
    """An obstacle of a running simulation."""

    def __init__(self, simulation: Simulation, native: _pliant.Obstacle) -> None:
        self._simulation, self._native = simulation, native

    def move(self, by: npt.ArrayLike = (0.0, 0.0, 0.0), rotation: npt.ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Moves it in the course of the next frame, evenly, to where a displacement from rest, m, and a rotation, axis times
        angle in rad, take it; there it stays."""
        self._simulation._native.move_obstacle(self._native, by, rotation)

    def set_velocity(
        self,
        linear: npt.ArrayLike = (0.0, 0.0, 0.0),
        angular: npt.ArrayLike = (0.0, 0.0, 0.0),
        pivot: npt.ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Gives it a constant velocity, m/s, and angular velocity, rad/s, about a pivot, m, counted from time 0."""
        self._simulation._native.set_obstacle_velocity(self._native, linear, angular, pivot)

    def remove(self) -> None:
        """Takes it away."""
        self._simulation._native.remove_obstacle(self._native)


class _Gone:
    """Stands for the simulation of a body that has been removed."""

    def __init__(self, name: str) -> None:
        self._body = name

    def __getattr__(self, _: str) -> Any:
        raise LiveError(f"body {self._body!r} has been removed from the simulation")


class BodyView:
    """A body of a simulation. Vertices are numbered as in its mesh."""

    def __init__(
        self, simulation: Simulation, number: int, name: str, first: int, count: int, is_solid: bool, notes: list[str]
    ) -> None:
        self._simulation, self._number = simulation, number
        self.name = name
        """Its name."""
        self.first = first
        """Its first particle in the simulation."""
        self.vertices = count
        """How many vertices it has."""
        self.is_solid = is_solid
        """Whether it is made of tetrahedra."""
        self.notes = notes
        """What is worth knowing about its mesh, a sentence each."""
        self._mesh: Mesh | None = None

    @property
    def mesh(self) -> Mesh:
        """Its mesh, where it started."""
        if self._mesh is None:
            self._mesh = self._simulation._native.mesh(self._number)
        return self._mesh

    @property
    def triangles(self) -> npt.NDArray[np.uint32]:
        """Its triangles, (m, 3); of a solid those of its boundary."""
        mesh = self.mesh
        return mesh.triangles if isinstance(mesh, TriMesh) else mesh.boundary_triangles

    @property
    def edges(self) -> npt.NDArray[np.uint32]:
        """Its edges, (e, 2)."""
        return self.mesh.edges

    @property
    def rest_positions(self) -> npt.NDArray[np.float64]:
        """Its rest shape, m, (n, 3)."""
        return self._simulation._native.rest_positions(self._number)

    @property
    def masses(self) -> npt.NDArray[np.float64]:
        """Masses of its vertices, kg, (n,)."""
        return self._simulation._native.masses(self.first, self.vertices)

    def positions(self, out: Array | None = None) -> Array:
        """Positions, m, (n, 3): a new array in the precision of the simulation, or ``out``.

        :param out: an array of shape (n, 3), float32 or float64, contiguous, that is filled and returned.
        :raises ValueError: if ``out`` has another shape, is not contiguous or cannot be written to.
        :raises TypeError: if ``out`` is not an array of float32 or float64.
        """
        return self._simulation._native.positions(self.first, self.vertices, out)

    def velocities(self, out: Array | None = None) -> Array:
        """Velocities, m/s, (n, 3); as :meth:`positions`."""
        return self._simulation._native.velocities(self.first, self.vertices, out)

    def set_positions(self, positions: npt.ArrayLike) -> None:
        """Puts the vertices elsewhere, (n, 3), m; velocities stay, and what is pinned stays where it is. All is checked first.

        :raises ValueError: if the shape is another or a number is not finite; nothing is changed then.
        """
        self._simulation._native.set_state(self.first, self.vertices, positions, None)

    def set_velocities(self, velocities: npt.ArrayLike) -> None:
        """Sets the velocities, (n, 3), m/s; what is pinned keeps its own. As :meth:`set_positions`."""
        self._simulation._native.set_state(self.first, self.vertices, None, velocities)

    @property
    def pins(self) -> list[Pin]:
        """The pins that hold vertices of this body, in the order in which they were given."""
        found = []
        for native, particles in self._simulation._native.pins():
            inside = [p - self.first for p in particles if self.first <= p < self.first + self.vertices]
            if inside:
                found.append(Pin(self._simulation, self, native, inside))
        return found

    def _particle(self, vertex: int) -> int:
        if not 0 <= vertex < self.vertices:
            raise IndexError(f"vertex is {vertex}; body {self.name!r} has {self.vertices} (numbered from 0)")
        return self.first + vertex

    def pin(self, vertices: npt.ArrayLike) -> Pin:
        """Holds vertices where they are, by numbers or a mask.

        :raises ValueError: if one does not exist, is listed twice or is held already.
        """
        chosen = _arrays.selection(vertices, self.vertices, "vertices")
        native = self._simulation._native.pin([self.first + v for v in chosen])
        return Pin(self._simulation, self, native, chosen)

    def grab(self, vertex: int, stiffness: float) -> Grab:
        """Ties a vertex to a target, at first where it is, by a spring of a stiffness, N/m."""
        native = self._simulation._native.grab(self._particle(vertex), stiffness)
        return Grab(self._simulation, native)

    def set_force(self, vertex: int, force: npt.ArrayLike) -> None:
        """A force on a vertex, N, until it is changed; zero takes it away."""
        self._simulation._native.set_force(self._particle(vertex), force)

    def apply_impulse(self, vertex: int, impulse: npt.ArrayLike) -> None:
        """Changes the velocity of a vertex at once, N·s."""
        self._simulation._native.apply_impulse(self._particle(vertex), impulse)

    def __len__(self) -> int:
        return self.vertices

    def __repr__(self) -> str:
        return f"<pliant body {self.name!r}, {self.vertices} vertices>"


class _Pins(Mapping[str, "list[Pin]"]):
    """The pins of a simulation by the names of bodies."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> list[Pin]:
        return self._simulation[name].pins

    def __iter__(self) -> Iterator[str]:
        return (body.name for body in self._simulation.bodies)

    def __len__(self) -> int:
        return len(self._simulation.bodies)


class Simulation:
    """Bodies among obstacles, built and ready to be stepped.

    ::

        sheet = pliant.TriMesh.grid((21, 21), (1.0, 1.0))
        sim = pliant.Simulation([pliant.cloth(sheet, name="sheet", material="cotton", pin=[0, 20])])
        for _ in range(60):
            frame = sim.step()
        x = sim["sheet"].positions()

    While a thread is stepping, other threads of Python go on; a call on the same simulation waits for a tenth of a
    second, and is refused (:class:`RuntimeError`) if that is not enough. The same calls give the same bits, for any number
    of threads. What is changed between frames takes effect with the next.

    :param bodies: what :func:`pliant.cloth` and :func:`pliant.solid` describe.
    :param obstacles: what :func:`pliant.floor` and the like describe.
    :param stitches: what :func:`pliant.stitch` describes.
    :param attachments: what :func:`pliant.attachment` describes.
    :param contacts: what :func:`pliant.contact` describes.
    :param substeps: substeps of a frame, 10 by default: more make everything stiffer and more exact.
    :param gravity: m/s²; (0, −9.81, 0) by default.
    :param damping: rate at which all motion but the rigid one of each body decays, 1/s.
    :param drag: rate at which all motion decays, 1/s.
    :param wind: ``{"velocity": [x, y, z]}``, m/s, and ``density``, ``drag``, ``lift``.
    :param method: ``"sweeps"``, ``"coarse"``, ``"newton"`` or ``"auto"``.
    :param accuracy: with ``"auto"`` and ``"newton"``: how exact the answer is to be, 0.01 by default.
    :param dtype: ``float32``, ``float64``, or None for what the scene needs.
    :param threads: how many threads step it; one for every core by default.
    :param frame_rate: frames per second: :meth:`step` steps by the inverse unless it is told otherwise.
    :param require: bounds on quantities, such as ``"stretch.max<=0.02"``; if there are any, a certificate is kept.
    :raises pliant.SceneError: if a number or choice makes no sense; it has a ``key``.
    :raises pliant.BuildError: if a body cannot be simulated; it has ``body`` and ``element``.
    """

    _native: _pliant.Simulation

    def __init__(
        self,
        bodies: Iterable[Body],
        obstacles: Iterable[ObstacleShape] = (),
        *,
        stitches: Iterable[Stitch] = (),
        attachments: Iterable[Attachment] = (),
        contacts: Iterable[Contact] = (),
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
        dtype: npt.DTypeLike | None = "float32",
        threads: int | None = None,
        frame_rate: float = 60.0,
        require: Sequence[str] = (),
        name: str | None = None,
    ) -> None:
        scene = Scene.of(
            bodies,
            obstacles=obstacles,
            stitches=stitches,
            attachments=attachments,
            contacts=contacts,
            substeps=substeps,
            iterations=iterations,
            gravity=gravity,
            damping=damping,
            drag=drag,
            wind=wind,
            method=method,
            accuracy=accuracy,
            plan=plan,
            seed=seed,
            recover=recover,
            crossing_start=crossing_start,
            pinch=pinch,
            dtype=dtype,
            frame_rate=frame_rate,
            require=require,
            name=name,
        )
        self._adopt(scene._native.build(threads))

    def _adopt(self, native: _pliant.Simulation) -> None:
        self._native = native
        self._dt = native.scene.time_step
        self._bodies = [BodyView(self, number, *body) for number, body in enumerate(native.bodies)]
        self._by_name = {body.name: body for body in self._bodies}
        self._changed = False
        self._required: list[str] | None = None
        if native.scene.require:
            self.certify(native.scene.require)

    @classmethod
    def _of(cls, native: _pliant.Simulation) -> Simulation:
        simulation = cls.__new__(cls)
        simulation._adopt(native)
        return simulation

    # What there is

    @property
    def scene(self) -> Scene:
        """The scene that it was built from."""
        return Scene._of(self._native.scene)

    @property
    def bodies(self) -> list[BodyView]:
        """The bodies, in their order."""
        return list(self._bodies)

    def __getitem__(self, name: str) -> BodyView:
        """The body of that name."""
        if name not in self._by_name:
            raise KeyError(f"{name}; there are {', '.join(self._by_name)}")
        return self._by_name[name]

    @property
    def obstacles(self) -> list[Obstacle]:
        """The obstacles that are there, in their order."""
        return [Obstacle(self, native) for native in self._native.obstacles()]

    def add_body(self, body: Body) -> BodyView:
        """Adds a body, such as ``pliant.cloth(mesh, name="guest", material="cotton")``, where its mesh is. The other bodies keep
        their state, pins and forces. Everything is planned again, which costs as much as building the simulation; a certificate begins
        anew. A simulation whose bodies have changed cannot be pickled, and its snapshots are for simulations with the same bodies.

        :param body: what :func:`pliant.cloth` and the like describe; it needs a name that no other body has.
        :raises ValueError: if its name is missing or taken.
        :raises pliant.SceneError: if a number or choice makes no sense.
        :raises pliant.BuildError: if it cannot be simulated.
        """
        if not isinstance(body, Body):
            raise TypeError(f"{body!r} is no body; make it with pliant.cloth or pliant.solid")
        if body.name is None or body.name in self._by_name:
            raise ValueError(f"a body that is added needs a name of its own; there are {', '.join(self._by_name)}")
        table, meshes = body.as_table(0)
        self._native.add_body("".join(_toml.lines(table)), meshes)
        self._take_stock()
        return self._by_name[body.name]

    def remove_body(self, body: str | BodyView) -> None:
        """Removes a body, with the pins, springs and forces on it; as :meth:`add_body`.

        :raises pliant.LiveError: if it is the last, or tied to another.
        """
        view = self[body] if isinstance(body, str) else body
        if self._by_name.get(view.name) is not view:
            raise ValueError(f"{view!r} is no body of this simulation")
        self._native.remove_body(view._number)
        view._simulation = _Gone(view.name)  # type: ignore[assignment]
        self._take_stock()

    def _take_stock(self) -> None:
        """Finds the bodies after a change, with the views that there are."""
        bodies, old = [], self._by_name
        for number, (name, first, count, is_solid, notes) in enumerate(self._native.bodies):
            view = old.get(name)
            if view is None or isinstance(view._simulation, _Gone):
                view = BodyView(self, number, name, first, count, is_solid, notes)
            view._number, view.first = number, first
            bodies.append(view)
        self._bodies, self._by_name, self._changed = bodies, {view.name: view for view in bodies}, True
        if self._required is not None:
            self.certify(self._required)

    def add_obstacle(self, obstacle: ObstacleShape) -> Obstacle:
        """Adds an obstacle, such as ``pliant.sphere((0, 1, 0), 0.1)``, from the next step on. Add it where nothing is, and move it:
        what is inside is pushed out at once. A pickled simulation has it too, unless it has data of its own (hull, height field,
        distances).

        :raises pliant.SceneError: if a number makes no sense.
        """
        table, meshes = obstacle.as_table(len(self._native.obstacles()))
        return Obstacle(self, self._native.add_obstacle("".join(_toml.lines(table)), meshes))

    @property
    def pins(self) -> Mapping[str, list[Pin]]:
        """The pins of every body, by its name: ``sim.pins["sheet"][0].move_to([0, 1, 0])``."""
        return _Pins(self)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The precision of its state, float32 or float64."""
        return np.dtype(np.float64 if self._native.is_double else np.float32)

    @property
    def threads(self) -> int | None:
        """How many threads step it; None stands for one for every core."""
        return self._native.threads

    # Steps

    def step(self, dt: float | None = None) -> Frame:
        """Steps by a frame and reports on the state at its end.

        :param dt: length of the frame, s; that of the frame rate by default.
        :raises pliant.StepError: a :class:`FloatingPointError`, if a position becomes infinite; it names body and vertex.
        """
        return self._native.step(self._dt if dt is None else dt)

    def advance(self, frames: int = 1, dt: float | None = None) -> None:
        """Steps by some frames without looking at them, which is faster. Ctrl-C stops between two of them.

        :raises pliant.StepError: as :meth:`step`.
        """
        if frames < 0:
            raise ValueError(f"frames is {frames}; give a number of at least 0")
        self._native.advance(self._dt if dt is None else dt, frames)

    def report(self) -> Frame:
        """Reports on the present state."""
        return self._native.report()

    @property
    def time(self) -> float:
        """Time since the start, s."""
        return self._native.time

    @property
    def frame(self) -> int:
        """Frames since the start."""
        return self._native.frame

    @property
    def state_hash(self) -> int:
        """A number that is equal for two states only if every bit of positions and velocities is equal."""
        return self._native.state_hash

    # State

    @property
    def particles(self) -> int:
        """Vertices of all bodies, which follow each other in the order of the bodies."""
        return sum(body.vertices for body in self._bodies)

    def positions(self, out: Array | None = None) -> Array:
        """Positions of all particles, m, (particles, 3); as :meth:`BodyView.positions`."""
        return self._native.positions(0, self.particles, out)

    def velocities(self, out: Array | None = None) -> Array:
        """Velocities of all particles, m/s, (particles, 3)."""
        return self._native.velocities(0, self.particles, out)

    def set_state(self, positions: npt.ArrayLike | None = None, velocities: npt.ArrayLike | None = None) -> None:
        """Puts all particles elsewhere, (particles, 3), m, and gives them other velocities, m/s. Everything is checked before
        anything is changed. What is pinned stays where it is.

        :raises ValueError: if a shape is another or a number is not finite; nothing is changed then.
        """
        self._native.set_state(0, self.particles, positions, velocities)

    def snapshot(self) -> Snapshot:
        """The state with all that calls have changed, to go back to. It can be pickled."""
        return Snapshot(self._native.snapshot(), self._native.watched)

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a state of this simulation, or of one of the same scene in another process: the same calls give the same
        bits from there on. Handles of grabs and pins stay valid. A certificate begins anew.

        :raises pliant.SnapshotError: if it is damaged, or of another simulation.
        """
        self._native.restore(snapshot.data, snapshot.watched)
        if self._required is not None:
            self.certify(self._required)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._changed:
            raise TypeError("a simulation whose bodies have changed cannot be pickled; build one with these bodies")
        return _restored, (self.scene, self.threads, self.snapshot(), self._required)

    # What acts

    @property
    def gravity(self) -> npt.NDArray[np.float64]:
        """Acceleration of gravity, m/s², (3,)."""
        return np.array(self._native.gravity)

    @gravity.setter
    def gravity(self, gravity: npt.ArrayLike) -> None:
        self._native.set_gravity(gravity)

    @property
    def substeps(self) -> int:
        """Substeps of the frames that follow."""
        return self._native.substeps

    @substeps.setter
    def substeps(self, substeps: int) -> None:
        if substeps < 1:
            raise ValueError(f"substeps is {substeps}; give at least 1")
        self._native.set_substeps(substeps)

    def set_wind(
        self, velocity: npt.ArrayLike | None, *, density: float = 1.2, drag: float = 1.0, lift: float = 0.5
    ) -> None:
        """Sets the wind, m/s, (3,), or stops it (None). Density of the air, kg/m³; shares of the dynamic pressure that push along
        the wind and along the normal."""
        self._native.set_wind(velocity, density, drag, lift)

    def set_damping(self, rate: float) -> None:
        """Rate at which all motion but the rigid one of each body decays, 1/s."""
        self._native.set_damping(rate)

    def set_drag(self, rate: float) -> None:
        """Rate at which all motion decays, 1/s."""
        self._native.set_drag(rate)

    def clear_forces(self) -> None:
        """Takes all forces away that were set on vertices."""
        self._native.clear_forces()

    @property
    def groups(self) -> list[str]:
        """Names of the groups of constraints, such as ``"edges"``."""
        return self._native.groups()

    def set_compliance(self, group: str, compliance: float) -> None:
        """Sets the compliance of all constraints of a group, in the unit of the group."""
        self._native.set_compliance(group, compliance)

    def scale_stiffness(self, group: str, factor: float) -> None:
        """Makes all constraints of a group stiffer by a factor than they were built."""
        self._native.scale_stiffness(group, factor)

    # What is found

    def contacts(self) -> Contacts:
        """Contacts between surfaces of bodies that pressed in the last substep."""
        return Contacts(*self._native.contacts())

    def certify(self, require: Sequence[str] = ()) -> None:
        """Begins to sum up how good the answer is: every :meth:`step` from now on counts.

        :param require: bounds such as ``"stretch.max<=0.02"`` or ``"residual.edges<=1e-5"``.
        :raises pliant.SceneError: if one is no bound, or there is no such quantity.
        """
        self._native.certify(list(require))
        self._required = list(require)

    @property
    def certificate(self) -> Certificate | None:
        """The certificate so far; None unless :meth:`certify` was called or the scene requires something."""
        found = self._native.certificate()
        return None if found is None else Certificate(*found)

    # Pictures

    def render(
        self, size: tuple[int, int] = (640, 480), *, azimuth: float = 38.0, elevation: float = 16.0, caption: str = ""
    ) -> bytes:
        """A picture of the present state, as the bytes of a PNG file, without a graphics card. Obstacles are drawn where they
        have a surface and do not move.

        :param size: width and height in pixels.
        :param azimuth: direction of the view about the vertical axis, degrees.
        :param elevation: height of the view, degrees.
        :raises pliant.RenderError: if size or view cannot be.
        """
        surfaces: list[tuple[Any, Any, int | None, bool]] = [
            (body.positions(), body.triangles, number, body.is_solid) for number, body in enumerate(self._bodies)
        ]
        ground, obstacles = self._native.scene.scenery()
        surfaces += [(mesh.positions, mesh.triangles, None, True) for mesh in obstacles]
        return _pliant.render(surfaces, size, azimuth, elevation, ground, caption)

    def show(
        self, dt: float | None = None, *, opened: Callable[[str, Callable[[], None]], object] | None = None
    ) -> None:
        """Shows the simulation in a browser on this machine: it runs there, and can be dragged, paused and stepped. Returns when
        Ctrl-C (in a notebook: interrupt) or another thread ends it; the simulation is then where the page has left it.

        It runs while a page is open. The address has a secret in it and is one of this machine (127.0.0.1). Obstacles are drawn
        as the scene has them.

        :param dt: time of a frame, s; that of the scene if none is given.
        :param opened: called with the address and a function that ends it, in place of opening a browser.
        :raises OSError: if no port is free.
        """

        def usual(address: str, _: Callable[[], None]) -> None:
            print(address, flush=True)
            webbrowser.open(address)

        try:
            self._native.show(self._dt if dt is None else dt, opened or usual)
        except KeyboardInterrupt:
            # How it is meant to end.
            return

    def _repr_png_(self) -> bytes:
        return self.render(caption=f"{self.time:.2f} s")

    def _repr_html_(self) -> str:
        picture = base64.b64encode(self._repr_png_()).decode()
        rows = "".join(
            f"<tr><td>{html.escape(body.name)}</td><td>{'solid' if body.is_solid else 'cloth'}</td><td>{body.vertices}</td></tr>"
            for body in self._bodies
        )
        certificate = self.certificate
        verdict = f"<p>verdict: {certificate.verdict}</p>" if certificate and certificate.frames else ""
        return (
            f'<img src="data:image/png;base64,{picture}" alt="the simulation at {self.time:.2f} s">'
            f"<table><tr><th>body</th><th>kind</th><th>vertices</th></tr>{rows}</table>{verdict}"
        )

    def __repr__(self) -> str:
        return f"<pliant.Simulation of {len(self._bodies)} bodies, {self.particles} particles, at {self.time:.4f} s>"


def _restored(scene: Scene, threads: int | None, state: Snapshot, require: list[str] | None) -> Simulation:
    simulation = scene.build(threads=threads)
    simulation._required = require
    simulation.restore(state)
    return simulation


