"""Eager execution: ops run when they are called, and their results are tensors with values."""
