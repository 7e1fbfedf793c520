"""Conversion of Keras objects to configurations and back, with custom classes and functions."""

from ..exports import export, export_value
from ..layers import lookups
from ..training.decays import LearningRateSchedule


class _CustomObjectScope:
    """Context manager that registers custom classes and functions by name."""

    def __init__(self, *args):
        self._given = {}
        for a in args:
            self._given.update(a)

    def __enter__(self):
        self._before = dict(lookups.CUSTOM)
        lookups.CUSTOM.update(self._given)
        return self

    def __exit__(self, *unused):
        lookups.CUSTOM.clear()
        lookups.CUSTOM.update(self._before)


CustomObjectScope = export("keras.utils.CustomObjectScope")(_CustomObjectScope)


@export("keras.utils.custom_object_scope")
def custom_object_scope(*args):
    return CustomObjectScope(*args)


export_value(lambda: lookups.CUSTOM, "keras.utils.get_custom_objects")


@export("keras.utils.serialize_keras_object")
def serialize_keras_object(instance):
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": type(instance).__name__, "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError("Cannot serialize", instance)


@export("keras.utils.deserialize_keras_object")
def deserialize_keras_object(identifier, module_objects=None, custom_objects=None, printable_module_name="object"):
    if identifier is None:
        return None
    name = identifier["class_name"] if isinstance(identifier, dict) else identifier
    if not isinstance(name, str):
        return identifier if callable(identifier) else None
    found = (custom_objects or {}).get(name) or lookups.CUSTOM.get(name) or (module_objects or {}).get(name)
    if found is None:
        raise ValueError("Unknown " + printable_module_name + ": " + name)
    if isinstance(identifier, dict):
        return found.from_config(identifier["config"]) if hasattr(found, "from_config") else found(**identifier["config"])
    return found() if isinstance(found, type) else found


export_value(lambda identifier: lookups.text_of(identifier), "keras.optimizers.schedules.serialize")


@export("keras.optimizers.schedules.deserialize")
def schedule_of(config, custom_objects=None):
    """A learning rate schedule from its configuration."""
    kinds, todo = {}, [LearningRateSchedule]
    while todo:
        kinds.update((kind.__name__, kind) for kind in todo)
        todo = [sub for kind in todo for sub in kind.__subclasses__() if sub.__module__ == LearningRateSchedule.__module__]
    return deserialize_keras_object(config, module_objects=kinds, custom_objects=custom_objects, printable_module_name="decay")
