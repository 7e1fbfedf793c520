"""How values of several replicas become one."""

import enum

from ..exports import export
from ..variable_base import VariableAggregation


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How values of several replicas are combined."""

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation):
        """The ReduceOp of a variable's aggregation."""
        found = {VariableAggregation.SUM: ReduceOp.SUM, VariableAggregation.MEAN: ReduceOp.MEAN}.get(aggregation)
        if found is None:
            raise ValueError("Could not convert from `tf.VariableAggregation` %s to`tf.distribute.ReduceOp` type" % aggregation)
        return found


def as_reduce_op(op):
    return ReduceOp(op.upper()) if isinstance(op, str) else op
