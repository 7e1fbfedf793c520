"""tensorflow.python.feature_column.dense_features_v2: DenseFeatures of version 2."""

from .. import ops
from ..layers.base import Layer
from . import dense_features


class DenseFeatures(dense_features.DenseFeatures):
    """The layer with variables that are made as those of other Keras layers."""

    def __init__(self, feature_columns, trainable=True, name=None, **kwargs):
        super().__init__(feature_columns, trainable=trainable, name=name, **kwargs)
        self._state_manager = dense_features._StateManagerImplV2(self, self.trainable)

    def build(self, _):
        for column in self._feature_columns:
            with ops.name_scope(column.name):
                column.create_state(self._state_manager)
        Layer.build(self, None)
