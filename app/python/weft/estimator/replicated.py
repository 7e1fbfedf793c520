"""Training and evaluation of an Estimator's model in the replicas of a tf.distribute.Strategy."""

from .. import engine, ops
from ..control_flow import group
from ..distribute import contexts
from ..distribute.reduce_op import ReduceOp
from ..ops import Graph
from ..training import global_step as step_counter
from ..training.scaffold import Scaffold
from ..util import nest
from ..variables import global_variables, report_uninitialized_variables
from . import calls
from .spec import EstimatorSpec, ModeKeys


class _ScaledLosses:
    """Context manager: optimizers divide mean losses by the number of replicas."""

    def __init__(self, strategy):
        self._strategy = strategy

    def __enter__(self):
        self._strategy._scale_loss_for_estimator = True

    def __exit__(self, *unused):
        self._strategy._scale_loss_for_estimator = False


def train(estimator, strategy, input_fn, given_hooks, listeners):
    """Trains in the replicas of the strategy; returns the last loss."""
    config = estimator._config
    strategy.configure(config.session_config)
    with Graph().as_default() as graph, strategy.scope(), _ScaledLosses(strategy):
        ops.set_random_seed(config.tf_random_seed)
        features, labels, input_hooks = _input(estimator, strategy, input_fn, ModeKeys.TRAIN)
        step = estimator._make_step()
        ops.add_to_collection(step_counter._READ, strategy.extended.read_var(step))
        spec = strategy.extended.call_for_each_replica(estimator._call_model, (features, labels, ModeKeys.TRAIN, estimator.config))
        scaled = getattr(graph, "_is_loss_scaled_by_optimizer", False)
        loss = strategy.reduce(contexts.get_loss_reduction() if scaled else ReduceOp.SUM, spec.loss)
        scaffold = _scaffold(spec.scaffold, strategy)
        hooks, chief_hooks = ([_first(strategy, h) for h in given] for given in (spec.training_hooks, spec.training_chief_hooks))
        whole = EstimatorSpec(mode=spec.mode, loss=loss, train_op=strategy.group(spec.train_op), training_hooks=hooks, training_chief_hooks=chief_hooks, scaffold=scaffold)
        return estimator._run_training(whole, input_hooks, given_hooks, listeners)


def evaluation(estimator, strategy, input_fn):
    """(the update of all metrics, their values, hooks of the input, what is left of the specification) for an evaluation in replicas."""
    strategy.configure(estimator._config.session_config)
    with strategy.scope():
        features, labels, input_hooks = _input(estimator, strategy, input_fn, ModeKeys.EVAL)
        estimator._make_step()
        spec = strategy.extended.call_for_each_replica(estimator._call_model, (features, labels, ModeKeys.EVAL, estimator.config))
        metrics = dict(spec.eval_metric_ops)
        if "loss" in metrics:
            raise ValueError('Metric with name "loss" is not allowed, because Estimator already defines a default metric with the same name.')
        metrics["loss"] = strategy.extended.call_for_each_replica(engine.metrics.mean, (spec.loss,))
        ordered = sorted(metrics.items())
        updates = group(*[strategy.group(update) for _, (_, update) in ordered])
        values = {key: _first(strategy, value) for key, (value, _) in ordered}
        rest = EstimatorSpec(mode=spec.mode, loss=_first(strategy, spec.loss), scaffold=_scaffold(spec.scaffold, strategy),
                             evaluation_hooks=[_first(strategy, h) for h in spec.evaluation_hooks])
        return updates, values, input_hooks, rest


def _input(estimator, strategy, input_fn, mode):
    iterator = strategy.make_input_fn_iterator(lambda context: estimator._made_input(input_fn, mode, context))
    features, labels, _ = calls.parse_input(iterator.get_next())
    return features, labels, [calls.InitializeIterator(iterator)]


def _first(strategy, value):
    return strategy.experimental_local_results(value)[0]


def _scaffold(given, strategy):
    """One scaffold for those of all replicas."""
    scaffolds = strategy.experimental_local_results(given)

    def those(name):
        return [found for found in (getattr(s, name) for s in scaffolds) if found is not None]

    def together(name):
        found = those(name)
        return group(*found) if found else None

    def first(name):
        found = those(name)
        return found[0] if found else None

    def joined(make):
        found = nest.flatten(strategy.experimental_local_results(strategy.extended.call_for_each_replica(make, (given,))))
        return found[0] if len(found) == 1 else engine.concat(found, 0)

    def ready_for_local_init(scaffold):
        return scaffold.ready_for_local_init_op if scaffold.ready_for_local_init_op is not None else Scaffold.get_or_default(
            "ready_for_local_init_op", "ready_for_local_init_op", lambda: report_uninitialized_variables(global_variables()))

    ready = joined(lambda scaffold: scaffold.ready_op) if those("ready_op") else None
    feeds = {}
    for s in those("init_feed_dict"):
        feeds.update(s)
    return Scaffold(init_op=together("init_op"), ready_op=ready, ready_for_local_init_op=joined(ready_for_local_init), local_init_op=together("local_init_op"),
                    summary_op=first("summary_op"), saver=first("saver"), init_feed_dict=feeds or None, init_fn=first("_user_init_fn"))
