"""The buttons: simulate, with progress and Escape, and remove."""

import time

import bpy
import pliant

from .simulate import MODIFIER, Bake, Problem

# What is reported where Blender shows errors, and not as a failure of the program.
EXPECTED = (Problem, pliant.Error, OSError, ValueError)
# Seconds of work between two looks at the keyboard.
SLICE = 0.1


def failed(operator: bpy.types.Operator, error: Exception) -> None:
    operator.report({"ERROR"}, str(error))


class PLIANT_OT_simulate(bpy.types.Operator):
    """Simulate the active mesh as cloth over the frames of the scene; Escape cancels"""

    bl_idname = "pliant.simulate"
    bl_label = "Simulate Cloth"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and context.object.type == "MESH" and context.mode == "OBJECT"

    def execute(self, context: bpy.types.Context) -> set[str]:
        bake = None
        try:
            bake = Bake(context, context.object)
            while bake.step():
                pass
            bake.finish()
        except EXPECTED as error:
            if bake is not None:
                bake.cancel()
            failed(self, error)
            return {"CANCELLED"}
        return self._told(context.object)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        try:
            self._bake = Bake(context, context.object)
        except EXPECTED as error:
            failed(self, error)
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0.0, 1.0)
        self._timer = manager.event_timer_add(0.01, window=context.window)
        self._bake.settings.running = True
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if event.type == "ESC":
            self._end(context)
            self._bake.cancel()
            self.report({"INFO"}, f"cancelled at frame {self._bake.frame}; nothing has changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            # Blender goes on, but nothing may change what is being simulated.
            return {"RUNNING_MODAL"}
        begun, more = time.monotonic(), True
        try:
            while more and time.monotonic() - begun < SLICE:
                more = self._bake.step()
            if more:
                self._show(context)
                return {"RUNNING_MODAL"}
            self._end(context)
            self._bake.finish()
        except EXPECTED as error:
            self._end(context)
            self._bake.cancel()
            failed(self, error)
            return {"CANCELLED"}
        return self._told(self._bake.obj)

    def _show(self, context: bpy.types.Context) -> None:
        self._bake.settings.progress = self._bake.progress
        context.window_manager.progress_update(self._bake.progress)
        for area in context.screen.areas:
            area.tag_redraw()

    def _end(self, context: bpy.types.Context) -> None:
        self._bake.settings.running = False
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()

    def _told(self, obj: bpy.types.Object) -> set[str]:
        kind = "INFO" if obj.pliant.verdict == "good" else "WARNING"
        self.report({kind}, f"{obj.name} is simulated; verdict: {obj.pliant.verdict}")
        return {"FINISHED"}


class PLIANT_OT_remove(bpy.types.Operator):
    """Take the simulation away from the active mesh; the file of the cache stays"""

    bl_idname = "pliant.remove"
    bl_label = "Remove"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and MODIFIER in context.object.modifiers

    def execute(self, context: bpy.types.Context) -> set[str]:
        obj = context.object
        obj.modifiers.remove(obj.modifiers[MODIFIER])
        for name in ("verdict", "findings", "numbers", "state_hash"):
            setattr(obj.pliant, name, "")
        return {"FINISHED"}


CLASSES = (PLIANT_OT_simulate, PLIANT_OT_remove)


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
