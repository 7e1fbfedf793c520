"""EagerTensor: a tensor with a value."""

import numpy as np

from .. import _weft, context, dtypes
from ..graph_elements import Tensor
from ..tensor_shape import TensorShape

_PACKAGE = __name__.partition(".")[0] + "."
_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def _asked_by_program():
    """Whether the program, not this package, reads a property that only tensors of graphs have."""
    import sys

    return not sys._getframe(2).f_globals.get("__name__", _PACKAGE).startswith(_PACKAGE)  # generated functions have no name


def _meaningless(name, kind=AttributeError):
    raise kind("Tensor.%s is meaningless when eager execution is enabled." % name)


def _numpy_text(value, is_repr=False):
    text = repr(value) if is_repr else str(value)
    return "\n" + text if "\n" in text else text


class EagerTensor(Tensor):
    """The result of an op that ran eagerly."""

    __slots__ = ("_eager",)
    _is_eager = True

    def __init__(self, value=None, context=None, device=None, dtype=None):
        raise TypeError("EagerTensors are made by tf.constant and tf.convert_to_tensor")

    @property
    def dtype(self):
        return dtypes.as_dtype(_weft.eager_dtype(self))

    _dtype = dtype

    @property
    def shape(self):
        return TensorShape._of(_weft.eager_shape(self))

    def get_shape(self):
        return self.shape

    def _shape_tuple(self):
        return _weft.eager_shape(self)

    def _shape_as_list(self):
        return list(_weft.eager_shape(self))

    def _rank(self):
        return len(_weft.eager_shape(self))

    ndim = property(_rank)
    _num_elements = lambda self: int(np.prod(_weft.eager_shape(self), dtype=np.int64))

    def _datatype_enum(self):
        return _weft.eager_dtype(self)

    @property
    def _id(self):
        return _weft.eager_id(self)

    device = property(lambda self: _DEVICE)
    backing_device = property(lambda self: _DEVICE)
    _handle_data = None
    _keras_mask = None

    # Properties of tensors of a graph. Modules of this package may read them; the program may not.
    @property
    def graph(self):
        if _asked_by_program():
            _meaningless("graph")
        return context.eager_graph()

    @property
    def op(self):
        if _asked_by_program():
            _meaningless("op")
        core = context.eager_graph()._core
        return core.operation(_weft.eager_place(core, self)[0])

    @property
    def value_index(self):
        if _asked_by_program():
            _meaningless("value_index")
        return _weft.eager_place(context.eager_graph()._core, self)[1]

    @property
    def _node(self):
        return _weft.eager_place(context.eager_graph()._core, self)[0]

    @property
    def name(self):
        if _asked_by_program():
            _meaningless("name")
        return "EagerTensor:%d" % self._id

    def consumers(self):
        _meaningless("consumers", NotImplementedError)

    def _add_consumer(self, consumer):
        _meaningless("_add_consumer", NotImplementedError)

    def _as_node_def_input(self):
        _meaningless("_as_node_def_input", NotImplementedError)

    def eval(self, feed_dict=None, session=None):
        raise NotImplementedError("eval is not supported when eager execution is enabled, is .numpy() what you're looking for?")

    def set_shape(self, shape):
        if not self.shape.is_compatible_with(shape):
            raise ValueError("Tensor's shape %s is not compatible with supplied shape %s" % (self.shape, shape))

    # The value.
    def _numpy(self):
        if self.dtype is dtypes.resource or self.dtype is dtypes.variant:
            raise ValueError("Cannot convert a Tensor of dtype %s to a NumPy array." % self.dtype.name)
        return _weft.eager_numpy(self)

    def numpy(self):
        """The value as an array that the caller may change, or a scalar."""
        value = self._numpy()
        return value.copy() if isinstance(value, np.ndarray) else value

    def cpu(self):
        return self

    def gpu(self, gpu_index=0):
        raise RuntimeError("Error copying tensor to device: /job:localhost/replica:0/task:0/device:GPU:%d. /job:localhost/replica:0/task:0/device:GPU:%d unknown device." %
                           (gpu_index, gpu_index))

    def _copy(self, ctx=None, device_name=None):
        return self

    def __array__(self, dtype=None):
        value = np.asarray(self._numpy(), dtype=dtype)
        if value.ndim:
            value.flags.writeable = False  # it may be the tensor's own memory
        return value

    def __bool__(self):
        return bool(self._numpy())

    __nonzero__ = __bool__

    def __int__(self):
        return int(self._numpy())

    __long__ = __int__

    def __float__(self):
        return float(self._numpy())

    def __complex__(self):
        return complex(self._numpy())

    def __index__(self):
        value = self._numpy()
        if not isinstance(value, np.integer):
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(value)

    def __format__(self, specification):
        return self._numpy().__format__(specification)

    def __len__(self):
        shape = _weft.eager_shape(self)
        if not shape:
            raise TypeError("Scalar tensor has no `len()`")
        return shape[0]

    def __iter__(self):
        shape = _weft.eager_shape(self)
        if not shape:
            raise TypeError("Cannot iterate over a scalar tensor.")
        for i in range(shape[0]):
            yield self[i]

    def __reversed__(self):
        return iter([self[i] for i in range(len(self) - 1, -1, -1)])

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return convert_for_pickle, (self._numpy(), self.dtype.name)

    def _text(self, is_repr=False):
        if self.dtype is dtypes.resource or self.dtype is dtypes.variant:
            return "<unprintable>"
        return _numpy_text(self._numpy(), is_repr)

    def __str__(self):
        return "tf.Tensor(%s, shape=%s, dtype=%s)" % (self._text(), self.shape, self.dtype.name)

    def __repr__(self):
        return "<tf.Tensor: id=%s, shape=%s, dtype=%s, numpy=%s>" % (self._id, self.shape, self.dtype.name, self._text(True))

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other

    def __ne__(self, other):
        return self is not other


EagerTensor.__module__ = "tensorflow.python.framework.ops"
_EagerTensorBase = EagerTensor


def convert_for_pickle(value, dtype):
    return _weft.eager_tensor(value, dtypes.as_dtype(dtype)._number)


_weft.bind_eager(EagerTensor)
