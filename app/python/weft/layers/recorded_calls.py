"""Inputs and outputs of the calls of a layer that functional models remember."""

from ..util import nest


class RecordedCalls:
    """Mixin of layers: queries of `_inbound_nodes`, the recorded calls."""

    def _node_tensors(self, which):
        nodes = self._inbound_nodes
        if not nodes:
            raise AttributeError("Layer %s is not connected, no input to return." % self.name if which == "input" else "Layer %s has no inbound nodes." % self.name)
        if len(nodes) > 1:
            raise AttributeError("Layer %s has multiple inbound nodes, hence the notion of \"layer %s\" is ill-defined. Use `get_%s_at(node_index)` instead." % (self.name, which, which))
        return getattr(nodes[0], which + "_tensors")

    input = property(lambda self: self._node_tensors("input"))
    output = property(lambda self: self._node_tensors("output"))
    input_shape = property(lambda self: self._node_shapes("input"))
    output_shape = property(lambda self: self._node_shapes("output"))

    def _node_shapes(self, which):
        """The shapes of all calls if they agree."""
        if not self._inbound_nodes:
            raise AttributeError("The layer has never been called and thus has no defined %s shape." % which)
        shapes = [nest.map_structure(lambda t: tuple(t.shape.as_list()), getattr(n, which + "_tensors")) for n in self._inbound_nodes
                  if getattr(n, which + "_tensors") is not None]
        if not shapes or any(s != shapes[0] for s in shapes):
            raise AttributeError("The layer \"%s\" has multiple inbound nodes, with different %s shapes. Hence the notion of \"%s shape\" is ill-defined for the layer. "
                                 "Use `get_%s_shape_at(node_index)` instead." % (self.name, which, which, which))
        return shapes[0]

    def _call(self, node_index, which):
        """A call of the layer by its number."""
        nodes = self._inbound_nodes
        if not nodes:
            raise RuntimeError("The layer has never been called and thus has no defined " + which + ".")
        if not len(nodes) > node_index:
            raise ValueError("Asked to get " + which + " at node " + str(node_index) + ", but the layer has only " + str(len(nodes)) + " inbound nodes.")
        return nodes[node_index]

    def get_input_at(self, node_index):
        return self._call(node_index, "input").input_tensors

    def get_output_at(self, node_index):
        return self._call(node_index, "output").output_tensors

    def get_input_shape_at(self, node_index):
        return nest.map_structure(lambda t: tuple(t.shape.as_list()), self._call(node_index, "input shape").input_tensors)

    def get_output_shape_at(self, node_index):
        return nest.map_structure(lambda t: tuple(t.shape.as_list()), self._call(node_index, "output shape").output_tensors)

    def get_input_mask_at(self, node_index):
        return nest.map_structure(lambda t: getattr(t, "_keras_mask", None), self.get_input_at(node_index))

    def get_output_mask_at(self, node_index):
        return nest.map_structure(lambda t: getattr(t, "_keras_mask", None), self.get_output_at(node_index))

    input_mask = property(lambda self: self._only_mask("input"))
    output_mask = property(lambda self: self._only_mask("output"))

    def _only_mask(self, which):
        if not self._inbound_nodes:
            raise AttributeError("Layer " + self.name + " has no inbound nodes.")
        if len(self._inbound_nodes) != 1:
            raise AttributeError('Layer ' + self.name + ' has multiple inbound nodes, hence the notion of "layer %s mask" is ill-defined. Use `get_%s_mask_at(node_index)` instead.' %
                                 (which, which))
        return getattr(self, "get_%s_mask_at" % which)(0)
