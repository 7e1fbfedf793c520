"""Files that plugins of TensorBoard want beside the events (tensorflow.python.summary.plugin_asset). A graph has at most one object of each plugin."""

import abc

from .. import ops

_PLUGIN_ASSET_PREFIX = "__tensorboard_plugin_asset__"


class PluginAsset(abc.ABC):
    """Base of classes that write a plugin's files. A subclass sets plugin_name."""

    plugin_name = None

    @abc.abstractmethod
    def assets(self):
        """{file name: text}; a FileWriter that is given the graph writes these files."""
        raise NotImplementedError()


def _only(found, name):
    if len(found) != 1:
        raise ValueError("Collection for %s had %d items, expected 1" % (name, len(found)))
    return found[0]


def get_plugin_asset(plugin_asset_cls, graph=None):
    """The graph's object of a PluginAsset class, made on the first call."""
    graph = graph or ops.get_default_graph()
    if not plugin_asset_cls.plugin_name:
        raise ValueError("Class %s has no plugin_name" % plugin_asset_cls.__name__)
    name = _PLUGIN_ASSET_PREFIX + plugin_asset_cls.plugin_name
    found = graph.get_collection(name)
    if found:
        instance = _only(found, name)
        if not isinstance(instance, plugin_asset_cls):
            raise ValueError("Plugin name collision between classes %s and %s" % (plugin_asset_cls.__name__, instance.__class__.__name__))
        return instance
    instance = plugin_asset_cls()
    graph.add_to_collection(name, instance)
    graph.add_to_collection(_PLUGIN_ASSET_PREFIX, plugin_asset_cls.plugin_name)
    return instance


def get_all_plugin_assets(graph=None):
    """All PluginAsset objects of the graph."""
    graph = graph or ops.get_default_graph()
    return [_only(graph.get_collection(_PLUGIN_ASSET_PREFIX + name), name) for name in graph.get_collection(_PLUGIN_ASSET_PREFIX)]
