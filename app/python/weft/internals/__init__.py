"""Names of TensorFlow's internal modules (tensorflow.python.…) that have no public name. deep_sources.py maps those modules to these."""
