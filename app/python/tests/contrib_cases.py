"""The cases that contrib_graphs_test.py builds in Weft and in TensorFlow 1.15.5: one function per case, which returns the tensors to run."""

import contrib_estimator_cases  # noqa: F401 (registers its cases)
import contrib_layer_cases  # noqa: F401
import contrib_metric_cases  # noqa: F401
import contrib_opt_cases  # noqa: F401
import contrib_slim_cases  # noqa: F401
from contrib_case_tools import CASES  # noqa: F401
