"""A frozen graph on ONNX Runtime: the model that Weft wrote, or FILE itself if it is an .onnx."""
import runner

(ort,) = runner.need("onnxruntime")


def prepare(job):
    options = ort.SessionOptions()
    options.intra_op_num_threads = job.threads
    session = ort.InferenceSession(job.graph, options, providers=["CPUExecutionProvider"])
    keys = job.fields.get("keys")
    inputs = [keys[name] if keys else "input%d" % i for i, name in enumerate(job.feeds)]
    outputs = [keys[name] if keys else "output%d" % i for i, name in enumerate(job.fetches)]
    there = {i.name for i in session.get_inputs()}
    feeds = {name: value for name, value in zip(inputs, job.feeds.values()) if name in there}
    return (lambda: session.run(outputs, feeds),) * 2


runner.serve("onnxruntime " + ort.__version__, prepare)
