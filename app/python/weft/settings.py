"""Which settings have an effect here. Code that takes a setting either acts on it or reports once, by name, that it has no effect."""

from . import errors, protos
from .platform import tf_logging

ACTS, SILENT, NAMED = "acts", "silent", "named"
_told = set()


def no_effect(what, reason):
    """Warns once that the setting `what` has no effect, and why."""
    if what not in _told:
        _told.add(what)
        tf_logging.warning("%s has no effect here: %s", what, reason)


def unused(where, reason, **given):
    """Calls no_effect() for parameters that do not have one of their harmless values: name=(value, *harmless values)."""
    for name, (value, *harmless) in given.items():
        if not any(value is h or (type(value) is type(h) and value == h) for h in harmless):
            no_effect("%s of %s" % (name, where), reason)


_IN_TURN = "nodes run one after another, each on all threads of its session"
_SERVER = "what passes between tasks is the server's own matter"
_NO_PROPAGATION = "a server's tasks are those that it was started with"
_MEMORY = "memory of a GPU is taken as it is needed and given back when the process ends"
_NO_XLA = "there is no XLA; the engine fuses ops by rewrites of its own"
_NO_SUCH_REWRITE = "the engine has no such rewrite"
_COLLECTIVES = "there are no collective ops between tasks"


def _gpus():
    from . import _weft

    return sum(kind == "GPU" for _, kind, _, _ in _weft.available_devices())


def _with_gpu(value):
    return _gpus() > 0  # without a GPU these settings have no effect in TensorFlow either


def _more_than_one(value):
    return value > 1


def _on(value):
    return value not in (0, 2)  # neither DEFAULT nor OFF


