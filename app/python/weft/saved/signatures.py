"""tf.saved_model: constants, and signatures of models."""

import os

from .. import dtypes, errors, ops, protos
from ..control_flow import group
from ..data.tables import tables_initializer
from ..exports import export, export_value
from ..ops import Tensor
from ..platform import gfile
from ..sparse_tensor import SparseTensor
from ..training.names import prepend_scope
from ..type_spec import CompositeTensor
from ..util import nest
from ..variables import global_variables_initializer, local_variables_initializer
from .structure_coder import StructureCoder

ASSETS_DIRECTORY, ASSETS_KEY = "assets", "saved_model_assets"
LEGACY_INIT_OP_KEY, MAIN_OP_KEY, TRAIN_OP_KEY = "legacy_init_op", "saved_model_main_op", "saved_model_train_op"
SAVED_MODEL_SCHEMA_VERSION = 1
SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT = "saved_model.pb", "saved_model.pbtxt"
VARIABLES_DIRECTORY = VARIABLES_FILENAME = "variables"
INIT_OP_SIGNATURE_KEY, TRAIN_OP_SIGNATURE_KEY = "__saved_model_init_op", "__saved_model_train_op"
for _name in ("ASSETS_DIRECTORY", "ASSETS_KEY", "LEGACY_INIT_OP_KEY", "MAIN_OP_KEY", "SAVED_MODEL_SCHEMA_VERSION", "SAVED_MODEL_FILENAME_PB",
              "SAVED_MODEL_FILENAME_PBTXT", "VARIABLES_DIRECTORY", "VARIABLES_FILENAME"):
    export_value(globals()[_name], "saved_model." + _name, "saved_model.constants." + _name)

_TAGS = {"SERVING": "serve", "TRAINING": "train", "EVAL": "eval", "GPU": "gpu", "TPU": "tpu"}
_SIGNATURES = {
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY": "serving_default", "CLASSIFY_INPUTS": "inputs", "CLASSIFY_METHOD_NAME": "tensorflow/serving/classify",
    "CLASSIFY_OUTPUT_CLASSES": "classes", "CLASSIFY_OUTPUT_SCORES": "scores", "PREDICT_INPUTS": "inputs",
    "PREDICT_METHOD_NAME": "tensorflow/serving/predict", "PREDICT_OUTPUTS": "outputs", "REGRESS_INPUTS": "inputs",
    "REGRESS_METHOD_NAME": "tensorflow/serving/regress", "REGRESS_OUTPUTS": "outputs"}
for _name, _value in _TAGS.items():
    export_value(_value, "saved_model.tag_constants." + _name, "saved_model." + _name)
for _name, _value in _SIGNATURES.items():
    export_value(_value, "saved_model.signature_constants." + _name, "saved_model." + _name)
del _name, _value
# Without public names.
EXTRA_ASSETS_DIRECTORY, SAVED_MODEL_FILENAME_JSON, EVAL = "assets.extra", "saved_model.json", _TAGS["EVAL"]
DEFAULT_TRAIN_SIGNATURE_DEF_KEY, DEFAULT_EVAL_SIGNATURE_DEF_KEY = "train", "eval"
SUPERVISED_TRAIN_METHOD_NAME, SUPERVISED_EVAL_METHOD_NAME = "tensorflow/supervised/training", "tensorflow/supervised/eval"

_FLOAT, _STRING = 1, 7


@export("saved_model.build_tensor_info", "saved_model.utils.build_tensor_info")
def build_tensor_info(tensor):
    """The name, type and shape of a tensor; of a sparse or ragged tensor those of its parts."""
    if ops.executing_eagerly():
        raise RuntimeError("build_tensor_info is not supported in Eager mode.")
    return build_tensor_info_internal(tensor)


def build_tensor_info_internal(tensor):
    if isinstance(tensor, CompositeTensor) and not isinstance(tensor, SparseTensor):
        info = protos.TensorInfo()
        info.composite_tensor.type_spec.CopyFrom(StructureCoder().encode_structure(tensor._type_spec).type_spec_value)
        for part in nest.flatten(tensor, expand_composites=True):
            info.composite_tensor.components.add().CopyFrom(build_tensor_info_internal(part))
        return info
    info = protos.TensorInfo(dtype=dtypes.as_dtype(tensor.dtype).as_datatype_enum, tensor_shape=tensor.get_shape().as_proto())
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


