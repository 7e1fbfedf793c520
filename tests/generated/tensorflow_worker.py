"""Runs generated graphs in TensorFlow 1.15, one after another. Started by `weft-generated --tensorflow PYTHON`, which uses its standard input and output.

A message is a length (4 bytes, little-endian) and a body. Request: the GraphDef, then the steps, each with feeds, fetches and targets. Answer: code and
message of the import, then code, message and values of each step, up to the first step that failed. Strings and lists are preceded by their length (4 bytes).
A tensor is dtype, rank, dims (8 bytes each), and its bytes or strings. A length of 2^32 - 1 without a body means that TensorFlow crashed on the request.
"""
import ctypes
import os
import signal
import struct

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
channel = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # output of printing ops must not mix with the answers

import warnings

warnings.filterwarnings("ignore")
import numpy as np
import tensorflow as tf
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import config_pb2
from tensorflow.python import pywrap_tensorflow as c_api
from tensorflow.python.framework import c_api_util, errors

STRING = 7
GRAPHS_OF_ONE_PROCESS = 5000
DIED = struct.pack("<I", 0xFFFFFFFF)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        value = struct.unpack_from("<" + form, self.data, self.at)[0]
        self.at += struct.calcsize("<" + form)
        return value

    def bytes(self):
        n = self.take("I")
        self.at += n
        return self.data[self.at - n:self.at]

    def text(self):
        return self.bytes().decode()

    def tensor(self):
        dtype = tf.as_dtype(self.take("i"))
        shape = [self.take("q") for _ in range(self.take("I"))]
        if dtype == tf.string:
            flat = [self.bytes() for _ in range(int(np.prod(shape, dtype=np.int64)))]
            out = np.empty(len(flat), dtype=object)
            out[:] = flat
            return out.reshape(shape)
        return np.frombuffer(self.bytes(), dtype=dtype.as_numpy_dtype).reshape(shape)


def text(value):
    data = value.encode("utf-8", "replace") if isinstance(value, str) else value
    return struct.pack("<I", len(data)) + data


def tensor(value, dtype):
    value = np.asarray(value, dtype=object if dtype == STRING else None)  # NumPy's string types drop trailing NULs
    head = struct.pack("<iI", dtype, value.ndim) + b"".join(struct.pack("<q", n) for n in value.shape)
    if dtype == STRING:
        return head + b"".join(text(v if isinstance(v, bytes) else str(v).encode()) for v in value.reshape(-1))
    return head + text(np.ascontiguousarray(value).tobytes())


def failure(error):
    code = error.error_code if isinstance(error, errors.OpError) else 2
    return struct.pack("<i", code) + text(str(error)[:600])


def output_of(graph, name):
    node, _, index = name.rpartition(":")
    operation = c_api.TF_GraphOperationByName(graph, node)
    if operation is None:
        raise errors.NotFoundError(None, None, "no node " + node)
    return c_api_util.tf_output(operation, int(index))


def config():
    options = config_pb2.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1, use_per_session_threads=False, operation_timeout_in_ms=20000)
    options.graph_options.optimizer_options.opt_level = config_pb2.OptimizerOptions.L0
    options.graph_options.rewrite_options.disable_meta_optimizer = True
    return options


CONFIG = config()


def on_cpu(definition):
    """Places every node on the CPU; nodes without a CPU kernel would otherwise run on XLA_CPU, which is a different engine."""
    graph = graph_pb2.GraphDef.FromString(definition)
    for nodes in [graph.node] + [f.node_def for f in graph.library.function]:
        for node in nodes:
            node.device = "/device:CPU:0"
            node.attr.pop("_class", None)  # may name nodes that a shrunken case lacks
    return graph.SerializeToString()


def answer(request):
    r = Reader(request)
    definition = on_cpu(r.bytes())
    graph = tf.Graph()
    handle = graph._c_graph
    try:
        options = c_api.TF_NewImportGraphDefOptions()
        with c_api_util.tf_buffer(definition) as serialized:
            c_api.TF_GraphImportGraphDefWithResults(handle, serialized, options)
    except Exception as error:
        return failure(error) + struct.pack("<I", 0)
    out = [struct.pack("<i", 0) + text("")]
    steps = []
    count = r.take("I")
    with tf.compat.v1.Session(graph=graph, config=CONFIG) as session:
        for _ in range(count):
            feeds = [(r.text(), r.tensor()) for _ in range(r.take("I"))]
            fetches = [r.text() for _ in range(r.take("I"))]
            targets = [r.text() for _ in range(r.take("I"))]
            try:
                outputs = [output_of(handle, f) for f in fetches]
                operations = [c_api.TF_GraphOperationByName(handle, t) for t in targets]
                fed = {output_of(handle, name): value for name, value in feeds}
                values = c_api.TF_SessionRun_wrapper(session._session, None, fed, outputs, operations, None)
                types = [int(c_api.TF_OperationOutputType(o)) % 100 for o in outputs]
                steps.append(struct.pack("<i", 0) + text("") + struct.pack("<I", len(values)) + b"".join(tensor(v, t) for v, t in zip(values, types)))
            except Exception as error:
                steps.append(failure(error) + struct.pack("<I", 0))
                break
    out.append(struct.pack("<I", len(steps)))
    return b"".join(out + steps)


def read(size):
    """Reads exactly `n` bytes and no more, because the next process continues at that position. None at the end of the input."""
    parts = []
    while size > 0:
        part = os.read(0, size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def serve():
    """Answers requests until the channel ends or the process has served its share: TensorFlow leaks memory with every graph."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    for _ in range(GRAPHS_OF_ONE_PROCESS):
        head = read(4)
        request = read(struct.unpack("<I", head)[0]) if head else None
        if request is None:
            return 1
        reply = answer(request)
        channel.write(struct.pack("<I", len(reply)) + reply)
        channel.flush()
    return 0


def main():
    """Serves requests in forked processes: a graph may kill TensorFlow, and importing it takes seconds. This process only imports it and runs nothing."""
    while True:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = serve()
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 1:
            return
        if status != 0:
            channel.write(DIED)
            channel.flush()


main()
