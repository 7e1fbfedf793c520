"""tensorflow.python.debug.lib.profiling: times of nodes, with the program's lines that made them."""

import os


class ProfileDatum:
    """The times of one execution of a node, and where the program made it. Times are in microseconds."""

    def __init__(self, device_name, node_exec_stats, file_path, line_number, func_name, op_type):
        self.device_name, self.node_exec_stats = device_name, node_exec_stats
        self.file_path, self.line_number, self.func_name, self.op_type = file_path, line_number, func_name, op_type
        self.file_line_func = "%s:%d(%s)" % (os.path.basename(file_path), line_number, func_name) if file_path else ""
        self.start_time = node_exec_stats.all_start_micros
        self.op_time = node_exec_stats.op_end_rel_micros - node_exec_stats.op_start_rel_micros

    @property
    def exec_time(self):
        """With what came before and after the op itself."""
        return self.node_exec_stats.all_end_rel_micros


class AggregateProfile:
    """Sums over several of these."""

    def __init__(self, profile_datum):
        self.total_op_time = self.total_exec_time = 0
        self._counts = {}
        self.add(profile_datum)

    def add(self, profile_datum):
        self.total_op_time += profile_datum.op_time
        self.total_exec_time += profile_datum.exec_time
        node = (profile_datum.device_name, profile_datum.node_exec_stats.node_name)
        self._counts[node] = self._counts.get(node, 0) + 1

    @property
    def node_count(self):
        return len(self._counts)

    @property
    def node_exec_count(self):
        return sum(self._counts.values())
