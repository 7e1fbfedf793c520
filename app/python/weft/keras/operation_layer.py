"""An operation between layers as a layer."""

from google.protobuf import text_format

from .. import dtypes, ops
from ..layers.base import Layer
from ..layers.keras_names import layer_class
from ..protos import NodeDef
from ..util import nest


@layer_class
class TensorFlowOpLayer(Layer):
    """Repeats an operation with new inputs. Inputs that do not depend on a Keras input stay constant."""

    def __init__(self, node_def, name=None, constants=None, trainable=True, dtype=None, captured=None):
        super().__init__(name=name, trainable=trainable)
        self._node_def = NodeDef()
        text_format.Parse(node_def, self._node_def) if isinstance(node_def, str) else self._node_def.CopyFrom(node_def)
        self._constants, self._captured, self.built = {int(k): v for k, v in (constants or {}).items()}, captured or {}, True

    @classmethod
    def of_op(cls, op, from_keras):
        layer = cls(op.node_def, name="tf_op_layer_" + op.name, captured={i: t for i, t in enumerate(op.inputs) if not from_keras[i]})
        for i, t in layer._captured.items():
            value = ops.constant_value(t)
            if value is not None:
                layer._constants[i] = value
        return layer

    def call(self, inputs):
        given, flat = iter(nest.flatten(inputs)), []
        count = len([n for n in self._node_def.input if not n.startswith("^")])
        for i in range(count):
            if i in self._captured and self._captured[i].graph is ops.get_default_graph():
                flat.append(self._captured[i])
            elif i in self._constants:
                flat.append(ops.constant(self._constants[i], dtype=self._dtype_of(i)))
            elif i in self._captured:
                raise ValueError("The input %s of %s lies in another graph." % (self._captured[i].name, self.name))
            else:
                flat.append(next(given))
        attrs = {k: v for k, v in self._node_def.attr.items() if not k.startswith("_")}
        made = ops.get_default_graph().create_op(self._node_def.op, flat, attrs=attrs, name=self._node_def.name.split("/")[-1])
        return made.outputs[0] if len(made.outputs) == 1 else list(made.outputs)

    def _dtype_of(self, index):
        # Lists in a configuration have no type; use that of other inputs with the same type attribute.
        value = self._constants[index]
        return value.dtype if hasattr(value, "dtype") else dtypes.as_dtype(self._node_def.attr["T"].type) if "T" in self._node_def.attr and isinstance(value, float) else None

    def get_config(self):
        config = {"name": self.name, "trainable": self.trainable, "node_def": text_format.MessageToString(self._node_def)}
        config["constants"] = {str(i): v for i, v in self._constants.items()}
        return config
