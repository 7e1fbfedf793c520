"""tensorflow.python.debug.lib.debug_utils: watches in RunOptions, which make a run dump tensors."""

import re


def _listed(value):
    return [value] if isinstance(value, str) else list(value or ())


def add_debug_tensor_watch(run_options, node_name, output_slot=0, debug_ops="DebugIdentity", debug_urls=None, tolerate_debug_op_creation_failures=False, global_step=-1):
    """Adds a watch on one tensor: debug ops such as "DebugIdentity" or "DebugNumericSummary(mute_if_healthy=true; upper_bound=9)", and folders "file:///PATH"."""
    options = run_options.debug_options
    options.global_step = global_step
    watch = options.debug_tensor_watch_opts.add()
    watch.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures
    watch.node_name, watch.output_slot = node_name, output_slot
    watch.debug_ops.extend(_listed(debug_ops))
    watch.debug_urls.extend(_listed(debug_urls))


def _watch(run_options, graph, chosen, **watch):
    for op in graph.get_operations():
        for slot, tensor in enumerate(op.outputs):
            if chosen(op.name, op.type, tensor.dtype.name):
                add_debug_tensor_watch(run_options, op.name, slot, **watch)


def _patterns(*texts):
    return [re.compile(text) if text else None for text in texts]


def watch_graph(run_options, graph, debug_ops="DebugIdentity", debug_urls=None, node_name_regex_whitelist=None, op_type_regex_whitelist=None, tensor_dtype_regex_whitelist=None,
                tolerate_debug_op_creation_failures=False, global_step=-1, reset_disk_byte_usage=False):
    """Watches the tensors of a graph that match all the given patterns from their start; without patterns also the nodes that a run adds (node "*")."""
    if not debug_ops:
        raise ValueError("debug_ops must not be empty or None.")
    if not debug_urls:
        raise ValueError("debug_urls must not be empty or None.")
    watch = dict(debug_ops=debug_ops, debug_urls=debug_urls, tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures, global_step=global_step)
    patterns = _patterns(node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist)
    _watch(run_options, graph, lambda *facts: all(p is None or p.match(fact) for p, fact in zip(patterns, facts)), **watch)
    if not any(patterns):
        add_debug_tensor_watch(run_options, "*", -1, **watch)
    run_options.debug_options.reset_disk_byte_usage = reset_disk_byte_usage


def watch_graph_with_blacklists(run_options, graph, debug_ops="DebugIdentity", debug_urls=None, node_name_regex_blacklist=None, op_type_regex_blacklist=None,
                                tensor_dtype_regex_blacklist=None, tolerate_debug_op_creation_failures=False, global_step=-1, reset_disk_byte_usage=False):
    """Watches the tensors of a graph that match none of the given patterns from their start."""
    patterns = _patterns(node_name_regex_blacklist, op_type_regex_blacklist, tensor_dtype_regex_blacklist)
    _watch(run_options, graph, lambda *facts: not any(p is not None and p.match(fact) for p, fact in zip(patterns, facts)), debug_ops=debug_ops, debug_urls=debug_urls,
           tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures, global_step=global_step)
    run_options.debug_options.reset_disk_byte_usage = reset_disk_byte_usage
