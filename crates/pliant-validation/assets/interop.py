"""Opens the files of `cargo xtask interop` with independent readers and compares values with the tables beside them."""

import importlib
import json
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
failures = []
counts = {}


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"skipped: {name} is not installed")
        return None


def near(found, wanted, tolerance=1e-6):
    found, wanted = [list(map(float, p)) for p in found], [list(map(float, p)) for p in wanted]
    return len(found) == len(wanted) and all(
        abs(a - b) <= tolerance for p, q in zip(found, wanted) for a, b in zip(p, q)
    )


def same(found, wanted):
    return [list(map(int, e)) for e in found] == [list(map(int, e)) for e in wanted]


def check(reader, path, what, good):
    counts[reader] = counts.get(reader, 0) + 1
    if not good:
        failures.append(f"{reader}, {path.name}: {what} differ")


def attempt(reader, path, compare):
    try:
        compare(path)
    except Exception as error:  # a reader that gives up is a failure of the file
        failures.append(f"{reader}, {path.name}: {type(error).__name__}: {error}")


def normals_at(points):
    """The normals that go with points, as the table's maker has them."""
    found = []
    for x, y, z in points:
        y, z = y + 0.1, z + 1.0
        length = (x * x + y * y + z * z) ** 0.5
        found.append([x / length, y / length, z / length])
    return found


def corners(points, triangles):
    """Corner positions of triangles, for readers that number vertices anew."""
    return sorted(tuple(round(float(c), 5) + 0.0 for v in t for c in points[v]) for t in triangles)


meshio, trimesh, pyvista, usd = module("meshio"), module("trimesh"), module("pyvista"), module("pxr.UsdGeom")

