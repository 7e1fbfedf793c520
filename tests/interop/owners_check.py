"""Run by owners.py in an owner's Python: `owners_check.py KIND PATH ARGUMENTS…` reads what Weft wrote and prints one line about it; an exception is a refusal.

Where values are compared, VALUES.npz holds what Weft says of the same file, and the line begins with the largest difference.
"""
import json
import os
import sys
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
warnings.filterwarnings("ignore")
import numpy as np


def tensorflow():
    import tensorflow
    tf = tensorflow.compat.v1
    tf.disable_eager_execution()
    tf.logging.set_verbosity(tf.logging.ERROR)
    return tf


def worst(pairs):
    """The largest difference; both sides must have the same shapes and types."""
    most = 0.0
    for name, got, want in pairs:
        got, want = np.asarray(got), np.asarray(want)
        if got.shape != want.shape or got.dtype != want.dtype:
            raise AssertionError("%s is %s %s, expected %s %s" % (name, got.dtype, got.shape, want.dtype, want.shape))
        if got.dtype.kind in "fc":
            most = max(most, float(np.abs(got - want).max()) if got.size else 0.0)
        elif not np.array_equal(got, want):
            raise AssertionError("%s differs" % name)
    return "difference %.1e" % most


def graph(path):
    tf = tensorflow()
    message = tf.GraphDef()
    if path.endswith("pbtxt"):
        from google.protobuf import text_format
        text_format.Parse(open(path).read(), message)
    else:
        message.ParseFromString(open(path, "rb").read())
    with tf.Graph().as_default() as g:
        tf.import_graph_def(message, name="")
        return "%d nodes" % len(g.get_operations())


def meta(path):
    tf = tensorflow()
    with tf.Graph().as_default() as g:
        saver = tf.train.import_meta_graph(path)
        return "%d nodes, %s" % (len(g.get_operations()), "a saver" if saver else "no saver")


def frozen(path, values):
    tf = tensorflow()
    message = tf.GraphDef.FromString(open(path, "rb").read())
    known = np.load(values)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(message, name="")
        return worst([("logits", session.run("logits/BiasAdd:0", {"images:0": known["x"]}), known["y"])])


def savedmodel(path, values):
    tf = tensorflow()
    known = np.load(values)
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], path)
        signature = loaded.signature_def["serving_default"]
        return worst([("logits", session.run(signature.outputs["logits"].name, {signature.inputs["x"].name: known["x"]}), known["y"])])


def checkpoint(path, values):
    tf = tensorflow()
    reader = tf.train.NewCheckpointReader(path)
    known = np.load(values)
    if sorted(known.files) != sorted(reader.get_variable_to_shape_map()):
        raise AssertionError("other variables: %s" % sorted(set(known.files) ^ set(reader.get_variable_to_shape_map())))
    return worst([(name, reader.get_tensor(name), known[name]) for name in known.files])


def events(path):
    from tensorboard.backend.event_processing import event_accumulator
    log = event_accumulator.EventAccumulator(path, size_guidance={"tensors": 0, "scalars": 0})
    log.Reload()
    tags = log.Tags()
    if not tags["graph"] or not tags["scalars"] + tags["tensors"]:
        raise AssertionError("no graph or no scalars: %s" % tags)
    return ", ".join("%d %s" % (len(tags[k]), k) for k in ("scalars", "histograms", "images", "tensors") if tags[k])


def records(path, count):
    tf = tensorflow()
    packed = {"gz": "GZIP", "zlib": "ZLIB"}.get(path.rsplit(".", 1)[-1], "")
    with tf.Graph().as_default(), tf.Session() as session:
        got = tf.data.make_one_shot_iterator(tf.data.TFRecordDataset(path, packed)).get_next()
        found = 0
        try:
            while True:
                tf.train.Example.FromString(session.run(got))
                found += 1
        except tf.errors.OutOfRangeError:
            pass
    if found != int(count):
        raise AssertionError("%d records, expected %s" % (found, count))
    return "%d Examples" % found


def tflite(path, values):
    import tensorflow as tf
    known = np.load(values)
    model = tf.lite.Interpreter(path)
    x, y = model.get_input_details()[0], model.get_output_details()[0]
    model.resize_tensor_input(x["index"], known["x"].shape)
    model.allocate_tensors()
    model.set_tensor(x["index"], known["x"])
    model.invoke()
    return worst([("logits", model.get_tensor(y["index"]), known["y"])])


