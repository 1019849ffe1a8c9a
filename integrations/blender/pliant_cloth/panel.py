"""The panel, among the physics of an object."""

import bpy

ICONS = {"good": "CHECKMARK", "rough": "INFO", "not to be trusted": "ERROR"}


class PLIANT_PT_cloth(bpy.types.Panel):
    bl_label = "Pliant Cloth"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj = self.layout, context.object
        settings = obj.pliant
        layout.use_property_split = True
        column = layout.column()
        column.enabled = not settings.running
        column.prop(settings, "material")
        column.prop_search(settings, "pins", obj, "vertex_groups")
        column.prop(settings, "colliders")
        for name in ("self_collision", "ground", "distance", "friction", "damping", "substeps", "folder"):
            column.prop(settings, name)
        if settings.running:
            layout.prop(settings, "progress", text="Escape cancels")
            return
        row = layout.row(align=True)
        row.operator("pliant.simulate", icon="PLAY")
        row.operator("pliant.remove", text="", icon="X")
        if settings.verdict:
            box = layout.box()
            box.label(text=f"Verdict: {settings.verdict}", icon=ICONS.get(settings.verdict, "QUESTION"))
            for line in settings.findings.splitlines() + settings.numbers.splitlines():
                box.label(text=line)
            box.label(text=f"State: {settings.state_hash}")


def register() -> None:
    bpy.utils.register_class(PLIANT_PT_cloth)


def unregister() -> None:
    bpy.utils.unregister_class(PLIANT_PT_cloth)
