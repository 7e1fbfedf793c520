"""tf.contrib.estimator.replicate_model_fn: a model on several devices, each with a part of the batch."""

import collections
import contextlib
import copy
import inspect

from .. import basics, engine, ops, variable_scope as variable_scope_module
from ..control_flow import group, no_op
from ..device import DeviceSpec
from ..device_lib import list_local_devices
from ..exports import export
from ..losses import Reduction
from ..ops import GraphKeys, IndexedSlices
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor
from ..training.optimizer import Optimizer
from ..variables import assign, assign_add
from .export_outputs import PredictOutput, RegressionOutput
from .spec import EstimatorSpec, ModeKeys

_REDUCTION = Reduction
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")


class _Towers:
    """State of one graph: the tower under construction, and the gradients of the towers built so far."""

    def __init__(self):
        self.gradients = collections.defaultdict(list)
        self.current, self.count, self.reduction, self.first_scopes, self.used = 0, 1, None, None, False

    @contextlib.contextmanager
    def tower(self, number, variable_scope, name_scope):
        if number == 0:
            self.first_scopes = variable_scope, name_scope
        self.current = number
        yield

    def is_last(self):
        return self.current == self.count - 1

    def latest(self):
        """The gradients of the latest call of each tower."""
        at = len(self.gradients[self.current]) - 1
        return [pair for number in range(self.current + 1) for pair in self.gradients[number][at]]