@export("saved_model.get_tensor_from_tensor_info", "saved_model.utils.get_tensor_from_tensor_info")
def get_tensor_from_tensor_info(tensor_info, graph=None, import_scope=None):
    """The tensor of a graph that a TensorInfo describes."""
    graph = graph or ops.get_default_graph()

    def tensor(name):
        return graph.get_tensor_by_name(prepend_scope(name, import_scope))

    kind = tensor_info.WhichOneof("encoding")
    if kind == "name":
        return tensor(tensor_info.name)
    if kind == "coo_sparse":
        s = tensor_info.coo_sparse
        return SparseTensor(tensor(s.indices_tensor_name), tensor(s.values_tensor_name), tensor(s.dense_shape_tensor_name))
    if kind == "composite_tensor":
        spec = StructureCoder().decode_proto(protos.StructuredValue(type_spec_value=tensor_info.composite_tensor.type_spec))
        return spec._from_components([tensor(part.name) for part in tensor_info.composite_tensor.components])
    raise ValueError("Invalid TensorInfo.encoding: %s" % kind)


@export("saved_model.build_signature_def", "saved_model.signature_def_utils.build_signature_def")
def build_signature_def(inputs=None, outputs=None, method_name=None):
    """A signature of TensorInfos by name."""
    signature = protos.SignatureDef()
    for target, given in ((signature.inputs, inputs), (signature.outputs, outputs)):
        for key in given or ():
            target[key].CopyFrom(given[key])
    if method_name is not None:
        signature.method_name = method_name
    return signature


@export("saved_model.predict_signature_def", "saved_model.signature_def_utils.predict_signature_def")
def predict_signature_def(inputs, outputs):
    """A signature of input and output tensors, by name."""
    if not inputs:
        raise ValueError("Prediction inputs cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction outputs cannot be None or empty.")
    return build_signature_def({k: build_tensor_info(t) for k, t in inputs.items()}, {k: build_tensor_info(t) for k, t in outputs.items()},
                               _SIGNATURES["PREDICT_METHOD_NAME"])


def _examples(what, examples):
    if examples is None:
        raise ValueError("%s examples cannot be None." % what)
    if not isinstance(examples, Tensor) or examples.dtype != dtypes.string:
        raise ValueError("%s examples must be a string Tensor." % what)
    return {"inputs": build_tensor_info(examples)}


@export("saved_model.regression_signature_def", "saved_model.signature_def_utils.regression_signature_def")
def regression_signature_def(examples, predictions):
    """A signature from serialized Examples to floats."""
    inputs = _examples("Regression", examples)
    if predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    output = build_tensor_info(predictions)
    if output.dtype != _FLOAT:
        raise ValueError("Regression output must be a float Tensor.")
    return build_signature_def(inputs, {"outputs": output}, _SIGNATURES["REGRESS_METHOD_NAME"])


@export("saved_model.classification_signature_def", "saved_model.signature_def_utils.classification_signature_def")
def classification_signature_def(examples, classes, scores):
    """A signature from serialized Examples to classes and scores."""
    inputs = _examples("Classification", examples)
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    outputs = {}
    for key, tensor, dtype, name in (("classes", classes, _STRING, "string"), ("scores", scores, _FLOAT, "float")):
        if tensor is not None:
            outputs[key] = build_tensor_info(tensor)
            if outputs[key].dtype != dtype:
                raise ValueError("Classification %s must be a %s Tensor." % (key, name))
    return build_signature_def(inputs, outputs, _SIGNATURES["CLASSIFY_METHOD_NAME"])


