"""pfor: the iterations of a loop as operations on all of them at once (vectorizer.py), Jacobians built on it (jacobians.py)."""
