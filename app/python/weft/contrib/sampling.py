"""tf.contrib.training: resampling, rejection sampling and stratified sampling."""

from .. import basics, dtypes, engine, ops
from ..control_flow import Assert, cond, with_dependencies
from ..exports import export
from ..loops import while_loop
from ..ops import Tensor
from ..tensor_array import TensorArray
from ..training import input as pipelines
from ..training import moving_averages
from ..variable_base import Variable
from ..variable_scope import get_local_variable, variable_scope


def _repeated_range(counts, name=None):
    """Each index i repeated counts[i] times."""
    with ops.name_scope(name, "repeat_range", [counts]) as scope:
        counts = ops.convert_to_tensor(counts, name="counts")
        size = basics.shape(counts)[0]
        rows = TensorArray(dtype=dtypes.int32, size=size, infer_shape=False)

        def fill(output, i):
            value = engine.fill(counts[i:i + 1], i)
            return output.write(i, value), i + 1

        rows, written = while_loop(lambda _, i: i < size, fill, loop_vars=[rows, 0])
        return cond(written > 0, rows.concat, lambda: engine.zeros(shape=[0], dtype=dtypes.int32), name=scope)


@export("contrib.training.resample_at_rate")
def resample_at_rate(inputs, rates, scope=None, seed=None, back_prop=False):
    """Rows of the inputs, each repeated by a Poisson draw with its rate."""
    with ops.name_scope(scope, default_name="resample_at_rate", values=list(inputs) + [rates]):
        rates = ops.convert_to_tensor(rates, name="rates")
        counts = basics.cast(engine.random_poisson(rates, (), rates.dtype, seed=seed), dtypes.int32)
        indices = _repeated_range(counts)
        if not back_prop:
            indices = engine.stop_gradient(indices)
        return [engine.gather(x, indices) for x in inputs]