for name in ["sheet", "solid"]:
    truth = json.loads((folder / f"{name}.json").read_text())
    whole = truth["tets"] if truth["tets"] else truth["surface"]
    kind = "tetra" if truth["tets"] else "triangle"

    if meshio:
        for extension in ["obj", "ply", "stl", "off", "vtu", "vtk", "msh", "mesh", "inp"]:

            def compare(path):
                mesh = meshio.read(path)
                is_surface = extension in ("obj", "ply", "stl", "off")
                points = truth["surface_points"] if is_surface else truth["points"]
                elements = truth["surface"] if is_surface else whole
                cells = mesh.cells_dict["triangle" if is_surface else kind]
                if extension == "stl":
                    good = corners(mesh.points, cells) == corners(points, elements)
                    check("meshio", path, "triangles", good)
                else:
                    check("meshio", path, "points", near(mesh.points, points))
                    check("meshio", path, "elements", same(cells, elements))

            attempt("meshio", folder / f"{name}.{extension}", compare)
        if truth["tets"]:

            def compare(path):
                mesh = meshio.read(path)
                check("meshio", path, "points", near(mesh.points, truth["points"]))
                check("meshio", path, "elements", same(mesh.cells_dict["tetra"], truth["tets"]))

            attempt("meshio", folder / f"{name}.node", compare)
            attempt("meshio", folder / f"{name}.ele", compare)
        named = json.loads((folder / f"{name}_named.json").read_text())
        # Of MSH one without points: meshio splits the data of elements wrongly where there are two kinds of them.

        def compare(path):
            mesh = meshio.read(path)
            of_elements = {key: values[kind] for key, values in mesh.cell_data_dict.items()}
            check("meshio", path, "moduli", near([of_elements["young modulus"]], [named["young"]], 1e-9))
            check("meshio", path, "parts", near([of_elements["part"]], [named["part"]]))
            check("meshio", path, "vectors", near(mesh.point_data["pull"], named["pull"], 1e-9))
            number, dimension = mesh.field_data["foot"]
            check("meshio", path, "dimension of a group", dimension == (3 if truth["tets"] else 2))
            members = [i for i, tag in enumerate(of_elements["gmsh:physical"]) if tag == number]
            check("meshio", path, "elements of a group", members == named["foot"])

        attempt("meshio", folder / f"{name}_unmixed.msh", compare)
        for extension in ["vtu", "vtk"]:

            def compare(path):
                mesh = meshio.read(path)
                # Legacy VTK ends a word at a space, which stands as %20.
                young = "young%20modulus" if extension == "vtk" else "young modulus"
                of_elements = {key: values[kind] for key, values in mesh.cell_data_dict.items()}
                check("meshio", path, "moduli", near([of_elements[young]], [named["young"]], 1e-9))
                check("meshio", path, "parts", near([of_elements["part"]], [named["part"]]))
                check("meshio", path, "vectors", near(mesh.point_data["pull"], named["pull"], 1e-9))
                foot = of_elements["foot"]
                top = [i for i, flag in enumerate(mesh.point_data["top"]) if flag]
                check("meshio", path, "elements of a group", [i for i, f in enumerate(foot) if f] == named["foot"])
                check("meshio", path, "vertices of a group", top == named["top"])

            attempt("meshio", folder / f"{name}_named.{extension}", compare)
        for frame, points in enumerate(truth["frames"]):

            def compare(path):
                mesh = meshio.read(path)
                check("meshio", path, "points", near(mesh.points, points))
                check("meshio", path, "elements", same(mesh.cells_dict[kind], whole))

            attempt("meshio", folder / f"{name}_moving" / f"{name}_moving_{frame:04}.vtu", compare)

    if trimesh:
        files = [(f"{name}.{extension}", truth["surface_points"]) for extension in ["obj", "ply", "stl", "off", "glb"]]
        for frame, points in enumerate(truth["surface_frames"]):
            files += [(f"{name}_frame_{frame:04}.{extension}", points) for extension in ["obj", "ply"]]
        files.append((f"{name}_moving.glb", truth["surface_frames"][0]))
        files.append((f"{name}_named.ply", truth["surface_points"]))
        for file, points in files:

            def compare(path):
                # Where it is told what to make of a file it makes normals of its own.
                mesh = trimesh.load(path, process=False, **({} if "_frame_" in path.name else {"force": "mesh"}))
                good = corners(mesh.vertices, mesh.faces) == corners(points, truth["surface"])
                check("trimesh", path, "triangles", good)
                if "_frame_" in path.name:
                    check("trimesh", path, "normals", near(mesh.vertex_normals, normals_at(points)))
                if "_frame_" in path.name and path.suffix == ".ply":
                    data = mesh.metadata["_ply_raw"]["vertex"]["data"]
                    moved = zip(*(data[f"displacement_{k}"].ravel() for k in range(3)))
                    wanted = [[b - a for a, b in zip(p, q)] for p, q in zip(truth["surface_points"], points)]
                    check("trimesh", path, "displacements", near(moved, wanted))
                    speed = zip(*(data[f"velocity_{k}"].ravel() for k in range(3)))
                    check("trimesh", path, "velocities", near(speed, [[p[1], 0, 2] for p in truth["surface_points"]]))

            attempt("trimesh", folder / file, compare)

    if pyvista:

        def compare(path):
            reader = pyvista.get_reader(path)
            check("pyvista", path, "times", list(reader.time_values) == truth["times"])
            for time, points in zip(truth["times"], truth["frames"]):
                reader.set_active_time_value(time)
                block = reader.read()[0]
                check("pyvista", path, "points", near(block.points, points))
                check("pyvista", path, "normals", near(block.point_data.active_normals, normals_at(points)))
                moves = [[b - a for a, b in zip(p, q)] for p, q in zip(truth["points"], points)]
                check("pyvista", path, "displacements", near(block.point_data["displacement"], moves))

        attempt("pyvista", folder / f"{name}_moving.pvd", compare)
        named = json.loads((folder / f"{name}_named.json").read_text())
        for extension in ["vtu", "vtk"]:

            def compare(path):
                mesh = pyvista.read(path)
                check("pyvista", path, "moduli", near([mesh.cell_data["young modulus"]], [named["young"]], 1e-9))
                check("pyvista", path, "parts", near([mesh.cell_data["part"]], [named["part"]]))
                check("pyvista", path, "vectors", near(mesh.point_data["pull"], named["pull"], 1e-9))
                check("pyvista", path, "group", [i for i, f in enumerate(mesh.cell_data["foot"]) if f] == named["foot"])
                check("pyvista", path, "group", [i for i, f in enumerate(mesh.point_data["top"]) if f] == named["top"])

            attempt("pyvista", folder / f"{name}_named.{extension}", compare)
        for extension in ["vtu", "vtk", "ply", "stl"]:

            def compare(path):
                mesh = pyvista.read(path)
                wanted = truth["points"] if extension in ("vtu", "vtk") else truth["surface_points"]
                check("pyvista", path, "number of points", mesh.n_points == len(wanted))

            attempt("pyvista", folder / f"{name}.{extension}", compare)

    if usd:
        from pxr import Usd

        def compare(path):
            stage = Usd.Stage.Open(str(path))
            mesh = usd.Mesh(stage.GetDefaultPrim())
            check("usd-core", path, "points", near(mesh.GetPointsAttr().Get(), truth["surface_points"]))
            flat = [v for t in truth["surface"] for v in t]
            check("usd-core", path, "indices", list(mesh.GetFaceVertexIndicesAttr().Get()) == flat)

        attempt("usd-core", folder / f"{name}.usda", compare)

        def compare(path):
            stage = Usd.Stage.Open(str(path))
            mesh = usd.Mesh(stage.GetDefaultPrim())
            codes = [time * stage.GetTimeCodesPerSecond() for time in truth["times"]]
            check("usd-core", path, "time codes", mesh.GetPointsAttr().GetTimeSamples() == codes)
            for code, points in zip(codes, truth["surface_frames"]):
                check("usd-core", path, "points", near(mesh.GetPointsAttr().Get(code), points))
                velocities = [[p[1], 0, 2] for p in truth["surface_points"]]
                check("usd-core", path, "velocities", near(mesh.GetVelocitiesAttr().Get(code), velocities))
                check("usd-core", path, "normals", near(mesh.GetNormalsAttr().Get(code), normals_at(points)))
                moves = usd.PrimvarsAPI(mesh).GetPrimvar("displacement")
                wanted = [[b - a for a, b in zip(p, q)] for p, q in zip(truth["surface_points"], points)]
                check("usd-core", path, "displacements", near(moves.Get(code), wanted))
                check("usd-core", path, "interpolation", moves.GetInterpolation() == "vertex")
                extent = [[f(p[i] for p in points) for i in range(3)] for f in (min, max)]
                check("usd-core", path, "extent", near(mesh.GetExtentAttr().Get(code), extent))
            check("usd-core", path, "axis", usd.GetStageUpAxis(stage) == "Y" and usd.GetStageMetersPerUnit(stage) == 1)

        attempt("usd-core", folder / f"{name}_moving.usda", compare)

    # After Blender's MOD_meshcache_pc2.cc and MOD_meshcache_mdd.cc.
    def compare(path):
        data = path.read_bytes()
        magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
        check("PC2", path, "header", (magic, version, start, rate) == (b"POINTCACHE2\0", 1, 1, 1))
        numbers = struct.unpack_from(f"<{3 * points * samples}f", data, 32)
        check("PC2", path, "size", len(data) == 32 + 12 * points * samples)
        flat = [c for frame in truth["frames"] for p in frame for c in p]
        check("PC2", path, "points", near([numbers], [flat]) and len(numbers) == len(flat))

    attempt("PC2", folder / f"{name}_moving.pc2", compare)

    def compare(path):
        data = path.read_bytes()
        frames, points = struct.unpack_from(">ii", data)
        times = struct.unpack_from(f">{frames}f", data, 8)
        numbers = struct.unpack_from(f">{3 * points * frames}f", data, 8 + 4 * frames)
        check("MDD", path, "size", len(data) == 8 + 4 * frames + 12 * points * frames)
        check("MDD", path, "times", list(times) == truth["times"])
        flat = [c for frame in truth["frames"] for p in frame for c in p]
        check("MDD", path, "points", near([numbers], [flat]) and len(numbers) == len(flat))

    attempt("MDD", folder / f"{name}_moving.mdd", compare)

    # After the glTF 2.0 specification: the mesh at each key frame is the base and the targets by their weights.
    def compare(path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        root, buffer = json.loads(data[20 : 20 + length]), data[28 + length :]

        def floats(number):
            accessor = root["accessors"][number]
            view = root["bufferViews"][accessor["bufferView"]]
            width = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
            values = struct.unpack_from(f"<{width * accessor['count']}f", buffer, view["byteOffset"])
            return [values[i : i + width] for i in range(0, len(values), width)]

        primitive = root["meshes"][0]["primitives"][0]
        base = floats(primitive["attributes"]["POSITION"])
        targets = [floats(target["POSITION"]) for target in primitive["targets"]]
        base_normals = floats(primitive["attributes"]["NORMAL"])
        turns = [floats(target["NORMAL"]) for target in primitive["targets"]]
        sampler = root["animations"][0]["samplers"][0]
        check("GLB clip", path, "times", near(floats(sampler["input"]), [[t] for t in truth["times"]]))
        weights = [w[0] for w in floats(sampler["output"])]
        for k, points in enumerate(truth["surface_frames"]):
            row = weights[k * len(targets) : (k + 1) * len(targets)]
            shown = [
                [c + sum(w * target[v][i] for w, target in zip(row, targets)) for i, c in enumerate(p)]
                for v, p in enumerate(base)
            ]
            check("GLB clip", path, "points", near(shown, points))
            turned = [
                [c + sum(w * target[v][i] for w, target in zip(row, turns)) for i, c in enumerate(n)]
                for v, n in enumerate(base_normals)
            ]
            check("GLB clip", path, "normals", near(turned, normals_at(points)))

    attempt("GLB clip", folder / f"{name}_moving.glb", compare)

# A repair: where each vertex of the file went, and where each of the mended mesh came from.
if meshio:

    def compare(path):
        report = json.loads(path.read_text())
        torn, mended = meshio.read(folder / "torn.vtu"), meshio.read(folder / "mended.vtu")
        became, vertex_of, element_of = report["became"], report["vertex_of"], report["element_of"]
        check("repair", path, "lengths", (len(became), len(vertex_of)) == (len(torn.points), len(mended.points)))
        gone = [v for v, new in enumerate(became) if new is None]
        check("repair", path, "vertices that are gone", gone == [0])
        there = [(v, new) for v, new in enumerate(became) if new is not None]
        check("repair", path, "places", near([torn.points[v] for v, _ in there], [mended.points[n] for _, n in there]))
        check("repair", path, "old numbers", all(became[old] == new for new, old in enumerate(vertex_of)))
        for new, old in enumerate(element_of):
            before, after = torn.cells_dict["triangle"][old], mended.cells_dict["triangle"][new]
            check("repair", path, f"corners of {new}", {became[v] for v in before} == {int(v) for v in after})

    attempt("repair", folder / "mended.json", compare)

for reader, count in counts.items():
    print(f"{reader:10} {count} comparisons")
for failure in failures:
    print(f"FAILS {failure}")
sys.exit(1 if failures else 0)
