"""AutoGraph: Python functions whose ifs, loops and calls also work on tensors of a graph."""