@export("contrib.training.weighted_resample")
def weighted_resample(inputs, weights, overall_rate, scope=None, mean_decay=0.999, seed=None):
    """(Rows of the inputs, the rate of each), sampled in proportion to the weights; the long-run fraction is `overall_rate`."""
    with ops.name_scope(scope, "weighted_resample", inputs) as opscope:
        with variable_scope(scope, "estimate_mean", inputs):
            estimate = get_local_variable("estimated_mean", initializer=basics.cast(0, weights.dtype), dtype=weights.dtype)
            mean = moving_averages.assign_moving_average(estimate, engine.reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        taken = resample_at_rate([rates] + inputs, rates, scope=opscope, seed=seed, back_prop=False)
        return taken[1:], taken[0]


def _same_rows(tensors, first):
    """The tensors; ValueError if their number of rows is known to differ from that of `first`."""
    rows = first.get_shape()[:1]
    for t in tensors:
        t.get_shape().with_rank_at_least(1)[:1].assert_is_compatible_with(rows)
    return tensors


@export("contrib.training.rejection_sample")
def rejection_sample(tensors, accept_prob_fn, batch_size, queue_threads=1, enqueue_many=False, prebatch_capacity=16, prebatch_threads=1, runtime_checks=False, name=None):
    """Batches of accepted elements; accept_prob_fn(element) gives the probability of acceptance."""
    with variable_scope(name, "rejection_sample", tensors):
        element = pipelines._tensors(tensors)
        if enqueue_many:
            one = pipelines.batch(_same_rows(element, element[0]), batch_size=1, num_threads=prebatch_threads, capacity=prebatch_capacity, enqueue_many=True)
            element = [engine.squeeze(x, [0]) for x in one]
        probability = accept_prob_fn(element)
        if runtime_checks:
            checks = [engine.assert_less_equal(0.0, probability), engine.assert_less_equal(probability, 1.0)]
            probability = engine.identity(with_dependencies(checks, probability), name="prob_with_checks")
        batch = pipelines.maybe_batch(element, keep_input=engine.random_uniform([]) < probability, batch_size=batch_size, num_threads=queue_threads)
        return [batch] if isinstance(batch, Tensor) else batch


def _estimated_distribution(labels, num_classes):
    """Class frequencies so far; counts start at ten, so that no class has probability 0."""
    seen = Variable(initial_value=[10] * num_classes, trainable=False, name="class_count", dtype=dtypes.int64)
    seen = seen.assign_add(engine.reduce_sum(engine.one_hot(labels, num_classes, dtype=dtypes.int64), 0))
    seen += 0  # a tensor with this step's value
    return basics.cast(engine.truediv(seen, engine.reduce_sum(seen)), dtypes.float32)


def _checked_probabilities(probabilities):
    probabilities.get_shape().assert_is_fully_defined()
    probabilities.get_shape().assert_has_rank(1)
    total = engine.reduce_sum(probabilities)
    return with_dependencies([engine.assert_non_negative(probabilities), engine.assert_less(total, 1.0 + 1e-6), engine.assert_less(1.0 - 1e-6, total)], probabilities)


def _checked_data(tensors, labels, classes):
    labels.get_shape().assert_has_rank(1)
    _same_rows(tensors, labels)
    rows = basics.shape(labels)[0]
    some = engine.assert_positive(rows)
    labels = with_dependencies([some], labels)
    tensors = [with_dependencies([some, engine.assert_equal(basics.shape(x)[0], rows)], x) for x in tensors]
    checks = [engine.assert_integer(labels), engine.assert_non_negative(labels), engine.assert_less(labels, basics.cast(classes, labels.dtype))]
    return tensors, with_dependencies(checks, labels)


def _acceptance(init_probs, target_probs):
    """The acceptance probability of each class."""
    ratio = target_probs / init_probs
    ratio = engine.where_v2(engine.is_nan(ratio), engine.zeros_like(ratio), ratio)
    return ratio / engine.reduce_max(ratio)


@export("contrib.training.stratified_sample")
def stratified_sample(tensors, labels, target_probs, batch_size, init_probs=None, enqueue_many=False, queue_capacity=16, threads_per_queue=1, name=None):
    """(Batch of tensors, of labels) in which the classes have the frequencies `target_probs`."""
    with ops.name_scope(name, "stratified_sample", list(tensors) + [labels]):
        tensors = pipelines._tensors(tensors)
        labels = ops.convert_to_tensor(labels)
        target_probs = ops.convert_to_tensor(target_probs, dtype=dtypes.float32)
        if not enqueue_many:
            tensors = [engine.expand_dims(t, 0) for t in tensors]
            labels = engine.expand_dims(labels, 0)
        if init_probs is None:
            target_probs.get_shape().assert_is_fully_defined()
            init_probs = _estimated_distribution(labels, target_probs.get_shape().num_elements())
        else:
            init_probs = ops.convert_to_tensor(init_probs, dtype=dtypes.float32)
        init_probs, target_probs = [_checked_probabilities(p) for p in (init_probs, target_probs)]
        classes = init_probs.get_shape().num_elements()
        if target_probs.get_shape().num_elements() != classes:
            raise ValueError("Probability parameters must have the same length.")
        tensors, labels = _checked_data(tensors, labels, classes)
        possible = Assert(engine.reduce_all(engine.logical_or(engine.not_equal(init_probs, 0), engine.equal(target_probs, 0))),
                          ["All classes with zero initial probability must also have zero target probability: ", init_probs, target_probs])
        init_probs = with_dependencies([possible], init_probs)
        accept = _acceptance(init_probs, target_probs)
        rejected = engine.reduce_sum((1 - accept) * init_probs)
        accept = cond(engine.less(rejected, 0.5), lambda: accept,
                      lambda: engine.Print(accept, [accept], message="Proportion of examples rejected by sampler is high.", first_n=10))
        one = pipelines.batch(tensors + [labels], batch_size=1, num_threads=threads_per_queue, capacity=queue_capacity, enqueue_many=True)
        values = [engine.squeeze(x, [0]) for x in one[:-1]]
        label = engine.squeeze(one[-1], [0])
        kept = engine.random_uniform([]) < engine.gather(accept, label)
        batch = pipelines.maybe_batch(values + [label], keep_input=kept, batch_size=batch_size, num_threads=threads_per_queue)
        return batch[:-1], batch[-1]
