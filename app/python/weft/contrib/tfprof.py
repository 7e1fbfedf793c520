"""tf.contrib.tfprof.model_analyzer: the option sets and functions that preceded tf.profiler."""

from ..exports import export, export_value
from ..profiler.options import _options
from ..profiler import profiler

_MODULE = "contrib.tfprof.model_analyzer."


def _set(**given):
    options = {k: v for k, v in _options(**given).items() if k not in ("step", "min_occurrence")}
    return dict(options, dump_to_file="")


for _name, _value in (("TRAINABLE_VARS_PARAMS_STAT_OPTIONS", _set(accounted=["_trainable_variables"], select=["params"])),
                      ("FLOAT_OPS_OPTIONS", _set(order="float_ops", select=["float_ops"], min_float_ops=1)),
                      ("PRINT_ALL_TIMING_MEMORY", _set(select=["micros", "bytes"], min_micros=1, min_bytes=1))):
    export_value(_value, _MODULE + _name)
export_value(profiler.Profiler, _MODULE + "Profiler")


def _given(options):
    """The options; 0 stands for the defaults."""
    return {} if isinstance(options, int) and options == 0 else {"options": options}


@export(_MODULE + "print_model_analysis")
def print_model_analysis(graph, run_meta=None, op_log=None, tfprof_cmd="scope", tfprof_options=0):
    """The old name of tf.profiler.profile()."""
    return profiler.profile(graph, run_meta, op_log, tfprof_cmd, **_given(tfprof_options))


@export(_MODULE + "advise")
def advise(graph, run_meta=None, tfprof_options=0):
    """As tf.profiler.advise()."""
    return profiler.advise(graph, run_meta, **_given(tfprof_options))


@export("contrib.tfprof.tfprof_logger.write_op_log")
def write_op_log(graph, log_dir, op_log=None, run_meta=None, add_trace=True):
    """As tf.profiler.write_op_log()."""
    profiler.write_op_log(graph, log_dir, op_log, run_meta, add_trace)
