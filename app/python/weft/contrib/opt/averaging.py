"""Distributed training of local copies of variables, which meet on the parameter server every few steps: elastic averages, averaged models, accumulated gradients.

The custom getters make the copies: a trainable variable becomes a local variable on the worker's device, with a global one beside it under global_center_variable/."""

from ... import dtypes, engine, ops
from ...control_flow import cond, group, no_op
from ...data.accumulators import ConditionalAccumulator
from ...data.queues import FIFOQueue
from ...exports import export
from ...graph_keys import GraphKeys
from ...training.optimizer import Optimizer
from ...training.run_hook import SessionRunHook
from ...training.saveables import by_name as variables_by_name
from ...training.saver import Saver
from ...variable_base import Variable, variable_creator_scope
from ...variable_scope import get_variable
from ...variables import assign, assign_add, assign_sub, global_variables, global_variables_initializer, local_variables_initializer, trainable_variables

_GLOBAL, _LOCAL, _GRAD = "global_center_variable/", "local_center_variable/", "grad_variable/"


class _Getter:
    """A custom getter for tf.variable_scope: besides each trainable variable it makes a global one, and another local one under `_prefix`."""

    _prefix = ""

    def __init__(self, worker_device):
        self._worker_device = worker_device
        self._global_map = {}
        self._beside = {}

    def __call__(self, getter, name, trainable, collections, *args, **kwargs):
        if not trainable:
            return self._plain(getter, name, collections, *args, **kwargs)
        with ops.device(self._worker_device):
            local = getter(name, *args, trainable=True, collections=[GraphKeys.LOCAL_VARIABLES], **kwargs)
        if kwargs["reuse"] is True:
            return local
        center = getter(_GLOBAL + name, *args, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES], **kwargs)
        with ops.device(self._worker_device):
            beside = getter(self._prefix + name, *args, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], **kwargs)
        if kwargs["partitioner"] is None:
            self._global_map[local], self._beside[local] = center, beside
        else:
            self._global_map.update(zip(local, center))
            self._beside.update(zip(local, beside))
        return local

    def _plain(self, getter, name, collections, *args, **kwargs):
        """A variable that is not trained; local ones are on the worker's device."""
        with ops.device(self._worker_device if collections and GraphKeys.LOCAL_VARIABLES in collections else None):
            return getter(name, *args, trainable=False, collections=collections, **kwargs)


@export("contrib.opt.ElasticAverageCustomGetter")
class ElasticAverageCustomGetter(_Getter):
    """The getter for ElasticAverageOptimizer: beside each variable a local copy of its global one."""

    _prefix = _LOCAL

    def __init__(self, worker_device):
        super().__init__(worker_device)
        self._local_map = self._beside


@export("contrib.opt.AGNCustomGetter")
class AGNCustomGetter(_Getter):
    """The getter for AGNOptimizer: beside each variable the sum of its gradients."""

    _prefix = _GRAD

    def __init__(self, worker_device):
        super().__init__(worker_device)
        self._grad_map = self._beside


@export("contrib.opt.ModelAverageCustomGetter")
class ModelAverageCustomGetter(_Getter):
    """The getter for ModelAverageOptimizer."""

    def __init__(self, worker_device):
        super().__init__(worker_device)
        self._local_2_global = self._global_map

    def __call__(self, getter, name, trainable, collections, *args, **kwargs):
        if not trainable:
            return self._plain(getter, name, collections, *args, **kwargs)
        with ops.device(self._worker_device):
            local = getter(name, *args, trainable=True, collections=[GraphKeys.LOCAL_VARIABLES], **kwargs)
        self._global_map[local] = Variable(local.initialized_value(), name=_GLOBAL + name, trainable=False, collections=[GraphKeys.GLOBAL_VARIABLES])
        return local


class _LocalInit(SessionRunHook):
    """Runs an optimizer's get_init_op() once the session is there."""

    def __init__(self, make_op, is_chief):
        self._make_op, self._is_chief = make_op, is_chief

    def begin(self):
        self._local_init_op = local_variables_initializer()
        self._global_init_op = global_variables_initializer() if self._is_chief else None
        self._variable_init_op = self._make_op()

    def after_create_session(self, session, coord):
        session.run(self._variable_init_op)


class _EveryFewSteps(Optimizer):
    """Optimizer around `opt`, with a local count of steps."""

    def __init__(self, opt, period, use_locking, name):
        super().__init__(use_locking, name)
        self._opt, self._period = opt, period
        self._local_step = get_variable(initializer=0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES], name="local_step")
        opt._prepare()

    def _counted(self):
        return assign_add(self._local_step, 1, name="local_step_update").op

    def _meets(self):
        """Whether this step is one of those that talk to the parameter server."""
        return engine.equal(engine.mod(self._local_step, self._period), 0)