@export("saved_model.is_valid_signature", "saved_model.signature_def_utils.is_valid_signature")
def is_valid_signature(signature_def):
    """Whether a signature is one of the three kinds that can be served."""
    if signature_def is None:
        return False
    inputs, outputs, method = signature_def.inputs, signature_def.outputs, signature_def.method_name
    if method == _SIGNATURES["PREDICT_METHOD_NAME"]:
        return bool(inputs) and bool(outputs)
    if set(inputs) != {"inputs"} or inputs["inputs"].dtype != _STRING:
        return False
    if method == _SIGNATURES["REGRESS_METHOD_NAME"]:
        return set(outputs) == {"outputs"} and outputs["outputs"].dtype == _FLOAT
    if method == _SIGNATURES["CLASSIFY_METHOD_NAME"]:
        kinds = {"classes": _STRING, "scores": _FLOAT}
        return bool(outputs) and all(key in kinds and outputs[key].dtype == kinds[key] for key in outputs)
    return False


def _infos(tensors):
    return {key: build_tensor_info(tensor) for key, tensor in tensors.items()}


def supervised_signature_def(method_name, inputs, outputs):
    """The signature of a graph for training or evaluation: inputs; loss, predictions and metrics."""
    if not inputs:
        raise ValueError("{} inputs cannot be None or empty.".format(method_name))
    return build_signature_def(_infos(inputs), _infos(outputs), method_name)


def _supervised_signature_def(method_name, inputs, loss=None, predictions=None, metrics=None):
    return supervised_signature_def(method_name, inputs, {key: t for part in (loss, predictions, metrics) for key, t in (part or {}).items()})


def supervised_train_signature_def(inputs, loss, predictions=None, metrics=None):
    return _supervised_signature_def(SUPERVISED_TRAIN_METHOD_NAME, inputs, loss, predictions, metrics)


def supervised_eval_signature_def(inputs, loss, predictions=None, metrics=None):
    return _supervised_signature_def(SUPERVISED_EVAL_METHOD_NAME, inputs, loss, predictions, metrics)


def build_tensor_info_from_op(op):
    """The name of an operation, without type or shape."""
    info = protos.TensorInfo(name=op.name)
    info.tensor_shape.unknown_rank = True
    return info


def op_signature_def(op, key):
    """A signature whose output `key` names an operation: what initializes or trains a model."""
    return build_signature_def(outputs={key: build_tensor_info_from_op(op)})


def get_element_from_tensor_info(tensor_info, graph=None, import_scope=None):
    """The tensor or operation that a TensorInfo names."""
    return (graph or ops.get_default_graph()).as_graph_element(prepend_scope(tensor_info.name, import_scope))


def load_op_from_signature_def(signature_def, key, import_scope=None):
    try:
        return get_element_from_tensor_info(signature_def.outputs[key], import_scope=import_scope)
    except KeyError:
        raise errors.NotFoundError(None, None, "The {0} could not be found in the graph. Please make sure the SavedModel was created by the internal _SavedModelBuilder. If you are "
                                   "using the public API, please make sure the SignatureDef in the SavedModel does not contain the key \"{0}\".".format(key)) from None


def get_variables_dir(export_dir):
    return os.path.join(gfile.path_text(export_dir), VARIABLES_DIRECTORY)


def get_variables_path(export_dir):
    return os.path.join(get_variables_dir(export_dir), VARIABLES_FILENAME)


def get_assets_dir(export_dir):
    return os.path.join(gfile.path_text(export_dir), ASSETS_DIRECTORY)


def get_or_create_variables_dir(export_dir):
    gfile.MakeDirs(get_variables_dir(export_dir))
    return get_variables_dir(export_dir)


def get_or_create_assets_dir(export_dir):
    gfile.MakeDirs(get_assets_dir(export_dir))
    return get_assets_dir(export_dir)


@export("saved_model.main_op_with_restore", "saved_model.main_op.main_op_with_restore")
def main_op_with_restore(restore_op_name):
    """An operation that initializes and then restores."""
    with ops.control_dependencies([main_op()]):
        return group(restore_op_name)


@export("saved_model.main_op.main_op")
def main_op():
    """An operation that initializes variables and tables."""
    return group(global_variables_initializer(), local_variables_initializer(), tables_initializer())
