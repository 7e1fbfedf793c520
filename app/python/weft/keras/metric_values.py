"""tensorflow.python.keras.utils.metrics_utils: kinds of curves and sums, values of ragged tensors."""

import enum

from .. import basics, engine, ops
from ..ragged.names import assert_splits_match
from ..ragged.tensor import RaggedTensor


class AUCCurve(enum.Enum):
    """The curves of the metric AUC."""

    ROC = "ROC"
    PR = "PR"

    @staticmethod
    def from_str(key):
        if key not in ("pr", "PR", "roc", "ROC"):
            raise ValueError('Invalid AUC curve value "%s".' % key)
        return AUCCurve[key.upper()]


class AUCSummationMethod(enum.Enum):
    """How the metric AUC sums over intervals."""

    INTERPOLATION = "interpolation"
    MAJORING = "majoring"
    MINORING = "minoring"

    @staticmethod
    def from_str(key):
        for method in AUCSummationMethod:
            if key in (method.value, method.value.capitalize()):
                return method
        raise ValueError('Invalid AUC summation method value "%s".' % key)


class ConfusionMatrix(enum.Enum):
    """The cells of a confusion matrix."""

    TRUE_POSITIVES = "tp"
    FALSE_POSITIVES = "fp"
    TRUE_NEGATIVES = "tn"
    FALSE_NEGATIVES = "fn"


def cast(x, dtype):
    """tf.cast, also for ragged tensors."""
    return x.with_flat_values(basics.cast(x.flat_values, dtype)) if isinstance(x, RaggedTensor) else basics.cast(x, dtype)


def _flat(ragged, checks):
    with ops.control_dependencies([c for c in checks if c is not None]):
        return engine.expand_dims(engine.identity(ragged.flat_values), -1)


def ragged_assert_compatible_and_get_flat_values(values, mask=None):
    """(values, mask) with the flat values of ragged tensors, which must have the same row splits; others as they are."""
    several = isinstance(values, list)
    given = values if several else [values]
    are_ragged = [isinstance(v, RaggedTensor) for v in given]
    if given and all(are_ragged) and (mask is None or isinstance(mask, RaggedTensor)):
        checks = assert_splits_match([v.nested_row_splits for v in given])
        if mask is not None:
            mask = _flat(mask, assert_splits_match([given[0].nested_row_splits, mask.nested_row_splits]))
        flat = [_flat(v, checks) for v in given]
        return flat if several else flat[0], mask
    if any(are_ragged):
        raise TypeError("One of the inputs does not have acceptable types.")
    if isinstance(mask, RaggedTensor):
        raise TypeError("Ragged mask is not allowed with non-ragged inputs.")
    return values, mask