@export("contrib.opt.ElasticAverageOptimizer")
class ElasticAverageOptimizer(_EveryFewSteps):
    """Elastic averaging SGD (Zhang, Choromanska and LeCun 2015): local and global variables attract each other every `communication_period` steps."""

    BETA = 0.9

    def __init__(self, opt, num_worker, ea_custom_getter, communication_period=10, moving_rate=None, rho=None, use_locking=True, synchronous=False,
                 name="ElasticAverageOptimizer"):
        super().__init__(opt, communication_period, use_locking, name)
        self._num_worker, self._synchronous = num_worker, synchronous
        self._local_map, self._global_map = ea_custom_getter._local_map, ea_custom_getter._global_map
        self._moving_rate = self.BETA / communication_period / num_worker if moving_rate is None else moving_rate
        self._rho = self._moving_rate / opt._learning_rate if rho is None else rho

    def compute_gradients(self, loss, var_list=None, gate_gradients=Optimizer.GATE_OP, aggregation_method=None, colocate_gradients_with_ops=False, grad_loss=None):
        """The gradients of the loss and of rho × the distance to the global variables."""
        var_list = var_list or trainable_variables()
        apart = [engine.subtract(v, self._local_map[other]) for v, other in zip(trainable_variables(), var_list)]
        distance = self._rho * engine.add_n([engine.nn.l2_loss(d) for d in apart])
        return self._opt.compute_gradients(loss + distance, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        before = {v.op.name for v in global_variables()}
        applied = self._opt.apply_gradients(grads_and_vars)
        with ops.control_dependencies([applied]):
            counted = self._counted()
        # Slots and powers belong to the worker.
        everywhere = ops.get_collection_ref(GraphKeys.GLOBAL_VARIABLES)
        made = [v for v in everywhere if v.op.name not in before]
        everywhere[:] = [v for v in everywhere if v.op.name in before]
        for v in made:
            ops.add_to_collection(GraphKeys.LOCAL_VARIABLES, v)

        def meet():
            mine = [v for g, v in grads_and_vars if g is not None]
            centers, copies = [self._global_map[v] for v in mine], [self._local_map[v] for v in mine]
            updates = []
            with ops.control_dependencies([copy.assign(center) for copy, center in zip(copies, centers)]):
                apart = []
                for v, copy in zip(mine, copies):
                    with ops.device(v.device):
                        apart.append(engine.subtract(v, copy))
                for change, variables in ((assign_sub, mine), (assign_add, centers)):
                    for v, difference in zip(variables, apart):
                        with ops.device(v.device):
                            updates.append(change(v, engine.multiply(self._moving_rate, difference)))
                if global_step is not None:
                    with ops.colocate_with(global_step):
                        updates.append(assign_add(global_step, 1))
            return group(*updates)

        with ops.control_dependencies([counted]):
            return cond(self._meets(), meet, no_op)

    def get_init_op(self, task_index):
        """Sets the local variables to the global ones; with `synchronous`, waits until all workers did."""
        mine = trainable_variables()
        if not mine:
            raise ValueError("The lists of local_variables, global_center_variables, local_center_variables should not be empty  ")
        started = group(*[assign(v, self._global_map[of]) for of in mine for v in (of, self._local_map[of])])
        if not self._synchronous:
            return started
        queues = [FIFOQueue(self._num_worker, [dtypes.bool_], shapes=[[]], shared_name="variable_init_sync_queue%d" % i) for i in range(self._num_worker)]
        token = ops.constant(False)
        with ops.control_dependencies([started]):
            waits = [no_op() if i == task_index else queue.enqueue(token) for i, queue in enumerate(queues)]
        return group(*waits + [queues[task_index].dequeue_many(len(queues) - 1)])

    def make_session_run_hook(self, is_chief, task_index):
        return _LocalInit(lambda: self.get_init_op(task_index), is_chief)

    def swapping_saver(self, var_list=None, name="swapping_saver", **kwargs):
        """A Saver that writes the global variables under the names of the trained ones."""
        if not self._global_map:
            raise RuntimeError("global_center_variable is empty, please make sure this is called after model created and ElasticAverageCustomGetter is used when "
                               "declaring you model")
        if var_list is None:
            var_list = trainable_variables()
        if not isinstance(var_list, dict):
            var_list = variables_by_name(var_list)
        trained = {v.op.name: v for v in trainable_variables()}
        swapped = {}
        for key, value in var_list.items():
            if isinstance(value, list):
                swapped[key] = [self._global_map.get(part, part) for part in value]
            else:
                swapped[key] = self._global_map.get(trained.get(value.op.name), value)
        return Saver(swapped, name=name, **kwargs)


@export("contrib.opt.ModelAverageOptimizer")
class ModelAverageOptimizer(_EveryFewSteps):
    """Every `interval_steps` steps the variables of all workers are averaged; workers wait for each other there."""

    def __init__(self, opt, num_worker, is_chief, ma_custom_getter, interval_steps=100, use_locking=True, name="ModelAverageOptimizer"):
        super().__init__(opt, interval_steps, use_locking, name)
        self._num_worker, self._is_chief = num_worker, is_chief
        self._local_2_global = ma_custom_getter._local_2_global
        self._accumulator_list = []
        self._chief_init_op = None

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def _local_vars_update(self, var_list):
        if not var_list:
            raise ValueError("The list of local_variables should not be empty")
        updates = []
        for v in var_list:
            with ops.device(v.device):
                updates.append(assign(v, self._local_2_global[v].read_value()))
        return group(*updates)

    def _average(self, mine, global_step):
        """(ops that send this worker's variables, the averages, their global variables)"""
        sent, averages, centers = [], [], [self._local_2_global[v] for v in mine]
        with ops.name_scope(None, self._name + "/global"):
            for v, center in zip(mine, centers):
                with ops.device(center.device):
                    if not v.dtype._is_ref_dtype:
                        raise ValueError("Unknown local variable type!")
                    sums = ConditionalAccumulator(v.dtype, shape=v.get_shape(), shared_name=center.name + "/var_accum")
                    sent.append(sums.apply_grad(v._ref(), local_step=global_step))
                    averages.append(sums.take_grad(self._num_worker))
                    self._accumulator_list.append((sums, center.device))
        return sent, averages, centers

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if not grads_and_vars:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required")
        with ops.control_dependencies([self._opt.apply_gradients(grads_and_vars)]):
            counted = self._counted()

        def meet():
            mine = [v for g, v in grads_and_vars if g is not None]
            with ops.colocate_with(global_step):
                tokens = FIFOQueue(-1, [dtypes.bool_], shapes=[[]], shared_name="sync_queue")
            sent, averages, centers = self._average(mine, global_step)
            if self._is_chief:
                updates = []
                with ops.control_dependencies(sent):
                    for average, center in zip(averages, centers):
                        with ops.device(center.device):
                            updates.append(assign(center, average))
                    with ops.device(global_step.device):
                        updates.append(assign_add(global_step, 1))
                with ops.control_dependencies(updates), ops.device(global_step.device):
                    met = tokens.enqueue_many(engine.fill([self._num_worker - 1], ops.constant(False)))
            else:
                with ops.control_dependencies(sent), ops.device(global_step.device):
                    met = tokens.dequeue()
            with ops.control_dependencies([met]):
                return self._local_vars_update(mine)

        with ops.control_dependencies([counted]):
            updated = cond(self._meets(), meet, no_op)
        started = []
        for sums, device in self._accumulator_list:
            with ops.device(device):
                started.append(sums.set_global_step(global_step, name="SetGlobalStep"))
        self._chief_init_op = group(*started)
        return updated

    def get_init_op(self):
        """Sets the local variables to the global ones."""
        return self._local_vars_update(trainable_variables())

    def make_session_run_hook(self):
        return _LocalInit(self.get_init_op, self._is_chief)


@export("contrib.opt.AGNOptimizer")
class AGNOptimizer(_EveryFewSteps):
    """Accumulated gradient normalization (Hermans 2017): the mean of the gradients of `communication_period` local steps updates the global variables."""

    def __init__(self, optimizer, num_worker, custom_getter, communication_period=10, use_locking=True, name="AGNOptimizer"):
        super().__init__(optimizer, communication_period, use_locking, name)
        self._num_worker = num_worker
        self._global_map, self._grad_map = custom_getter._global_map, custom_getter._grad_map

    @staticmethod
    def _locally(next_creator, collections=None, **kwargs):
        """Creates a variable that would be a global one as a local one."""
        collections = list(collections or [GraphKeys.LOCAL_VARIABLES])
        if GraphKeys.GLOBAL_VARIABLES in collections:
            collections.remove(GraphKeys.GLOBAL_VARIABLES)
            collections.append(GraphKeys.LOCAL_VARIABLES)
        return next_creator(collections=collections, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        mine = [v for g, v in grads_and_vars if g is not None]
        with variable_creator_scope(self._locally):
            applied = self._opt.apply_gradients(grads_and_vars)
        sums = [self._grad_map[v] for v in mine]
        updates = [applied] + [assign_add(total, g) for total, (g, _) in zip(sums, (pair for pair in grads_and_vars if pair[0] is not None))]

        def meet():
            means = [assign(total, total / self._period) for total in sums]
            with ops.control_dependencies(means):
                moved = self._opt.apply_gradients(zip(sums, [self._global_map[v] for v in mine]))
            with ops.control_dependencies([moved]):
                after = []
                if global_step is not None:
                    with ops.colocate_with(global_step):
                        after.append(assign_add(global_step, 1))
                after += [assign(v, self._global_map[v].read_value()) for v in mine]
                after += [assign(total, engine.zeros_like(total)) for total in sums]
                return group(*after)

        counted = self._counted()
        with ops.control_dependencies([counted]):
            meets = self._meets()
        with ops.control_dependencies(updates):
            return cond(meets, meet, no_op)

    def get_init_op(self, task_index):
        """Sets the local variables to the global ones, and the sums to 0."""
        mine = trainable_variables()
        if not mine:
            raise ValueError("The lists of local_variables, global_center_variables,grad_center_variables should not be empty")
        sums = [self._grad_map[v] for v in mine]
        return group(*[assign(v, self._global_map[v]) for v in mine] + [assign(total, engine.zeros_like(total)) for total in sums])

    def make_session_run_hook(self, is_chief, task_index):
        return _LocalInit(lambda: self.get_init_op(task_index), is_chief)
