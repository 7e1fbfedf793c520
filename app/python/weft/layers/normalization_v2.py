"""tensorflow.python.keras.layers.normalization_v2."""

from .normalization import BatchNormalizationV2 as BatchNormalization  # noqa: F401
