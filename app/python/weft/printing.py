"""tf.print: values as text while a graph runs."""

import pprint
import random

from . import dtypes, engine, ops
from .exports import export
from .ops import Tensor
from .platform.tf_logging import error, ERROR, info, INFO, WARN, warn, warning
from .sparse_tensor import SparseTensor
from .util import nest
from .variable_base import Variable



def _stream(given):
    import logging
    import sys

    if given is None or given is sys.stderr:
        return "stderr"
    if given is sys.stdout:
        return "stdout"
    if given in (info, INFO, logging.INFO):
        return "log(info)"
    if given in (warning, warn, WARN, logging.WARNING):
        return "log(warning)"
    if given in (error, ERROR, logging.ERROR):
        return "log(error)"
    if isinstance(given, str) and (given in ("stdout", "stderr", "log(info)", "log(warning)", "log(error)") or given.startswith("file://")):
        return given
    raise ValueError("Unsupported output stream, logging level, or file." + str(given) + ". Supported streams are sys.stdout, sys.stderr, tf.logging.info, "
                     "tf.logging.warning, tf.logging.error. File needs to be in the form of 'file://<filepath>'.")


class _Place:
    """Marks the position of a tensor's values, printed without quotation marks by pprint."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


@export("print")
def print_v2(*inputs, **kwargs):
    """An operation that prints tensors and the text between them."""
    import sys

    output_stream = kwargs.pop("output_stream", sys.stderr)
    name, summarize, sep, end = kwargs.pop("name", None), kwargs.pop("summarize", 3), kwargs.pop("sep", " "), kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError("Unrecognized keyword arguments for tf.print: %s" % kwargs)
    stream = _stream(output_stream)
    summarize = 3 if summarize is None else summarize
    if len(inputs) == 1 and isinstance(inputs[0], Tensor) and inputs[0].shape.ndims == 0 and inputs[0].dtype == dtypes.string:
        text = inputs[0]
    else:
        mark = "".join(random.Random(sum(map(len, filter(lambda x: isinstance(x, str), inputs)))).choice("abcdefghijklmnopqrstuvwxyz") for _ in range(20))
        while any(mark in x for x in inputs if isinstance(x, str)):
            mark += "x"
        parts, tensors = [], []
        for x in inputs:
            places = []
            for leaf in nest.flatten(x):
                if isinstance(leaf, SparseTensor):
                    tensors += [leaf.indices, leaf.values, leaf.dense_shape]
                    places.append(_Place("'SparseTensor(indices={0}, values={0}, shape={0})'".format(mark)))
                elif isinstance(leaf, (Tensor, Variable)):
                    tensors.append(ops.convert_to_tensor(leaf))
                    places.append(_Place(mark))
                else:
                    places.append(leaf)
            whole = nest.pack_sequence_as(x, places)
            parts.append(whole if isinstance(whole, str) else pprint.pformat(whole))
        text = engine.raw_ops.StringFormat(inputs=tensors, template=sep.join(parts), placeholder=mark, summarize=summarize, name="StringFormat")
    return engine.raw_ops.PrintV2(input=text, output_stream=stream, end=end, name=name)
