"""Pictures of Keras models: model_to_dot and plot_model. Graphviz draws them; pydot is needed only for the object that model_to_dot returns."""

import os
import shutil
import subprocess

from ..exports import export

_MISSING = "Failed to import pydot. You must install pydot and graphviz for `pydotprint` to work."


def _pydot():
    """The module pydot or one of its successors, or None."""
    for name in ("pydot_ng", "pydotplus", "pydot"):
        try:
            return __import__(name)
        except ImportError:
            pass
    return None


def check_pydot():
    """Whether pydot and Graphviz are there."""
    return _pydot() is not None and shutil.which("dot") is not None


def _is_model(layer):
    return hasattr(layer, "_set_graph")


def is_wrapped_model(layer):
    """Whether a layer is a wrapper around a model."""
    return _is_model(getattr(layer, "layer", None))


def _quoted(text):
    return '"%s"' % str(text).replace("\\", "\\\\").replace('"', '\\"')


def _field(text):
    """A text inside of a record's label, where braces, bars and angles have a meaning."""
    return "".join("\\" + c if c in "{}|<>" else c for c in text)


def _shapes(layer, which):
    try:
        found = getattr(layer, which + "_shape")
    except AttributeError:
        return "?"
    return _field(str(found).replace("None", "?"))


class _Drawing:
    """The text of one graph in Graphviz's language."""

    def __init__(self, show_shapes, show_layer_names, expand_nested):
        self.show_shapes, self.show_layer_names, self.expand_nested = show_shapes, show_layer_names, expand_nested
        self.lines, self.edges = [], []
        self.ends = {}  # model -> (id of its first node, of its last node)

    def label(self, layer):
        name, kind = layer.name, type(layer).__name__
        if hasattr(layer, "layer") and not (self.expand_nested and is_wrapped_model(layer)):
            name, kind = "%s(%s)" % (name, layer.layer.name), "%s(%s)" % (kind, type(layer.layer).__name__)
        text = _field("%s: %s" % (name, kind) if self.show_layer_names else kind)
        if self.show_shapes:
            text = "%s\n|{input:|output:}|{{%s}|{%s}}" % (text, _shapes(layer, "input"), _shapes(layer, "output"))
        return '"%s"' % text.replace('"', '\\"').replace("\n", "\\n")

    def add(self, model, indent="  "):
        """The layers of a model as nodes, models inside of it as clusters if they are expanded."""
        layers = model._layers
        for layer in layers:
            inner = layer if _is_model(layer) else layer.layer if is_wrapped_model(layer) else None
            if self.expand_nested and inner is not None:
                self.lines.append("%ssubgraph %s {" % (indent, _quoted("cluster_" + inner.name)))
                self.lines.append("%s  style=dashed; label=%s; labeljust=l;" % (indent, _quoted(inner.name)))
                self.add(inner, indent + "  ")
                self.lines.append(indent + "}")
            if not (self.expand_nested and _is_model(layer)):
                self.lines.append("%s%d [label=%s];" % (indent, id(layer), self.label(layer)))
        self.ends[id(model)] = (self.first(layers[0]), self.last(layers[-1])) if layers else (id(model), id(model))
        for node in model._nodes:
            for before in node.before():
                edge = "  %d -> %d;" % (self.last(before.layer), self.first(node.layer))
                if edge not in self.edges and before is not node:
                    self.edges.append(edge)
        for layer in layers:
            if self.expand_nested and is_wrapped_model(layer):
                self.edges.append("  %d -> %d;" % (id(layer), self.ends[id(layer.layer)][0]))

    def first(self, layer):
        return self.ends[id(layer)][0] if self.expand_nested and _is_model(layer) and id(layer) in self.ends else id(layer)

    def last(self, layer):
        inner = layer if _is_model(layer) else getattr(layer, "layer", None)
        return self.ends[id(inner)][1] if self.expand_nested and id(inner) in self.ends else id(layer)


def dot_of(model, show_shapes=False, show_layer_names=True, rankdir="TB", expand_nested=False, dpi=96):
    """A model as text in Graphviz's language."""
    if hasattr(model, "add") and not model.built:
        model.build()
    head = ["digraph G {", "  rankdir=%s; concentrate=true; dpi=%d;" % (rankdir, dpi), "  node [shape=record];"]
    if not model._is_graph_network and not hasattr(model, "add"):
        return "\n".join(head + ["  %d [label=%s];" % (id(model), _quoted(model.name)), "}"]) + "\n"
    drawing = _Drawing(show_shapes, show_layer_names, expand_nested)
    drawing.add(model)
    return "\n".join(head + drawing.lines + drawing.edges + ["}"]) + "\n"


@export("keras.utils.model_to_dot")
def model_to_dot(model, show_shapes=False, show_layer_names=True, rankdir="TB", expand_nested=False, dpi=96, subgraph=False):
    """A model as pydot's Dot, or, with `subgraph`, as its Cluster. ImportError without pydot and Graphviz."""
    if not check_pydot():
        raise ImportError(_MISSING)
    made = _pydot().graph_from_dot_data(dot_of(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi))
    made = made[0] if isinstance(made, list) else made
    if not subgraph:
        return made
    cluster = _pydot().Cluster(style="dashed", graph_name=model.name)
    cluster.set("label", model.name)
    cluster.set("labeljust", "l")
    for node in made.get_nodes():
        cluster.add_node(node)
    for edge in made.get_edges():
        cluster.add_edge(edge)
    return cluster


@export("keras.utils.plot_model")
def plot_model(model, to_file="model.png", show_shapes=False, show_layer_names=True, rankdir="TB", expand_nested=False, dpi=96):
    """Draws a model into a file, whose ending says the format: png, svg, pdf … ImportError without Graphviz."""
    program = shutil.which("dot")
    if program is None:
        raise ImportError(_MISSING)
    text = dot_of(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    form = os.path.splitext(to_file)[1][1:] or "png"
    done = subprocess.run([program, "-T" + form, "-o", os.fspath(to_file)], input=text.encode(), stderr=subprocess.PIPE)
    if done.returncode:
        raise OSError("Graphviz could not write %s: %s" % (to_file, done.stderr.decode(errors="replace").strip()))
    try:
        from IPython import display
    except ImportError:
        return None
    return display.Image(filename=to_file)
