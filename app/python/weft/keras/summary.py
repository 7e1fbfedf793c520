"""Model.summary(): layers, shapes and counts as a table."""

import numpy as np

from ..util import nest


def _count(weights):
    return int(sum(np.prod(w.shape.as_list()) for w in {id(w): w for w in weights}.values()))


def _is_chain(model):
    """Whether each layer of a functional model is called once, with the previous layer's output."""
    nodes = list(model._nodes) + [t._keras_history.node for t in model._inputs]
    fed = [id(before) for node in model._nodes for before in node.before()]
    return len({id(n.layer) for n in nodes}) == len(nodes) and len(set(fed)) == len(fed) == len(nodes) - 1


def _sources(model, layer):
    """The inputs of a layer in a functional model, as name[call][output]."""
    known = {id(n) for n in model._nodes}
    for node in layer._inbound_nodes:
        for t in nest.flatten(node.input_tensors) if id(node) in known else ():
            if hasattr(t, "_keras_history"):
                source, index = t._keras_history.node, t._keras_history.tensor_index
                yield "%s[%d][%d]" % (source.layer.name, source.layer._inbound_nodes.index(source), index)


def print_summary(model, line_length=None, positions=None, print_fn=None):
    print_fn = print_fn or print
    plain = type(model).__name__ == "Sequential" or not model._functional or _is_chain(model)
    line_length = line_length or (65 if plain else 98)
    positions = list(positions or ([.45, .85, 1.] if plain else [.33, .55, .67, 1.]))
    if positions[-1] <= 1:
        positions = [int(line_length * p) for p in positions]
    fields = ["Layer (type)", "Output Shape", "Param #"] + ([] if plain else ["Connected to"])

    def row(words):
        line = ""
        for word, place in zip(words, positions):
            line = (line[:-1] + " " if line else "") + str(word)
            line = line[:place] + " " * (place - len(line))
        print_fn(line)

    print_fn('Model: "%s"' % model.name)
    print_fn("_" * line_length)
    row(fields)
    print_fn("=" * line_length)
    for i, layer in enumerate(model.layers):
        try:
            shape = layer.output_shape
        except (AttributeError, ValueError):
            shape = "multiple"
        words = ["%s (%s)" % (layer.name, type(layer).__name__), [shape] if type(layer).__name__ in ("InputLayer", "TensorFlowOpLayer") and isinstance(shape, tuple) else shape, layer.count_params() if layer.built else "?"]
        if plain:
            row(words)
        else:
            before = list(_sources(model, layer))
            row(words + [before[0] if before else ""])
            for name in before[1:]:
                row(["", "", "", name])
        print_fn(("=" if i == len(model.layers) - 1 else "_") * line_length)
    trainable, fixed = _count(model.trainable_weights), _count(model.non_trainable_weights)
    print_fn("Total params: {:,}".format(trainable + fixed))
    print_fn("Trainable params: {:,}".format(trainable))
    print_fn("Non-trainable params: {:,}".format(fixed))
    print_fn("_" * line_length)
