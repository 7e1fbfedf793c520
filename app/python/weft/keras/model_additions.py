"""Layers that hold losses and metrics which were added to a functional model."""

from ..layers.base import Layer
from ..layers.keras_names import layer_class


@layer_class
class AddLoss(Layer):
    """Adds its input to the losses of a functional model."""

    def __init__(self, unconditional, **kwargs):
        super().__init__(**kwargs)
        self.unconditional = unconditional

    def call(self, inputs):
        self.add_loss(inputs, inputs=None if self.unconditional else True)
        return inputs

    def get_config(self):
        return dict(super().get_config(), unconditional=self.unconditional)


@layer_class
class AddMetric(Layer):
    """Adds its input to the metrics of a functional model."""

    def __init__(self, aggregation=None, metric_name=None, **kwargs):
        super().__init__(**kwargs)
        self.aggregation, self.metric_name = aggregation, metric_name

    def call(self, inputs):
        self.add_metric(inputs, self.aggregation, self.metric_name)
        return inputs

    def get_config(self):
        return dict(super().get_config(), aggregation=self.aggregation, metric_name=self.metric_name)
