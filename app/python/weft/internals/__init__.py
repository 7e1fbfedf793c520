"""What TensorFlow's own modules (tensorflow.python.…) have and no public name shows. deep_modules.py says which module of theirs is which of these."""
