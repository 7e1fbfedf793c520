"""tf.train.SyncReplicasOptimizer: replicas that wait for each other."""

from .. import dtypes, engine, ops
from ..control_flow import group, no_op
from ..data.accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from ..data.queues import FIFOQueue
from ..exports import export
from ..ops import IndexedSlices, Tensor
from ..platform import tf_logging as logging
from ..variable_base import Variable
from ..variables import assign, global_variables, report_uninitialized_variables
from .optimizer import Optimizer
from .queue_runner import QueueRunner
from .run_hook import SessionRunHook


@export("train.SyncReplicasOptimizer")
class SyncReplicasOptimizer(Optimizer):
    """Accumulates the gradients of several replicas, applies their mean once, and lets the replicas continue by handing out tokens."""

    def __init__(self, opt, replicas_to_aggregate, total_num_replicas=None, variable_averages=None, variables_to_average=None, use_locking=False,
                 name="sync_replicas"):
        total_num_replicas = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        super().__init__(use_locking, name)
        logging.info("SyncReplicasV2: replicas_to_aggregate=%s; total_num_replicas=%s", replicas_to_aggregate, total_num_replicas)
        self._opt, self._replicas, self._total = opt, replicas_to_aggregate, total_num_replicas
        self._averages, self._averaged = variable_averages, variables_to_average
        self._tokens_per_step = max(total_num_replicas, replicas_to_aggregate)
        self._applied, self._global_step, self._tokens, self._runner = False, None, None, None
        self._accumulators = []  # (accumulator, device)

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def _accumulate(self, grad, var):
        """(operation that adds the gradient to an accumulator, mean over all replicas)"""
        name = var.name + "/grad_accum"
        if isinstance(grad, Tensor):
            sums = ConditionalAccumulator(grad.dtype, shape=var.get_shape(), shared_name=name)
            add = sums.apply_grad(grad, local_step=self._local_step)
            mean = sums.take_grad(self._replicas)
        elif isinstance(grad, IndexedSlices):
            sums = SparseConditionalAccumulator(grad.dtype, shape=(), shared_name=name)
            add = sums.apply_indexed_slices_grad(grad, local_step=self._local_step)
            mean = sums.take_indexed_slices_grad(self._replicas)
        else:
            raise ValueError("Unknown grad type!")
        self._accumulators.append((sums, var.device))
        return add, mean

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """The training op of one worker. get_chief_queue_runner() performs the update that all workers wait for."""
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        self._global_step = global_step
        adds, means, variables = [], [], []
        anchor = no_op()
        with ops.colocate_with(anchor):
            self._local_step = Variable(initial_value=0, trainable=False, collections=["local_variables"], dtype=global_step.dtype.base_dtype,
                                        name="sync_rep_local_step")
        self.local_step_init_op = assign(self._local_step, global_step)
        chief_init = [self.local_step_init_op]
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        there = global_step.device
        with ops.name_scope(None, self._name):
            for grad, var in grads_and_vars:
                variables.append(var)
                with ops.device(var.device):
                    if grad is None:
                        means.append(None)
                        continue
                    add, mean = self._accumulate(grad, var)
                    adds.append(add)
                    means.append(mean)
            with ops.device(there), ops.name_scope(""):
                update = self._opt.apply_gradients(zip(means, variables), global_step)
            with ops.device(there), ops.name_scope(""):
                self._tokens = FIFOQueue(-1, global_step.dtype.base_dtype, shapes=(), name="sync_token_q", shared_name="sync_token_q")
                dummy = FIFOQueue(1, dtypes.int32, shapes=(), name="dummy_queue", shared_name="dummy_queue")
            with ops.device(there), ops.name_scope(""):
                with ops.control_dependencies(adds):
                    token = self._tokens.dequeue()
                step = assign(self._local_step, token)
                with ops.control_dependencies([update]):
                    go_on = self._tokens.enqueue_many((engine.fill([self._tokens_per_step], global_step),))
                if self._averages is not None:
                    with ops.control_dependencies([go_on]), ops.name_scope(""):
                        go_on = self._averages.apply(self._averaged)
                self._runner = QueueRunner(dummy, [go_on])
            for sums, device in self._accumulators:
                with ops.device(device):
                    chief_init.append(sums.set_global_step(global_step, name="SetGlobalStep"))
            self.chief_init_op = group(*chief_init)
            self._applied = True
            return step

    def get_chief_queue_runner(self):
        """The queue runner of the chief, which repeatedly applies the accumulated gradients."""
        if not self._applied:
            raise ValueError("Should be called after apply_gradients().")
        return self._runner

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def variables(self):
        return self._opt.variables()

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)

    def get_init_tokens_op(self, num_tokens=-1):
        """The operation that provides the tokens for the first step."""
        if not self._applied:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas - self._total
        if num_tokens == -1:
            num_tokens = self._replicas
        elif num_tokens < needed:
            raise ValueError("Too few tokens to finish the first step: %d (given) vs %d (needed)" % (num_tokens, needed))
        if num_tokens <= 0:
            return no_op(name="no_init_tokens")
        with ops.device(self._global_step.device), ops.name_scope(""):
            return self._tokens.enqueue_many((engine.fill([num_tokens], self._global_step),))

    def make_session_run_hook(self, is_chief, num_tokens=-1):
        """A hook that initializes the optimizer; on the chief it also starts the queue runner."""
        return _Hook(self, is_chief, num_tokens)


class _Hook(SessionRunHook):
    def __init__(self, optimizer, is_chief, num_tokens):
        self._optimizer, self._is_chief, self._num_tokens = optimizer, is_chief, num_tokens

    def begin(self):
        o = self._optimizer
        if not o._applied:
            raise ValueError("SyncReplicasOptimizer.apply_gradient should be called before using the hook.")
        self._init = o.chief_init_op if self._is_chief else o.local_step_init_op
        self._runner = o.get_chief_queue_runner() if self._is_chief else None
        self._tokens = o.get_init_tokens_op(self._num_tokens) if self._is_chief else None

    def after_create_session(self, session, coord):
        from .session_manager import is_ready

        ready, message = is_ready(self._optimizer.ready_for_local_init_op, session, "Model is not ready for SyncReplicasOptimizer local init.")
        if not ready:
            raise RuntimeError("Init operations did not make model ready for SyncReplicasOptimizer local_init. Init op: %s, error: %s"
                               % (self._init.name, message))
        session.run(self._init)
        if self._tokens is not None:
            session.run(self._tokens)
        if self._runner is not None:
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
