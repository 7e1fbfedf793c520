"""tf.version and tf.sysconfig, aliases of types, and tf.config settings that are stored but have no effect on graphs."""

import os

from . import dtypes, version
from .exports import export, export_value
from .graph_comparison import difference, without_random_parts
from .ops import IndexedSlices, Tensor
from .protos import GraphDef
from .public_names import as_str_any
from .sparse_tensor import SparseTensor
from .tensor_shape import Dimension, TensorShape
from .variable_base import Variable

export_value(version.VERSION, "version.VERSION")
export_value(version.GIT_VERSION, "version.GIT_VERSION")
export_value(version.COMPILER_VERSION, "version.COMPILER_VERSION")
for _name, _value in (("GRAPH_DEF_VERSION", 134), ("GRAPH_DEF_VERSION_MIN_CONSUMER", 0), ("GRAPH_DEF_VERSION_MIN_PRODUCER", 0)):
    export_value(_value, _name, "version." + _name)
export_value(version.CXX11_ABI_FLAG, "sysconfig.CXX11_ABI_FLAG")
export_value(version.MONOLITHIC_BUILD, "sysconfig.MONOLITHIC_BUILD")
export_value(dtypes.float64, "dtypes.double")
export_value(dtypes.float16, "dtypes.half")
del _name, _value


@export("is_tensor", "contrib.framework.is_tensor")
def is_tensor(x):
    """Whether x is a tensor, a sparse tensor or a variable."""
    return isinstance(x, (Tensor, SparseTensor, IndexedSlices, Variable)) or getattr(x, "is_tensor_like", False)


@export("dimension_value", "compat.dimension_value")
def dimension_value(dimension):
    return dimension.value if isinstance(dimension, Dimension) else dimension


@export("dimension_at_index", "compat.dimension_at_index")
def dimension_at_index(shape, index):
    assert isinstance(shape, TensorShape)
    return Dimension(None) if shape.ndims is None else shape.dims[index]


@export("compat.path_to_str")
def path_to_str(path):
    return as_str_any(path.__fspath__()) if hasattr(path, "__fspath__") else path


@export("get_logger")
def get_logger():
    import logging

    return logging.getLogger("tensorflow")


@export("is_numeric_tensor", "debugging.is_numeric_tensor")
def is_numeric_tensor(tensor):
    return isinstance(tensor, Tensor) and (tensor.dtype.is_floating or tensor.dtype.is_integer or tensor.dtype.is_complex)


@export("assert_proper_iterable", "debugging.assert_proper_iterable")
def assert_proper_iterable(values):
    """TypeError unless `values` is an iterable other than a tensor, a string or a NumPy array."""
    if isinstance(values, (Tensor, SparseTensor, IndexedSlices, str, bytes)) or type(values).__module__ == "numpy":
        raise TypeError('Expected argument "values" to be a "proper" iterable.  Found: %s' % type(values))
    if not hasattr(values, "__iter__"):
        raise TypeError('Expected argument "values" to be iterable.  Found: %s' % type(values))


@export("assert_same_float_dtype", "debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors=None, dtype=None):
    """The floating-point type that all tensors share; ValueError otherwise."""
    given = [t for t in tensors or [] if t is not None]
    expected, first = dtypes.as_dtype(dtype).base_dtype if dtype is not None else None, None
    for t in given:
        if expected is None:
            expected, first = t.dtype.base_dtype, t
        if t.dtype.base_dtype != expected:
            raise ValueError("%s, type=%s, must be of the same type (%s)%s." % (
                "Tensor" if isinstance(t, Tensor) else type(t).__name__, t.dtype.base_dtype, expected, " as %s" % first.name if first is not None else ""))
    expected = expected or dtypes.float32
    if not expected.is_floating:
        raise ValueError("Expected floating point type, got %s." % expected)
    return expected


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x, shape_y):
    """The static shape of two shapes broadcast together."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return TensorShape(None)
    a, b = shape_x.as_list(), shape_y.as_list()
    n, out = max(len(a), len(b)), []
    a, b = [1] * (n - len(a)) + a, [1] * (n - len(b)) + b
    for x, y in zip(a, b):
        if x == y or y == 1:
            out.append(x)
        elif x == 1:
            out.append(y)
        elif x is None or y is None:
            out.append(x if y is None else y)
        else:
            raise ValueError("Incompatible shapes for broadcasting: %s and %s" % (shape_x, shape_y))
    return TensorShape(out)


@export("resource_loader.get_data_files_path")
def get_data_files_path():
    """The folder of the calling module."""
    import inspect

    return os.path.dirname(inspect.stack()[1].filename)


@export("resource_loader.get_path_to_datafile")
def get_path_to_datafile(path):
    import inspect

    return os.path.join(os.path.dirname(inspect.stack()[1].filename), path)


@export("resource_loader.load_resource")
def load_resource(path):
    import inspect

    with open(os.path.join(os.path.dirname(inspect.stack()[1].filename), path), "rb") as f:
        return f.read()


@export("resource_loader.readahead_file_path")
def readahead_file_path(path, readahead="128M"):
    return path


@export("test.assert_equal_graph_def")
def assert_equal_graph_def(actual, expected, checkpoint_v2=False, hash_table_shared_name=False):
    """AssertionError if the nodes of the two graphs differ."""
    for what in (actual, expected):
        if not isinstance(what, GraphDef):
            raise TypeError("Expected tf.GraphDef for actual, got %s" % type(what).__name__)
    different = difference(*(without_random_parts(g, checkpoint_v2, hash_table_shared_name) for g in (actual, expected)))
    if different:
        raise AssertionError(different)