@export("contrib.estimator.TowerOptimizer")
class TowerOptimizer(Optimizer):
    """Gathers the gradients of all towers and applies their sum, built with the last tower."""

    COLLECTION_FOR_GRAPH_STATES = "replicate_model_fn_graph_states"

    def __init__(self, optimizer_or_optimizer_fn):
        self._optimizer_or_optimizer_fn = optimizer_or_optimizer_fn

    @staticmethod
    def _graph_state():
        states = ops.get_collection_ref(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
        if not states:
            states.append(_Towers())
        return states[-1]

    @staticmethod
    def has_been_used():
        return TowerOptimizer._graph_state().used

    def _get_optimizer(self):
        if callable(self._optimizer_or_optimizer_fn):
            self._optimizer_or_optimizer_fn = self._optimizer_or_optimizer_fn()
        self._graph_state().used = True
        return self._optimizer_or_optimizer_fn

    def get_slot(self, *args, **kwargs):
        return self._get_optimizer().get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._get_optimizer().get_slot_names(*args, **kwargs)

    def get_name(self, *args, **kwargs):
        return self._get_optimizer().get_name(*args, **kwargs)

    def variables(self, *args, **kwargs):
        return self._get_optimizer().variables(*args, **kwargs)

    def compute_gradients(self, loss, *args, **kwargs):
        state = self._graph_state()
        return self._get_optimizer().compute_gradients(_scaled(loss, state.reduction, state.count), *args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, **kwargs):
        state = self._graph_state()
        if state.count == 1:
            return self._get_optimizer().apply_gradients(grads_and_vars, global_step, **kwargs)
        state.gradients[state.current].append(grads_and_vars)
        if not state.is_last():
            tensors = [g.values if isinstance(g, IndexedSlices) else g for g, _ in grads_and_vars if g is not None]
            with ops.control_dependencies(tensors):
                return no_op(name="train_op_placeholder")
        variable_scope, name_scope = state.first_scopes
        with variable_scope_module.variable_scope(variable_scope), ops.name_scope(name_scope):
            return self._apply_sums(global_step, **kwargs)

    def _apply_sums(self, global_step, **kwargs):
        gathered = []  # [variable, gradients], in the order of the first tower
        for gradient, variable in self._graph_state().latest():
            if gradient is not None:
                found = next((g for v, g in gathered if v is variable), None)
                if found is None:
                    gathered.append((variable, [gradient]))
                else:
                    found.append(gradient)
        with ops.name_scope("gradient_aggregating"):
            sums = [(_sum_on(gradients, variable.device), variable) for variable, gradients in gathered]
        return self._get_optimizer().apply_gradients(sums, global_step=global_step, **kwargs)


def _scaled(loss, reduction, count):
    if loss is None or count == 1 or reduction == _REDUCTION.SUM:
        return loss
    return engine.div(loss, 1.0 * count, name="averaged_loss")


def _sum_on(values, device, name=None):
    with ops.device(device):
        if not isinstance(values[0], IndexedSlices):
            return engine.add_n(values, name=name)
        if name:
            raise ValueError("The name {} is not expected to be given to IndexedSlices {}".format(name, values))
        return IndexedSlices(engine.concat([v.values for v in values], axis=0), engine.concat([v.indices for v in values], axis=0), values[0].dense_shape)


def _local_devices(kind):
    return [d.name for d in list_local_devices() if d.device_type == kind]


@export("contrib.estimator.replicate_model_fn")
def replicate_model_fn(model_fn, loss_reduction=_REDUCTION.SUM_BY_NONZERO_WEIGHTS, devices=None):
    """A model function that builds the model once for each device, with a part of the batch; optimizers must be TowerOptimizers."""
    if loss_reduction == _REDUCTION.NONE:
        raise ValueError("Tower losses need to be reduced in some way, yet {} reduction is specified.".format(loss_reduction))
    devices = devices or _local_devices("GPU") or _local_devices("CPU")
    home = devices[0] if len(devices) == 1 and "GPU" in devices[0].upper() else "/CPU:0"
    logging.info("Replicating the `model_fn` across {}.  Variables are going to be placed on {}.  Consolidation device is going to be {}.".format(devices, [home], home))

    def towers(features, labels, mode, params, config):
        return _towers(model_fn, mode, features, labels, params, config, devices, home, loss_reduction)

    def on_one_device(features, labels, mode, params=None, config=None):
        return towers([features], [labels], mode, params, config)[0]

    def on_all_devices(features, labels, mode, params=None, config=None):
        features, labels = _split(features, labels, len(devices), home)
        specs = towers(features, labels, mode, params, config)
        if mode == ModeKeys.TRAIN:
            return _joined(specs[-1], mode, loss=_sum_on([s.loss for s in specs], home, "loss"), train_op=specs[-1].train_op)
        return _evaluated(specs, home) if mode == ModeKeys.EVAL else _predicted(specs, home)

    return on_one_device if len(devices) == 1 else on_all_devices


def _joined(spec, mode, **changed):
    return EstimatorSpec(**dict({k: getattr(spec, k) for k in spec._fields}, mode=mode, **changed))


def _split(features, labels, count, device):
    """(Features, labels) of each tower."""
    def parts(tensor):
        if isinstance(tensor, dict):
            each = {name: parts(t) for name, t in tensor.items()}
            return [{name: shards[i] for name, shards in each.items()} for i in range(count)]
        if isinstance(tensor, SparseTensor):
            return engine.sparse_split(sp_input=tensor, num_split=count, axis=0)
        rows = ops.convert_to_tensor(tensor).get_shape()[0]
        if rows % count != 0:
            raise ValueError("Batch size {} needs to be divisible by the number of GPUs, which is {}.".format(rows, count))
        return engine.split(tensor, count)

    with ops.name_scope("split_inputs"), ops.device(device):
        return parts(features), None if labels is None else parts(labels)


def _placed(worker, home):
    """A device function: variables at home, everything else with the worker."""
    def device(op):
        own = DeviceSpec.from_string(op.device or "")
        spec = DeviceSpec.from_string(home if op.type in _VARIABLES else worker or "")
        spec.merge_from(own)
        return spec.to_string()

    return device


def _towers(model_fn, mode, features, labels, params, config, devices, home, loss_reduction):
    """The specs of all towers."""
    names = inspect.signature(model_fn).parameters
    given = {n: copy.deepcopy(v) for n, v in (("params", params), ("config", config)) if n in names}
    state = TowerOptimizer._graph_state()
    state.reduction, state.count = loss_reduction, len(devices)
    specs = []
    for i, device in enumerate(devices):
        with variable_scope_module.variable_scope("", reuse=i > 0) as variable_scope, ops.name_scope("" if i == 0 else "tower_%d" % i) as name_scope:
            with state.tower(i, variable_scope, name_scope), ops.device(_placed(device, home)):
                spec = model_fn(mode=mode, features=features[i], labels=labels[i] if labels else None, **given)
                if spec.train_op is not None and len(devices) > 1 and not TowerOptimizer.has_been_used():
                    raise ValueError("Please wrap optimizers with TowerOptimizer in order to use replicate_model_fn with multiple `devices`.")
                if spec.loss is not None:
                    spec = _joined(spec, spec.mode, loss=_scaled(spec.loss, loss_reduction, len(devices)))
                specs.append(spec)
    if sum(len(g) for g in state.gradients.values()) % state.count:
        raise ValueError("Each invocation of model_fn was supposed to make the same optimizer calls.")
    ops.get_default_graph().clear_collection(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)
    return specs


def _evaluated(specs, home):
    loss = _sum_on([s.loss for s in specs], home, "loss")
    updates = [update for s in specs for _, update in s.eval_metric_ops.values()]
    with ops.control_dependencies(updates):
        reduced = _reduced_metrics(len(specs))
    return _joined(specs[0], ModeKeys.EVAL, loss=loss, eval_metric_ops={name: (value, reduced) for name, (value, _) in specs[0].eval_metric_ops.items()})


def _reduced_metrics(count):
    """Adds the metric variables of the other towers to those of the first and resets them to zero."""
    variables = ops.get_collection(GraphKeys.METRIC_VARIABLES)
    each = len(variables) // count
    if len(variables) % count:
        raise ValueError("Different `EstimatorSpec.eval_metric_ops` across `model_fn()` calls. Expected {} local variables, but got {} instead.".format(each * count, len(variables)))
    done = []
    for i in range(each):
        others = variables[i + each::each]
        added = assign_add(variables[i], engine.add_n(others))
        with ops.control_dependencies([added]):
            done += [assign(v, engine.zeros(basics.shape(v), dtype=v.dtype)) for v in others]
    return group(*done)


def _predicted(specs, home):
    def concatenated(dicts):
        found = {}
        for d in dicts:
            for k, v in (d or {}).items():
                found.setdefault(k, []).append(v)
        return {k: engine.concat(values, axis=0, name=k) for k, values in found.items()}

    def output(values):
        first = values[0]
        if isinstance(first, PredictOutput):
            return type(first)(concatenated([v.outputs for v in values]))
        if isinstance(first, RegressionOutput):
            return type(first)(value=engine.concat([v.value for v in values], axis=0))
        scores = None if first.scores is None else engine.concat([v.scores for v in values], axis=0)
        return type(first)(scores=scores, classes=None if first.classes is None else engine.stack([v.classes for v in values], axis=0))

    with ops.device(home):
        predictions = concatenated([s.predictions for s in specs])
        outputs = {name: output([s.export_outputs[name] for s in specs]) for name in specs[0].export_outputs or {}}
    return _joined(specs[0], ModeKeys.PREDICT, predictions=predictions, export_outputs=outputs or None)
