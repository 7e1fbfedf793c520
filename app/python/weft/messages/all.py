"""Registers every message, so that protos.NAME finds it."""

from .proto import bundle_pb2, config_pb2, errors_pb2, graph_pb2, meta_graph_pb2, summary_pb2, tfprof_pb2
