"""Functions of tensorflow.python.keras.saving.saving_utils."""

from ..data.structure import TensorSpec
from ..eager.function import Function, function
from ..util import nest


def extract_model_metrics(model):
    """The metrics of compile() by name; None if there are none."""
    if not getattr(model, "_compile_metrics", None):
        return None
    return {m.name: m for m in model._compile_metric_functions}


def model_input_signature(model):
    """The inputs of a model as TensorSpecs in a list, with open batch sizes; None if they are not known yet."""
    inputs = getattr(model, "inputs", None)
    if inputs is None:
        return None
    specs = [TensorSpec([None] + t.shape.as_list()[1:], t.dtype, name=name) for t, name in zip(nest.flatten(inputs), nest.flatten(model.input_names))]
    given = model._structure_in
    packed = nest.pack_sequence_as(given if isinstance(given, dict) else inputs, specs)
    return packed if isinstance(packed, (list, tuple)) and len(packed) == 1 else [packed]


def raise_model_input_error(model):
    raise ValueError("Model {} cannot be saved because the input shapes have not been set. Usually, input shapes are automatically determined from calling .fit() or .predict(). To "
                     "manually set the shapes, call model._set_inputs(inputs).".format(model))


def trace_model_call(model, input_signature=None):
    """A tf.function that calls the model and returns its outputs by name."""
    if input_signature is None and isinstance(model.call, Function):
        input_signature = model.call.input_signature
    if input_signature is None:
        input_signature = model_input_signature(model)
    if input_signature is None:
        raise_model_input_error(model)

    @function(input_signature=input_signature, autograph=False)
    def called(*args):
        flat = nest.flatten(model(args[0] if len(input_signature) == 1 else list(args), training=False))
        names = model.output_names if getattr(model, "outputs", None) is not None else ["output_%d" % (i + 1) for i in range(len(flat))]
        return dict(zip(names, flat))

    return called
