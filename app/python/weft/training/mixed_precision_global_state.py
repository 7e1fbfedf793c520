"""What sessions, Keras's policies and mixed_precision.py know of each other."""

non_mixed_precision_session_created = False   # whether a session without the rewrite was made
using_default_mixed_precision_policy = True   # False: a Keras policy is in use
mixed_precision_graph_rewrite_is_enabled = False
