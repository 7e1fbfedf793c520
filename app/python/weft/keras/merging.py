"""tf.keras.layers that merge several tensors into one."""

from .. import basics, dtypes, engine
from ..exports import export
from ..layers.base import Layer
from ..layers.core import kept
from ..layers.keras_names import keras_class
from ..tensor_shape import TensorShape


def _broadcast(a, b):
    """The sizes of two tensors' sum without the batch; ValueError if they do not fit."""
    if a is None or b is None:
        return None
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    made = list(longer[:len(longer) - len(shorter)])
    for i, j in zip(longer[len(made):], shorter):
        if i is not None and j is not None and i != j and 1 not in (i, j):
            raise ValueError("Operands could not be broadcast together with shapes " + str(tuple(a)) + " " + str(tuple(b)))
        made.append(None if i is None or j is None else j if i == 1 else i)
    return made


def _has_masks(inputs, mask):
    """Whether an input has a mask. ValueError unless there is one mask, or None, for each input."""
    if mask is None:
        return False
    for given, name in ((mask, "mask"), (inputs, "inputs")):
        if not isinstance(given, (list, tuple)):
            raise ValueError("`%s` should be a list." % name)
    if len(mask) != len(inputs):
        raise ValueError("The lists `inputs` and `mask` should have the same length.")
    return any(m is not None for m in mask)


class _Merge(Layer):
    """Base of layers that combine tensors of compatible shapes."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape):
        if not isinstance(input_shape, (list, tuple)):
            raise ValueError("A merge layer should be called on a list of inputs.")
        if len(input_shape) < 2:
            raise ValueError("A merge layer should be called on a list of at least 2 inputs. Got %d inputs." % len(input_shape))
        self.built = True

    def merge(self, inputs):
        raise NotImplementedError

    def call(self, inputs):
        if not isinstance(inputs, (list, tuple)):
            raise ValueError("A merge layer should be called on a list of inputs.")
        ranks = [x.shape.ndims for x in inputs]
        if None not in ranks and len(set(ranks)) > 1:
            greatest = max(ranks)
            for i, x in enumerate(inputs):  # insert dimensions of 1 after the batch
                for _ in range(greatest - ranks[i]):
                    x = engine.expand_dims(x, axis=1)
                inputs = list(inputs[:i]) + [x] + list(inputs[i + 1:])
        return self.merge(list(inputs))

    def compute_output_shape(self, input_shape):
        """The shape to which those of the inputs are broadcast. Their ranks may differ."""
        sizes = [None if s is None else TensorShape(s).as_list() for s in input_shape]
        made = None if sizes[0] is None else sizes[0][1:]
        for other in sizes[1:]:
            made = _broadcast(made, None if other is None else other[1:])
        batches = {s[0] for s in sizes if s is not None} - {None}
        return TensorShape(None) if made is None else TensorShape([batches.pop() if len(batches) == 1 else None] + made)

    def compute_mask(self, inputs, mask=None):
        if not _has_masks(inputs, mask):
            return None
        both = engine.concat([engine.expand_dims(m, axis=0) for m in mask if m is not None], axis=0)
        return engine.reduce_all(basics.cast(both, dtypes.bool_), axis=0)


def _merging(name, function, doc):
    """(the layer's class, the function that creates and calls one)."""
    made = keras_class(name)(type(name, (_Merge,), {"merge": lambda self, inputs: function(inputs), "__doc__": doc, "__module__": __name__}))
    return made, export("keras.layers." + name.lower())(lambda inputs, **kwargs: made(**kwargs)(inputs))


def _folded(step):
    def fold(inputs):
        if not isinstance(inputs, (list, tuple)):
            raise ValueError("A merge layer should be called on a list of inputs.")
        total = inputs[0]
        for x in inputs[1:]:
            total = step(total, x)
        return total

    return fold


def _difference(inputs):
    if len(inputs) != 2:
        raise ValueError("A `Subtract` layer should be called on exactly 2 inputs")
    return inputs[0] - inputs[1]


Add, add = _merging("Add", _folded(lambda a, b: a + b), "The sum of several tensors.")
Multiply, multiply = _merging("Multiply", _folded(lambda a, b: a * b), "The product of several tensors.")
Subtract, subtract = _merging("Subtract", _difference, "The difference of two tensors.")
Average, average = _merging("Average", lambda inputs: _folded(lambda a, b: a + b)(inputs) / len(inputs), "The mean of several tensors.")
Maximum, maximum = _merging("Maximum", _folded(lambda a, b: engine.maximum(a, b)), "The larger values of several tensors.")
Minimum, minimum = _merging("Minimum", _folded(lambda a, b: engine.minimum(a, b)), "The smaller values of several tensors.")


@keras_class("Concatenate")
class Concatenate(_Merge):
    """Concatenates tensors."""

    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape):
        super().build(input_shape)
        sizes = [TensorShape(s) for s in input_shape]
        if all(s.ndims is not None for s in sizes):
            known = [s.as_list() for s in sizes]
            if len({len(s) for s in known}) > 1 or any(len({s[i] for s in known} - {None}) > 1 for i in range(len(known[0])) if i != self.axis % len(known[0])):
                raise ValueError("A `Concatenate` layer requires inputs with matching shapes except for the concat axis. Got inputs shapes: %s" % (input_shape,))

    def call(self, inputs):
        rank = inputs[0].shape.ndims
        return engine.concat(list(inputs), self.axis % rank if self.axis < 0 and rank else self.axis)

    def compute_output_shape(self, input_shape):
        if not isinstance(input_shape, (list, tuple)):
            raise ValueError("A `Concatenate` layer should be called on a list of inputs.")
        sizes = [TensorShape(s).as_list() for s in input_shape]
        made = list(sizes[0])
        along = [s[self.axis] for s in sizes]
        made[self.axis] = None if None in along else sum(along)
        return TensorShape(made)

    def compute_mask(self, inputs, mask=None):
        if not _has_masks(inputs, mask):
            return None
        rows = []
        for x, m in zip(inputs, mask):
            if m is None:
                rows.append(engine.ones_like(x, dtype=dtypes.bool_))
            else:
                rows.append(basics.cast(engine.expand_dims(m, axis=-1) if m.shape.ndims < x.shape.ndims else m, dtypes.bool_))
        return engine.reduce_all(engine.concat(rows, axis=self.axis), axis=-1)

    def get_config(self):
        return kept(self, super().get_config(), "axis")


