"""tf.contrib.layers: layers applied in turn, embeddings of sequences, summaries of tensors."""

import functools
import re

from .. import basics, dtypes, engine, initializers, ops
from ..exports import export, export_value
from ..feature_column.embedding import safe_embedding_lookup_sparse
from ..ops import GraphKeys
from ..sparse_tensor import SparseTensor
from ..summaries import ops as summary
from ..variable_scope import get_variable, variable_scope
from .arg_scope import add_arg_scope, both
from .variables import model_variable


def _name_of(layer, default):
    return getattr(layer, "__name__", None) or getattr(getattr(layer, "func", None), "__name__", None) or default


@both("repeat")
@add_arg_scope
def repeat(inputs, repetitions, layer, *args, **kwargs):
    """Applies a layer repeatedly, each time with new variables."""
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, "Repeat", [inputs]):
        outputs = ops.convert_to_tensor(inputs)
        scope = scope or _name_of(layer, "repeat")
        for i in range(repetitions):
            outputs = layer(outputs, *args, **dict(kwargs, scope="%s_%d" % (scope, i + 1)))
        return outputs


@both("stack")
@add_arg_scope
def stack(inputs, layer, stack_args, **kwargs):
    """Applies a layer repeatedly, each time with the next of `stack_args`."""
    scope = kwargs.pop("scope", None)
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args need to be a list or tuple")
    with variable_scope(scope, "Stack", [inputs]):
        outputs = ops.convert_to_tensor(inputs)
        scope = scope or _name_of(layer, "stack")
        for i, given in enumerate(stack_args):
            given = given if isinstance(given, (list, tuple)) else [given]
            outputs = layer(outputs, *given, **dict(kwargs, scope="%s_%d" % (scope, i + 1)))
        return outputs


@both("softmax")
@add_arg_scope
def softmax(logits, scope=None):
    """Probabilities along the last dimension, for any rank."""
    with variable_scope(scope, "softmax", [logits]):
        classes = logits.get_shape().as_list()[-1]
        flat = engine.reshape(logits, [-1, classes])
        out = engine.reshape(engine.nn.softmax(flat), basics.shape(logits))
        out.set_shape(logits.get_shape())
        return out