# Field -> (how it is treated, why; for NAMED optionally a test whether its value needs a warning). The entry of a message covers all its fields.
CONFIG = {
    "device_count": (ACTS, "CPU: devices of the session; GPU: how many at most. Other types name no device here nor in TensorFlow's binaries"),
    "intra_op_parallelism_threads": (ACTS, ""),
    "inter_op_parallelism_threads": (NAMED, _IN_TURN, _more_than_one),
    "use_per_session_threads": (SILENT, "threads are counted per session in any case"),
    "session_inter_op_thread_pool": (NAMED, _IN_TURN),
    "placement_period": (SILENT, "TensorFlow does not read it either: nodes are placed when a session first sees them"),
    "device_filters": (SILENT, "they say which other tasks a session may use, and it uses none"),
    "gpu_options.per_process_gpu_memory_fraction": (ACTS, "the first session decides for the process, as in TensorFlow"),
    "gpu_options.allow_growth": (SILENT, _MEMORY),
    "gpu_options.allocator_type": (NAMED, _MEMORY, lambda value: value != "BFC" and _with_gpu(value)),
    "gpu_options.deferred_deletion_bytes": (NAMED, _MEMORY, _with_gpu),
    "gpu_options.visible_device_list": (ACTS, ""),
    "gpu_options.polling_active_delay_usecs": (NAMED, "a step waits for its device, nobody polls", _with_gpu),
    "gpu_options.polling_inactive_delay_msecs": (NAMED, "a step waits for its device, nobody polls", _with_gpu),
    "gpu_options.force_gpu_compatible": (NAMED, "copies pin memory as they need it", _with_gpu),
    "gpu_options.experimental": (NAMED, "GPUs are used as they are: whole, with their own memory and one stream for copies", _with_gpu),
    "allow_soft_placement": (ACTS, ""),
    "log_device_placement": (ACTS, ""),
    "graph_options.enable_recv_scheduling": (SILENT, "TensorFlow ignores it, too"),
    "graph_options.optimizer_options.do_common_subexpression_elimination": (SILENT, "asks for speed only"),
    "graph_options.optimizer_options.do_constant_folding": (ACTS, "keeps constant folding on where opt_level is L0"),
    "graph_options.optimizer_options.max_folded_constant_in_bytes": (NAMED, "constant folding has a limit of its own"),
    "graph_options.optimizer_options.do_function_inlining": (NAMED, "functions are called, each by a plan of its own"),
    "graph_options.optimizer_options.opt_level": (ACTS, ""),
    "graph_options.optimizer_options.global_jit_level": (NAMED, _NO_XLA, lambda value: value > 0),
    "graph_options.build_cost_model": (NAMED, "no cost model is built; RunMetadata.step_stats of a traced run has the times"),
    "graph_options.build_cost_model_after": (NAMED, "no cost model is built; RunMetadata.step_stats of a traced run has the times"),
    "graph_options.infer_shapes": (SILENT, "shapes are inferred in any case"),
    "graph_options.place_pruned_graph": (ACTS, ""),
    "graph_options.enable_bfloat16_sendrecv": (NAMED, "tensors pass between tasks with all their bits"),
    "graph_options.timeline_step": (NAMED, "a run is traced when its RunOptions.trace_level asks for it"),
    "graph_options.rewrite_options.layout_optimizer": (NAMED, _NO_SUCH_REWRITE, _on),
    "graph_options.rewrite_options.constant_folding": (ACTS, "OFF"),
    "graph_options.rewrite_options.shape_optimization": (SILENT, "asks for speed only"),
    "graph_options.rewrite_options.remapping": (ACTS, "OFF"),
    "graph_options.rewrite_options.arithmetic_optimization": (ACTS, "OFF"),
    "graph_options.rewrite_options.dependency_optimization": (ACTS, "OFF"),
    "graph_options.rewrite_options.loop_optimization": (ACTS, "OFF"),
    "graph_options.rewrite_options.function_optimization": (NAMED, "functions are called, each by a plan of its own", _on),
    "graph_options.rewrite_options.debug_stripper": (NAMED, "assertions and checks stay in the graph", _on),
    "graph_options.rewrite_options.disable_model_pruning": (SILENT, "what a step does not need is not run, as without it"),
    "graph_options.rewrite_options.scoped_allocator_optimization": (NAMED, _NO_SUCH_REWRITE, _on),
    "graph_options.rewrite_options.pin_to_host_optimization": (NAMED, _NO_SUCH_REWRITE, _on),
    "graph_options.rewrite_options.implementation_selector": (NAMED, _NO_SUCH_REWRITE, _on),
    "graph_options.rewrite_options.auto_mixed_precision": (ACTS, "operands of matrix products and convolutions are rounded to bfloat16; values keep "
                                                           "the types that the graph gives them"),
    "graph_options.rewrite_options.disable_meta_optimizer": (ACTS, ""),
    "graph_options.rewrite_options.meta_optimizer_iterations": (SILENT, "how often TensorFlow repeats its rewrites; the engine's come to an end by themselves"),
    "graph_options.rewrite_options.min_graph_nodes": (SILENT, "asks for speed only: graphs below this size are rewritten all the same"),
    "graph_options.rewrite_options.memory_optimization": (NAMED, "tensors are not swapped out and steps not rescheduled; NO_MEM_OPT, MANUAL, HEURISTICS and "
                                                          "RECOMPUTATION_HEURISTICS choose what is computed again", lambda value: value in (4, 6)),
    "graph_options.rewrite_options.memory_optimizer_target_node_name_scope": (NAMED, "the second half of a step is found by what waits for it, not by names"),
    "graph_options.rewrite_options.meta_optimizer_timeout_ms": (SILENT, "asks for speed only"),
    "graph_options.rewrite_options.auto_parallel": (NAMED, "a graph is not replicated by itself"),
    "graph_options.rewrite_options.fail_on_optimizer_errors": (SILENT, "an error in a rewrite is an error of the run in any case"),
    "graph_options.rewrite_options.scoped_allocator_opts": (NAMED, _NO_SUCH_REWRITE),
    "graph_options.rewrite_options.optimizers": (ACTS, "rewrites that the list does not name are off"),
    "graph_options.rewrite_options.custom_optimizers": (NAMED, _NO_SUCH_REWRITE),
    "graph_options.rewrite_options.inter_optimizer_verifier_config": (NAMED, "every plan is checked in any case; the strictness cannot be chosen"),
    "graph_options.rewrite_options.post_optimization_verifier_config": (NAMED, "every plan is checked in any case; the strictness cannot be chosen"),
    "operation_timeout_in_ms": (ACTS, ""),
    "rpc_options": (SILENT, _SERVER),
    "cluster_def": (NAMED, _NO_PROPAGATION),
    "isolate_session_state": (ACTS, ""),
    "experimental.collective_group_leader": (NAMED, _COLLECTIVES),
    "experimental.executor_type": (ACTS, "a name that TensorFlow does not have is an error; its executors run the same nodes in the same order here"),
    "experimental.recv_buf_max_chunk": (SILENT, _SERVER),
    "experimental.use_numa_affinity": (NAMED, "threads are not bound to processors"),
    "experimental.collective_deterministic_sequential_execution": (SILENT, "ops run in a fixed order in any case"),
    "experimental.collective_nccl": (NAMED, _COLLECTIVES),
    "experimental.share_session_state_in_clusterspec_propagation": (SILENT, _NO_PROPAGATION),
    "experimental.disable_thread_spinning": (SILENT, "no thread spins"),
    "experimental.share_cluster_devices_in_session": (SILENT, _NO_PROPAGATION),
    "experimental.session_metadata": (ACTS, "a negative version is an error; there are no logs that would show the name"),
    "experimental.optimize_for_static_graph": (NAMED, "graphs may grow; plans are kept as long as they fit"),
}