@export("keras.layers.concatenate")
def concatenate(inputs, axis=-1, **kwargs):
    return Concatenate(axis=axis, **kwargs)(inputs)


@keras_class("Dot")
class Dot(_Merge):
    """Products of two tensors, summed over an axis of each."""

    def __init__(self, axes, normalize=False, **kwargs):
        super().__init__(**kwargs)
        self.axes, self.normalize = axes, normalize

    def call(self, inputs):
        from . import backend_functions as functions

        if len(inputs) != 2:
            raise ValueError("A `Dot` layer should be called on exactly 2 inputs")
        a, b = inputs
        axes = [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)
        axes = [n % x.shape.ndims if n < 0 else n for n, x in zip(axes, inputs)]
        if self.normalize:
            a, b = engine.nn.l2_normalize(a, axis=axes[0]), engine.nn.l2_normalize(b, axis=axes[1])
        return functions.batch_dot(a, b, axes)

    def compute_mask(self, inputs, mask=None):
        return None

    def compute_output_shape(self, input_shape):
        a, b = (TensorShape(s).as_list() for s in input_shape)
        axes = [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)
        a.pop(axes[0])
        b.pop(axes[1])
        shape = a + b[1:]
        return TensorShape(shape + [1] if len(shape) == 1 else shape)

    def get_config(self):
        return kept(self, super().get_config(), "axes", "normalize")


@export("keras.layers.dot")
def dot(inputs, axes, normalize=False, **kwargs):
    return Dot(axes=axes, normalize=normalize, **kwargs)(inputs)
