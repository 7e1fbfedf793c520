"""The value of a ragged tensor, returned by a session."""

import numpy as np

from ..exports import export


@export("ragged.RaggedTensorValue")
class RaggedTensorValue:
    """Rows of `values`, split at `row_splits`; NumPy arrays."""

    def __init__(self, values, row_splits):
        if not (isinstance(row_splits, (np.ndarray, np.generic)) and row_splits.dtype in (np.int64, np.int32) and row_splits.ndim == 1):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, (np.ndarray, np.generic, RaggedTensorValue)):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values, self._row_splits = values, row_splits

    row_splits = property(lambda self: self._row_splits)
    values = property(lambda self: self._values)
    dtype = property(lambda self: self._values.dtype)

    @property
    def _inner(self):
        return self._values if isinstance(self._values, RaggedTensorValue) else None

    @property
    def flat_values(self):
        return self._values if self._inner is None else self._inner.flat_values

    @property
    def nested_row_splits(self):
        return (self._row_splits,) + (() if self._inner is None else self._inner.nested_row_splits)

    @property
    def ragged_rank(self):
        return len(self.nested_row_splits)

    @property
    def shape(self):
        return (self._row_splits.shape[0] - 1, None) + self._values.shape[1:]

    def to_list(self):
        """Nested lists of Python numbers."""
        items = self._values.tolist() if self._inner is None else self._inner.to_list()
        return [items[a:b] for a, b in zip(self._row_splits[:-1], self._row_splits[1:])]

    def __str__(self):
        return "<tf.RaggedTensorValue %s>" % self.to_list()

    def __repr__(self):
        return "tf.RaggedTensorValue(values=%r, row_splits=%r)" % (self._values, self._row_splits)
