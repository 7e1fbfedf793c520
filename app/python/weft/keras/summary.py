"""Model.summary(): layers, shapes and counts as a table."""

import numpy as np


def _count(weights):
    return int(sum(np.prod(w.shape.as_list()) for w in {id(w): w for w in weights}.values()))


def print_summary(model, line_length=None, positions=None, print_fn=None):
    print_fn = print_fn or print
    plain = type(model).__name__ == "Sequential" or not model._functional or all(len(n.before()) < 2 for n in model._nodes) and all(
        len(layer._inbound_nodes) < 2 for layer in model.layers)
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
        words = ["%s (%s)" % (layer.name, type(layer).__name__), shape if type(layer).__name__ != "InputLayer" else [shape], layer.count_params() if layer.built else "?"]
        if plain:
            row(words)
        else:
            before = ["%s[%d][%d]" % (n.layer.name, n.layer._inbound_nodes.index(n), 0) for node in layer._inbound_nodes if node in model._nodes for n in node.before()]
            row(words + [before[0] if before else ""])
            for name in before[1:]:
                row(["", "", "", name])
        print_fn(("=" if i == len(model.layers) - 1 else "_") * line_length)
    trainable, fixed = _count(model.trainable_weights), _count(model.non_trainable_weights)
    print_fn("Total params: {:,}".format(trainable + fixed))
    print_fn("Trainable params: {:,}".format(trainable))
    print_fn("Non-trainable params: {:,}".format(fixed))
    print_fn("_" * line_length)
