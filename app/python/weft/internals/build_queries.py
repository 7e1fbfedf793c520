"""tensorflow.python.pywrap_tensorflow and framework.is_xla_test_true: what a program or a test asks about the build, of which none is part of Weft; comparing graphs."""

from .. import protos
from ..graph_comparison import difference


def EqualGraphDefWrapper(actual, expected):
    """What differs between two serialized GraphDefs; empty if nothing does."""
    return (difference(protos.GraphDef.FromString(actual), protos.GraphDef.FromString(expected)) or "").encode()


def IsGoogleCudaEnabled():
    return False


def IsMklEnabled():
    return False


def GpuSupportsHalfMatMulAndConv():
    return False


def is_xla_enabled():
    return False
