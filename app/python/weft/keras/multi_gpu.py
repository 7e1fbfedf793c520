"""tf.keras.utils.multi_gpu_model: each batch is shared out among copies of a model on several GPUs."""

import collections

from .. import basics, engine, ops
from ..exports import export
from .cloning import clone_model
from .lambda_layer import Lambda
from .merging import concatenate
from .models import Model


def _get_available_devices():
    """Names of the devices of this process, such as /device:CPU:0."""
    from ..device_lib import list_local_devices

    return [d.name for d in list_local_devices()]


def _normalize_device_name(name):
    return "/" + ":".join(name.lower().replace("device:", "").split(":")[-2:]).lstrip("/")


def _slice(data, i, parts):
    """Part `i` of a batch; the last one has what is left over."""
    shape = basics.shape(data)
    batch, rest = shape[:1], shape[1:]
    step = batch // parts
    size = batch - step * i if i == parts - 1 else step
    return engine.slice(data, engine.concat([step, rest * 0], axis=0) * i, engine.concat([size, rest], axis=0))


def _unique(names):
    """Names with a number behind each that occurs more than once."""
    occurrences, counts, made = collections.Counter(names), collections.Counter(), []
    for name in names:
        counts[name] += 1
        made.append("%s_%d" % (name, counts[name]) if occurrences[name] > 1 else name)
    return made


@export("keras.utils.multi_gpu_model")
def multi_gpu_model(model, gpus, cpu_merge=True, cpu_relocation=False):
    """A model whose copies on `gpus`, a number of GPUs or a list of their numbers, each take a part of the batch. ValueError if this machine lacks one of them."""
    ids = list(gpus) if isinstance(gpus, (list, tuple)) else list(range(gpus))
    if len(ids) <= 1:
        raise ValueError("For multi-gpu usage to be effective, call `multi_gpu_model` with `%s >= 2`. Received: `gpus=%s`" % ("len(gpus)" if isinstance(gpus, (list, tuple)) else "gpus", gpus))
    wanted = ["/cpu:0"] + ["/gpu:%d" % i for i in ids]
    available = [_normalize_device_name(name) for name in _get_available_devices()]
    if any(device not in available for device in wanted):
        raise ValueError("To call `multi_gpu_model` with `gpus=%s`, we expect the following devices to be available: %s. However this machine only has: %s. Try reducing `gpus`."
                         % (gpus, wanted, available))
    if cpu_relocation:
        with ops.device("/cpu:0"):
            model = clone_model(model)
    parts = [[] for _ in model.outputs]
    for i, gpu in enumerate(ids):
        with ops.device("/gpu:%d" % gpu), ops.name_scope("replica_%d" % gpu):
            inputs = [Lambda(_slice, output_shape=tuple(x.shape.as_list())[1:], arguments={"i": i, "parts": len(ids)})(x) for x in model.inputs]
            outputs = model(inputs)
            for part, output in zip(parts, outputs if isinstance(outputs, list) else [outputs]):
                part.append(output)
    with ops.device("/cpu:0" if cpu_merge else "/gpu:%d" % ids[0]):
        merged = [concatenate(part, axis=0, name=name) for name, part in zip(_unique(model.output_names), parts)]
    return Model(model.inputs, merged)
