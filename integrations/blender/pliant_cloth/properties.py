"""What the panel of an object asks, and what the last simulation has found."""

import bpy
import pliant



def fabrics() -> list[tuple[str, str, str]]:
    """The materials that make cloth by themselves; others need a thickness."""
    sheet = pliant.TriMesh.grid((2, 2), (1.0, 1.0))
    found = []
    for name, about in pliant.materials().items():
        try:
            pliant.Scene.of([pliant.cloth(sheet, material=name)]).build(threads=1)
        except pliant.Error:
            continue
        found.append((name, name.replace("-", " ").capitalize(), about))
    return found


# Blender keeps no reference to the strings of an enumeration.
FABRICS = fabrics()


class PliantCloth(bpy.types.PropertyGroup):
    material: bpy.props.EnumProperty(
        name="Material", description="Fabric, with stiffness and weight as measured", items=FABRICS
    )
    pins: bpy.props.StringProperty(
        name="Pins", description="Vertex group whose vertices are held where the object has them (weight from 0.5)"
    )
    colliders: bpy.props.PointerProperty(
        name="Colliders", type=bpy.types.Collection, description="Collection of meshes that the cloth meets, animated or not"
    )
    self_collision: bpy.props.BoolProperty(name="Self-Collision", default=True, description="The cloth meets itself")
    distance: bpy.props.FloatProperty(
        name="Distance",
        default=0.01,
        min=1e-5,
        soft_max=0.1,
        precision=4,
        subtype="DISTANCE",
        unit="LENGTH",
        description="Gap between the cloth and what it touches",
    )
    friction: bpy.props.FloatProperty(name="Friction", default=0.4, min=0.0, soft_max=1.0)
    damping: bpy.props.FloatProperty(
        name="Damping", default=0.01, min=0.0, soft_max=0.1, precision=3, description="Relaxation time of the fabric, in seconds"
    )
    ground: bpy.props.BoolProperty(name="Ground", default=False, description="A floor at height zero")
    substeps: bpy.props.IntProperty(
        name="Substeps", default=20, min=1, max=10_000, description="Substeps of a frame: more make the fabric stiffer and more exact"
    )
    folder: bpy.props.StringProperty(
        name="Cache", default="//pliant", subtype="DIR_PATH", description="Folder of the point cache"
    )

    # What the last simulation has found.
    verdict: bpy.props.StringProperty()
    findings: bpy.props.StringProperty()
    numbers: bpy.props.StringProperty()
    state_hash: bpy.props.StringProperty()
    progress: bpy.props.FloatProperty(min=0.0, max=1.0, subtype="FACTOR", options={"SKIP_SAVE"})
    running: bpy.props.BoolProperty(options={"SKIP_SAVE"})


def register() -> None:
    bpy.utils.register_class(PliantCloth)
    bpy.types.Object.pliant = bpy.props.PointerProperty(type=PliantCloth)


def unregister() -> None:
    del bpy.types.Object.pliant
    bpy.utils.unregister_class(PliantCloth)
