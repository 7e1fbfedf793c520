"""The layers that the networks of this folder use."""

from ...initializers import contrib_variance_scaling_initializer as variance_scaling_initializer  # noqa: F401 (all re-exported)
from ..composed import repeat, softmax  # noqa: F401
from ..layers import avg_pool2d, convolution2d as conv2d, dropout, fully_connected, max_pool2d, separable_convolution2d as separable_conv2d  # noqa: F401
from ..normalization import batch_norm  # noqa: F401
from ..regularizers import l2_regularizer  # noqa: F401
