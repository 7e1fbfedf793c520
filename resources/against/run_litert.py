"""A frozen graph on LiteRT (TensorFlow Lite): the .tflite that Weft wrote, or FILE itself."""
import runner

(interpreter,) = runner.need("ai_edge_litert.interpreter")
import importlib.metadata


def _by_name(details, names):
    """Positions of the named tensors; a converter may have appended an index to a name."""
    found = {}
    for detail in details:
        found[detail["name"]] = detail["index"]
    bare = [name.rsplit(":", 1)[0] for name in names]
    if all(name in found for name in bare):
        return [found[name] for name in bare]
    if all(name in found for name in names):
        return [found[name] for name in names]
    return [detail["index"] for detail in details]


def prepare(job):
    model = interpreter.Interpreter(job.graph, num_threads=job.threads)
    keys = job.fields.get("keys", {})
    inputs = _by_name(model.get_input_details(), [keys.get(name, name) for name in job.feeds])
    for index, value in zip(inputs, job.feeds.values()):
        model.resize_tensor_input(index, value.shape)
    model.allocate_tensors()
    outputs = _by_name(model.get_output_details(), [keys.get(name, name) for name in job.fetches])

    def step():
        for index, value in zip(inputs, job.feeds.values()):
            model.set_tensor(index, value)
        model.invoke()
        return [model.get_tensor(index) for index in outputs]

    return step, step


runner.serve("litert " + importlib.metadata.version("ai-edge-litert"), prepare)
