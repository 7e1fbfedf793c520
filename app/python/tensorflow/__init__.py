"""`import tensorflow` where Weft's packages come first: Weft's module of that name."""

import sys

__weft_placeholder__ = True

import weft

sys.modules["tensorflow"] = weft.tf