RUN = {
    "trace_level": (ACTS, ""),
    "timeout_in_ms": (ACTS, ""),
    "inter_op_thread_pool": (ACTS, "a pool that the session does not have is an error; " + _IN_TURN),
    "output_partition_graphs": (ACTS, ""),
    "debug_options": (ACTS, "tensors of the nodes that the program made are dumped into folders (file://)"),
    "debug_options.reset_disk_byte_usage": (SILENT, "what dumps may take of the disk is not limited"),
    "report_tensor_allocations_upon_oom": (NAMED, "an error that memory was short names the largest tensors in any case"),
    "experimental.collective_graph_key": (NAMED, _COLLECTIVES),
    "experimental.use_run_handler_pool": (NAMED, _IN_TURN),
}

# TensorFlow's rewrites, with their names in RewriterConfig.optimizers, and the engine's passes that do the same.
_PASSES = {
    "constant_folding": ("constfold", ("constant_folding",)),
    "remapping": ("remap", ("convolution_fusion", "pool_gradient_fusion")),
    "arithmetic_optimization": ("arithmetic", ("product_slicing", "product_sums", "elementwise_fusion")),
    "dependency_optimization": ("dependency", ("control_simplification", "identity_removal", "unread_removal")),
    "loop_optimization": ("loop", ("native_loops",)),
}
_OFF = 2
# RewriterConfig.memory_optimization: what the engine computes again instead of keeping it. By default what a memory limit asks for.
_RECOMPUTATION = {1: "never", 2: "hinted", 3: "cheap", 5: "cheap"}


def entry(table, path):
    """The entry of `table` for a field or for a message that contains it; None if there is none."""
    while path:
        if path in table:
            return table[path]
        path = path.rpartition(".")[0]
    return None


def _walk(message, table, name, prefix=""):
    for field, value in message.ListFields():
        path = prefix + field.name
        rule = table.get(path)
        if rule is None:
            _walk(value, table, name, path + ".")
        elif rule[0] == NAMED and (len(rule) < 3 or rule[2](value)):
            no_effect("%s.%s" % (name, path), rule[1])


def _rewrites_off(graph_options):
    rewrites, classic = graph_options.rewrite_options, graph_options.optimizer_options
    if rewrites.disable_meta_optimizer:
        return ["all"]
    off = set()
    for field, (name, passes) in _PASSES.items():
        listed = name in rewrites.optimizers or field in rewrites.optimizers
        if getattr(rewrites, field) == _OFF or (rewrites.optimizers and not listed):
            off.update(passes)
    if classic.opt_level == protos.OptimizerOptions.L0 and not classic.do_constant_folding:
        off.add("constant_folding")
    return sorted(off)


