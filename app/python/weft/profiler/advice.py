"""tf.profiler.advise: checks of traced runs."""

from .. import protos, settings
from . import report, views

CHECKERS = ("ExpensiveOperationChecker", "AcceleratorUtilizationChecker", "JobChecker", "OperationChecker")


def reports(nodes, wanted):
    """An AdviceProto with the reports of the checkers in `wanted`, a dict of name -> options."""
    for name, options in wanted.items():
        if name not in CHECKERS:
            settings.no_effect("advice checker %s" % name, "there is no such checker; there are %s" % ", ".join(CHECKERS))
        for option in options or {}:
            settings.no_effect("option %s of the advice checker %s" % (option, name), "checkers have no options")
    if wanted.get("JobChecker"):
        settings.no_effect("advice checker JobChecker", "it looks at jobs of a cluster, and there is none")
    advice = protos.AdviceProto()
    executed = [(n, n.execution(-1)) for n in nodes.values() if n.steps]
    for name, check in (("AcceleratorUtilizationChecker", _utilization), ("ExpensiveOperationChecker", _expensive), ("OperationChecker", _formats)):
        if name in wanted:
            advice.checkers[name].reports.extend(check(nodes, executed))
    return advice


def _utilization(nodes, executed):
    spans = {}
    for _, e in executed:
        for device, start, end in e.spans:
            if "gpu" in device.lower() and "stream" not in device:
                spans.setdefault(device, []).append((start, end))
    found = []
    for device, times in spans.items():
        whole = max(e for _, e in times) - min(s for s, _ in times)
        busy = sum(e - s for s, e in times)
        if whole and busy < 0.5 * whole:
            found.append("device: %s low utilization: %.2f" % (device, busy / whole))
    return found


def _times(cpu, accelerator):
    return "cpu: %s, accelerator: %s, total: %s" % tuple(report.number(n, "us") for n in (cpu, accelerator, cpu + accelerator))


def _expensive(nodes, executed):
    """The op types, scopes and lines that take most of the time."""
    total = sum(e.micros for _, e in executed)
    if not total:
        return []
    kinds = {}
    for node, e in executed:
        cpu, accelerator = kinds.get(node.op.type, (0, 0))
        kinds[node.op.type] = (cpu + e.cpu, accelerator + e.accelerator)
    best = sorted(kinds.items(), key=lambda k: -sum(k[1]))[:3]
    found = ["\n".join("top %d operation type: %s, %s (%.2f%%)" % (i + 1, kind, _times(c, a), 100.0 * (c + a) / total)
                       for i, (kind, (c, a)) in enumerate(best))]
    options = {"max_depth": 100, "order_by": "micros", "min_micros": 1}
    view = views.View(options)
    scopes = view.tree(views.scope_rows(nodes, -1, view)).children
    if scopes:
        top = scopes[0]
        found.append("top 1 graph node: %s, %s" % (top.name, _times(top.total["cpu_exec_micros"], top.total["accelerator_exec_micros"])))
    view = views.View(options)
    lines, rows = [], view.tree(views.code_rows(nodes, -1, view)).children
    while rows and len(lines) < 2:
        lines.append("%s%s, %s" % ("  " * len(lines), rows[0].name, _times(rows[0].total["cpu_exec_micros"], rows[0].total["accelerator_exec_micros"])))
        rows = rows[0].children
    return found + (["\n".join(lines)] if lines else [])


def _formats(nodes, executed):
    for node, e in executed:
        if e.accelerator and node.op.type.startswith("Conv") and node.op.node_def.attr["data_format"].s == b"NHWC":
            return ["%s: Found operation using NHWC data_format on GPU. Maybe NCHW is faster." % node.name]
    return []
