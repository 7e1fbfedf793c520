"""Programs of tensorflow.python.tools: graphs frozen, cut and shown."""
