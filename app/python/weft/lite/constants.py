"""tf.lite.constants, and the enumerations of converter options."""

import enum

from .. import dtypes
from ..exports import export, export_value

TFLITE = 2
GRAPHVIZ_DOT = 3

for _name, _value in (("FLOAT", dtypes.float32), ("FLOAT16", dtypes.float16), ("INT32", dtypes.int32), ("INT64", dtypes.int64), ("STRING", dtypes.string),
                      ("QUANTIZED_UINT8", dtypes.uint8), ("INT8", dtypes.int8), ("TFLITE", TFLITE), ("GRAPHVIZ_DOT", GRAPHVIZ_DOT)):
    export_value(_value, "lite.constants." + _name)
del _name, _value


@export("lite.OpsSet")
class OpsSet(enum.Enum):
    TFLITE_BUILTINS = "TFLITE_BUILTINS"
    SELECT_TF_OPS = "SELECT_TF_OPS"
    TFLITE_BUILTINS_INT8 = "TFLITE_BUILTINS_INT8"

    def __str__(self):
        return self.value

    @staticmethod
    def get_options():
        return [str(option) for option in list(OpsSet)]


@export("lite.Optimize")
class Optimize(enum.Enum):
    DEFAULT = "DEFAULT"
    OPTIMIZE_FOR_SIZE = "OPTIMIZE_FOR_SIZE"
    OPTIMIZE_FOR_LATENCY = "OPTIMIZE_FOR_LATENCY"

    def __str__(self):
        return self.value


@export("lite.TargetSpec")
class TargetSpec:
    """Which operators and types a model may have."""

    def __init__(self, supported_ops=None, supported_types=None):
        self.supported_ops = {OpsSet.TFLITE_BUILTINS} if supported_ops is None else supported_ops
        self.supported_types = [] if supported_types is None else supported_types


@export("lite.RepresentativeDataset")
class RepresentativeDataset:
    """Samples that show the range of a model's inputs."""

    def __init__(self, input_gen):
        self.input_gen = input_gen