@both("maxout")
@add_arg_scope
def maxout(inputs, num_units, axis=-1, scope=None):
    """The maximum of each group of features."""
    with variable_scope(scope, "MaxOut", [inputs]):
        inputs = ops.convert_to_tensor(inputs)
        shape = inputs.get_shape().as_list()
        channels = shape[axis]
        if channels % num_units:
            raise ValueError("number of features({}) is not a multiple of num_units({})".format(channels, num_units))
        shape[axis] = num_units
        shape += [channels // num_units]
        for i, size in enumerate(shape):
            if size is None:
                shape[i] = basics.shape(inputs)[i]
        return engine.reduce_max(engine.reshape(inputs, shape), -1, keepdims=False)


@export("contrib.layers.legacy_fully_connected")
def legacy_fully_connected(x, num_output_units, activation_fn=None, weight_init=initializers.xavier_initializer(), bias_init=initializers.zeros_initializer(), name=None,
                           weight_collections=(GraphKeys.WEIGHTS,), bias_collections=(GraphKeys.BIASES,), output_collections=(GraphKeys.ACTIVATIONS,), trainable=True,
                           weight_regularizer=None, bias_regularizer=None):
    """fully_connected with its older parameters for collections."""
    with variable_scope(name, "fully_connected", [x]):
        x = ops.convert_to_tensor(x)
        shape = x.get_shape().as_list()
        if len(shape) < 2:
            raise ValueError("rank of x must be at least 2 not: %d" % len(shape))
        if shape[-1] is None:
            raise ValueError("last dimension of x must be known but is None")
        dtype = x.dtype.base_dtype
        w = get_variable("weights", shape=[shape[-1], num_output_units], dtype=dtype, initializer=weight_init,
                         collections=list(weight_collections or []) + [GraphKeys.GLOBAL_VARIABLES], regularizer=weight_regularizer, trainable=trainable)
        y = engine.matmul(x if len(shape) <= 2 else engine.reshape(x, [-1, shape[-1]]), w)
        if bias_init is not None:
            b = get_variable("bias", shape=[num_output_units], dtype=dtype, initializer=bias_init,
                             collections=list(bias_collections or []) + [GraphKeys.GLOBAL_VARIABLES], regularizer=bias_regularizer, trainable=trainable)
            y = engine.nn.bias_add(y, b)
        if len(shape) > 2:
            sizes = engine.unstack(basics.shape(x))
            sizes[-1] = num_output_units
            y = engine.reshape(y, engine.stack(sizes))
            y.set_shape(shape[:-1] + [num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        ops.add_to_collections(list(output_collections or []) + [GraphKeys.ACTIVATIONS], y)
        return y


@both("embed_sequence")
def embed_sequence(ids, vocab_size=None, embed_dim=None, unique=False, initializer=None, regularizer=None, trainable=True, scope=None, reuse=None):
    """Rows of a matrix of the model for each number in `ids`."""
    if not (reuse or vocab_size and embed_dim):
        raise ValueError("Must specify vocab size and embedding dimension when not reusing. Got vocab_size=%s and embed_dim=%s" % (vocab_size, embed_dim))
    with variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = None if reuse and vocab_size is None or embed_dim is None else [vocab_size, embed_dim]
        embeddings = model_variable("embeddings", shape=shape, initializer=initializer, regularizer=regularizer, trainable=trainable)
        return embedding_lookup_unique(embeddings, ids) if unique else engine.nn.embedding_lookup(embeddings, ids)


@both("embedding_lookup_unique")
def embedding_lookup_unique(params, ids, partition_strategy="mod", name=None):
    """embedding_lookup that reads each distinct row once."""
    with ops.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = ops.convert_to_tensor(ids)
        shape = basics.shape(ids)
        flat = engine.reshape(ids, engine.reduce_prod(shape, keepdims=True))
        rows, where = engine.unique(flat)
        found = engine.nn.embedding_lookup(params, rows, partition_strategy)
        out = engine.gather(found, where)
        out = engine.reshape(out, engine.concat([shape, basics.shape(found)[1:]], 0))
        out.set_shape(ids.get_shape().concatenate(found.get_shape()[1:]))
        return out


def without_zeros(tensor, ignored=None):
    """A sparse tensor of all elements except `ignored` (by default zeros or empty strings)."""
    with ops.name_scope("DenseToSparseTensor"):
        tensor = ops.convert_to_tensor(tensor)
        ignored = basics.cast(("" if tensor.dtype == dtypes.string else tensor.dtype.as_numpy_dtype()) if ignored is None else ignored, tensor.dtype, name="ignore_value")
        indices = engine.where(engine.not_equal(tensor, ignored), name="indices")
        return SparseTensor(indices=indices, values=engine.gather_nd(tensor, indices, name="values"), dense_shape=basics.shape(tensor, out_type=dtypes.int64, name="dense_shape"))


@both("bow_encoder")
def bow_encoder(ids, vocab_size, embed_dim, sparse_lookup=True, initializer=None, regularizer=None, trainable=True, scope=None, reuse=None):
    """The mean of the rows of a sequence; `sparse_lookup`: zeros in dense `ids` are padding, which does not count."""
    if not vocab_size or not embed_dim:
        raise ValueError("Must specify vocab size and embedding dimension")
    with variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = model_variable("embeddings", shape=[vocab_size, embed_dim], initializer=initializer, regularizer=regularizer, trainable=trainable)
        if not sparse_lookup:
            if isinstance(ids, SparseTensor):
                raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
            return engine.reduce_mean(engine.nn.embedding_lookup(embeddings, ids), axis=1)
        if not isinstance(ids, SparseTensor):
            ids = without_zeros(ids)
        return safe_embedding_lookup_sparse([embeddings], ids, combiner="mean", default_id=0)


# Summaries.
@export("contrib.layers.summarize_tensor")
def summarize_tensor(tensor, tag=None):
    """A summary of a tensor: a scalar if it is one number, else a histogram."""
    if tensor.dtype.base_dtype in (dtypes.string, dtypes.bool_):
        return None
    tag = tag or "%s_summary" % tensor.op.name
    return (summary.scalar if tensor.get_shape().ndims == 0 else summary.histogram)(tag, tensor)


@export("contrib.layers.summarize_activation")
def summarize_activation(op):
    """A histogram of activations and the fraction of them that is clipped."""
    name = op.op.name
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        value = op.op.inputs[0]
        summary.scalar("%s/zeros" % name, engine.reduce_mean(basics.to_float(engine.less(value, basics.cast(0.0, value.dtype)))))
    if op.op.type == "Relu6":
        value = op.op.inputs[0]
        summary.scalar("%s/sixes" % name, engine.reduce_mean(basics.to_float(engine.greater(value, basics.cast(6.0, value.dtype)))))
    return summary.histogram("%s/activation" % name, op)


@export("contrib.layers.summarize_tensors")
def summarize_tensors(tensors, summarizer=summarize_tensor):
    return [summarizer(t) for t in tensors]


@export("contrib.layers.summarize_collection")
def summarize_collection(collection, name_filter=None, summarizer=summarize_tensor):
    return summarize_tensors([t for t in ops.get_collection(collection) if name_filter is None or re.match(name_filter, t.op.name)], summarizer)


@export("contrib.layers.summarize_activations")
def summarize_activations(name_filter=None, summarizer=summarize_activation):
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)


for _name, _collection in (("variables", GraphKeys.GLOBAL_VARIABLES), ("weights", GraphKeys.WEIGHTS), ("biases", GraphKeys.BIASES)):
    export_value(functools.partial(summarize_collection, _collection), "contrib.layers.summarize_" + _name)
