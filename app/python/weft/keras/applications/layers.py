"""The layers that the networks of this folder use."""

from ...layers.convolutional import KerasConv2D as Conv2D, KerasDepthwiseConv2D as DepthwiseConv2D, KerasSeparableConv2D as SeparableConv2D  # noqa: F401 (all re-exported)
from ...layers.core import KerasDense as Dense, KerasDropout as Dropout, KerasFlatten as Flatten  # noqa: F401
from ...layers.normalization import KerasBatchNormalization as BatchNormalization  # noqa: F401
from ...layers.pooling import KerasAveragePooling2D as AveragePooling2D, KerasMaxPooling2D as MaxPooling2D, GlobalAveragePooling2D, GlobalMaxPooling2D  # noqa: F401
from ..lambda_layer import Lambda  # noqa: F401
from ..layers import Activation, Input, ReLU, Reshape  # noqa: F401
from ..merging import Add, add, Concatenate, concatenate  # noqa: F401
from ..shapes import Cropping2D, ZeroPadding2D  # noqa: F401