def _visible_gpus(text, most):
    """The number of GPUs that visible_device_list selects, after numbering them in its order."""
    from . import _weft

    have = _gpus()
    if not have:
        return most
    wanted = []
    for word in text.split(","):
        try:
            wanted.append(int(word))
        except ValueError:
            raise errors.InvalidArgumentError(None, None, "Could not parse entry in 'visible_device_list': '%s'. visible_device_list = %s" % (word, text))
    _weft.choose_gpus(wanted)
    return len(wanted) if most is None else min(most, len(wanted))


def _limit_gpu_memory(fraction):
    from . import _weft

    if not _gpus():
        return
    if not 0 < fraction <= 1:
        raise errors.UnimplementedError(None, None, "GPUOptions.per_process_gpu_memory_fraction is %g, expected a share above 0 and at most 1: GPU memory "
                                        "that is larger than the GPU's (unified memory) is not there." % fraction)
    if not _weft.limit_gpu_memory(fraction):
        no_effect("ConfigProto.gpu_options.per_process_gpu_memory_fraction", "an earlier session of this process chose another share")


def session_options(config):
    """A ConfigProto as options of the engine. Raises TensorFlow's errors."""
    out = {}
    if config is None:
        return out
    _walk(config, CONFIG, "ConfigProto")
    if config.intra_op_parallelism_threads < 0:
        raise errors.InvalidArgumentError(None, None, "ConfigProto.intra_op_parallelism_threads must be at least 0, but is %d" % config.intra_op_parallelism_threads)
    if config.experimental.executor_type not in ("", "DEFAULT", "SINGLE_THREADED_EXECUTOR"):
        raise errors.NotFoundError(None, None, "No executor factory registered for the given executor type: %s Registered factories are "
                                   "{SINGLE_THREADED_EXECUTOR, , DEFAULT}." % config.experimental.executor_type)
    if config.experimental.session_metadata.version < 0:
        raise errors.InvalidArgumentError(None, None, "Session version shouldn't be negative: %s" % config.experimental.session_metadata)
    count = dict(config.device_count)
    if count.get("CPU", 1) < 1:
        raise errors.NotFoundError(None, None, "No CPU devices are available in this process")
    if config.gpu_options.visible_device_list:
        gpus = _visible_gpus(config.gpu_options.visible_device_list, count.get("GPU"))
        if gpus is not None:
            count["GPU"] = gpus
    if config.gpu_options.per_process_gpu_memory_fraction:
        _limit_gpu_memory(config.gpu_options.per_process_gpu_memory_fraction)
    if config.intra_op_parallelism_threads:
        out["threads"] = config.intra_op_parallelism_threads
    if config.operation_timeout_in_ms > 0:
        out["timeout_ms"] = config.operation_timeout_in_ms
    if count:
        out["device_count"] = count
    off = _rewrites_off(config.graph_options)
    if off:
        out["disabled_passes"] = off
    rewrites = config.graph_options.rewrite_options
    mixed = "auto_mixed_precision" in rewrites.optimizers if rewrites.optimizers else _on(rewrites.auto_mixed_precision)
    if mixed and not rewrites.disable_meta_optimizer:
        out["precision"] = "bf16"
    memory = _RECOMPUTATION.get(rewrites.memory_optimization)
    if rewrites.optimizers:  # TensorFlow then runs what they name, and the one of this name with MANUAL
        memory = "hinted" if "memory" in rewrites.optimizers else None
    if memory:
        out["recomputation"] = memory
    out["soft_placement"] = config.allow_soft_placement
    out["log_placement"] = config.log_device_placement
    out["place_pruned"] = config.graph_options.place_pruned_graph
    return out


def check_run_options(options, config):
    """Checks and warnings before a run with these options."""
    _walk(options, RUN, "RunOptions")
    pools = max(1, len(config.session_inter_op_thread_pool)) if config is not None else 1
    if not -1 <= options.inter_op_thread_pool < pools:
        raise errors.InvalidArgumentError(None, None, "Invalid inter_op_thread_pool: %d" % options.inter_op_thread_pool)