def keras(path, values):
    known = np.load(values)
    try:
        import tensorflow as tf
    except ImportError:
        import h5py
        with h5py.File(path, "r") as file:
            layers = json.loads(file.attrs["model_config"])["config"]["layers"]
            weights = [w for layer in file["model_weights"].values() for w in layer.attrs["weight_names"]]
        return "%d layers and %d weights, opened by h5py" % (len(layers), len(weights))
    return worst([("logits", tf.keras.models.load_model(path, compile=False).predict(known["x"]), known["y"])])


def onnx(path, values):
    import onnx
    known = np.load(values)
    onnx.checker.check_model(onnx.load(path), full_check=True)
    try:
        import onnxruntime
    except ImportError:
        return "checked, not run: ONNX Runtime is not there"
    session = onnxruntime.InferenceSession(path)
    return worst([("logits", session.run(None, {session.get_inputs()[0].name: known["x"]})[0], known["y"])])


def arrays(path, values):
    got, known = np.load(path), np.load(values)
    if path.endswith(".npy"):
        return worst([("the array", got, known[known.files[0]])])
    return worst([(name, got[name], known[name]) for name in known.files])


def sound(path, values):
    import wave
    with wave.open(path) as file:
        rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())
    try:
        from scipy.io import wavfile
        rate, samples = wavfile.read(path)
    except ImportError:
        pass  # Python's own module has read it
    known = np.load(values)
    return worst([("samples", samples, known["samples"]), ("rate", np.int64(rate), known["rate"])])


def run_metadata(path):
    tf = tensorflow()
    message = tf.RunMetadata.FromString(open(path, "rb").read())
    slices = sum(len(d.node_stats) for d in message.step_stats.dev_stats)
    if not slices:
        raise AssertionError("no slices")
    from tensorflow.python.client import timeline
    json.loads(timeline.Timeline(message.step_stats).generate_chrome_trace_format())
    return "%d slices, a timeline" % slices


def chrome(path):
    """Chrome has no package: the format's own rules are checked."""
    trace = json.load(open(path))
    slices = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    if not all(e["dur"] >= 0 and {"name", "pid", "tid", "ts"} <= set(e) for e in slices):
        raise AssertionError("an event without name, process, thread, time or duration")
    return "%d slices" % len(slices)


def tfprof(path):
    from tensorflow.core.profiler import tfprof_options_pb2, tfprof_output_pb2
    try:
        from tensorflow.python import pywrap_tensorflow as native
        native.ProfilerFromFile
    except (ImportError, AttributeError):
        from tensorflow.python.util import _pywrap_tfprof as native
    native.ProfilerFromFile(path.encode())
    options = tfprof_options_pb2.OptionsProto(max_depth=10000, min_occurrence=0, order_by="name", step=-1, output="none", account_type_regexes=[".*"],
                                              start_name_regexes=[".*"], show_name_regexes=[".*"], select=["micros"])
    tree = tfprof_output_pb2.MultiGraphNodeProto.FromString(native.Profile(b"op", options.SerializeToString()))
    native.DeleteProfiler()
    if not tree.total_exec_micros:
        raise AssertionError("no times")
    return "%d us of ops" % tree.total_exec_micros


def op_log(path):
    from tensorflow.core.profiler import tfprof_log_pb2
    log = tfprof_log_pb2.OpLogProto.FromString(open(path, "rb").read())
    if not log.log_entries:
        raise AssertionError("no entries")
    return "%d entries, %d with FLOPs" % (len(log.log_entries), sum(1 for e in log.log_entries if e.float_ops))


def dump(path):
    from tensorflow.python.debug.lib import debug_data
    folder = debug_data.DebugDumpDir(path)
    if not folder.dumped_tensor_data:
        raise AssertionError("no tensors")
    for datum in folder.dumped_tensor_data:
        datum.get_tensor()
    return "%d tensors of %d nodes" % (folder.size, len(folder.nodes()))


if __name__ == "__main__":
    print(globals()[sys.argv[1]](*sys.argv[2:]))
