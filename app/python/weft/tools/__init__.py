"""Programs of tensorflow.python.tools: freezing, cutting and showing graphs."""
