"""A frozen graph on OpenVINO: the GraphDef that Weft froze, or FILE itself if it is an .onnx or .tflite. In float32, as Weft computes."""
import runner

_, frontend = runner.need("openvino", "openvino.frontend")
import openvino


def _read(core, job):
    if job.fields.get("as_is"):
        return core.read_model(job.graph)
    reader = frontend.FrontEndManager().load_by_framework("tf")
    model = reader.load(job.graph)
    places = [model.get_place_by_tensor_name(name) for name in job.fetches]
    if None in places:
        raise runner.CannotCarry("OpenVINO does not find %s in the frozen graph" % job.fetches[places.index(None)])
    model.override_all_outputs(places)
    return reader.convert(model)


def _port_of(ports, names):
    return next((port for port in ports if names & port.get_names()), None)


def prepare(job):
    core = openvino.Core()
    model = _read(core, job)
    keys = job.fields.get("keys", {})
    names = [{keys.get(name, name), name, name.rsplit(":", 1)[0]} for name in job.feeds]
    shapes, feeds = {}, []
    for wanted, value in zip(names, job.feeds.values()):
        port = _port_of(model.inputs, wanted)
        if port is not None:
            shapes[port] = list(value.shape)
            feeds.append((wanted, value))
    model.reshape(shapes)
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": job.threads})
    request = compiled.create_infer_request()
    tensors = {_port_of(compiled.inputs, wanted): openvino.Tensor(value) for wanted, value in feeds}
    outputs = [_port_of(compiled.outputs, {keys.get(name, name), name}) or compiled.outputs[i] for i, name in enumerate(job.fetches)]

    def step():
        request.infer(tensors, share_inputs=True)
        return [request.get_tensor(port).data for port in outputs]

    return step, step


runner.serve("openvino " + openvino.__version__.split("-")[0], prepare, ["OpenVINO computes in float32 (INFERENCE_PRECISION_HINT)"])
