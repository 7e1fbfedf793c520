"""tf.profiler.ProfileOptionBuilder: the data that a profile counts, shows and writes."""

import copy

from ..exports import export

_LISTS = {"account_type_regexes": [".*"], "start_name_regexes": [".*"], "trim_name_regexes": [], "show_name_regexes": [".*"], "hide_name_regexes": []}
_NUMBERS = ("min_bytes", "min_micros", "min_params", "min_float_ops", "min_occurrence")


def _options(depth=10000, order="name", accounted=None, displayed_only=True, select=(), **more):
    options = {"max_depth": depth, "order_by": order, "account_displayed_op_only": displayed_only, "select": list(select), "step": -1, "output": "stdout"}
    options.update({name: 0 for name in _NUMBERS})
    options.update({name: list(value) for name, value in _LISTS.items()})
    if accounted:
        options["account_type_regexes"] = accounted
    options.update(more)
    return options


@export("profiler.ProfileOptionBuilder")
class ProfileOptionBuilder:
    """Builds the dict of options step by step."""

    def __init__(self, options=None):
        self._options = copy.deepcopy(options) if options is not None else _options(100, displayed_only=False, select=["micros"])

    @staticmethod
    def trainable_variables_parameter():
        """Counts the elements of trainable variables."""
        return _options(accounted=["_trainable_variables"], select=["params"])

    @staticmethod
    def float_operation():
        """Counts floating point operations."""
        return _options(order="float_ops", select=["float_ops"], min_float_ops=1)

    @staticmethod
    def time_and_memory(min_micros=1, min_bytes=1, min_accelerator_micros=0, min_cpu_micros=0, min_peak_bytes=0, min_residual_bytes=0,
                        min_output_bytes=0):
        """Times and memory of a traced run."""
        return _options(order="micros", select=["micros", "bytes"], min_micros=min_micros, min_bytes=min_bytes,
                        min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros, min_peak_bytes=min_peak_bytes,
                        min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes)

    def build(self):
        return copy.deepcopy(self._options)

    def _with(self, **values):
        self._options.update(copy.deepcopy(values))
        return self

    def with_max_depth(self, max_depth):
        return self._with(max_depth=max_depth)

    def with_min_memory(self, min_bytes=0, min_peak_bytes=0, min_residual_bytes=0, min_output_bytes=0):
        return self._with(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes)

    def with_min_execution_time(self, min_micros=0, min_accelerator_micros=0, min_cpu_micros=0):
        return self._with(min_micros=min_micros, min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros)

    def with_min_parameters(self, min_params):
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence):
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops):
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes):
        return self._with(account_type_regexes=account_type_regexes)

    def with_node_names(self, start_name_regexes=None, show_name_regexes=None, hide_name_regexes=None, trim_name_regexes=None):
        given = {"start_name_regexes": start_name_regexes, "show_name_regexes": show_name_regexes, "hide_name_regexes": hide_name_regexes,
                 "trim_name_regexes": trim_name_regexes}
        return self._with(**{k: v for k, v in given.items() if v is not None})

    def account_displayed_op_only(self, is_true):
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self):
        return self._with(output="none")

    def with_stdout_output(self):
        return self._with(output="stdout")

    def with_file_output(self, outfile):
        return self._with(output="file:outfile=%s" % outfile)

    def with_timeline_output(self, timeline_file):
        return self._with(output="timeline:outfile=%s" % timeline_file)

    def with_pprof_output(self, pprof_file):
        return self._with(output="pprof:outfile=%s" % pprof_file)

    def order_by(self, attribute):
        return self._with(order_by=attribute)

    def select(self, attributes):
        return self._with(select=attributes)

    def with_step(self, step):
        return self._with(step=step)
