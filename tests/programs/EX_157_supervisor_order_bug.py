import tensorflow as tf

from check import raises

raises(NameError, "name 'sv' is not defined", lambda: sv.prepare_or_wait_for_session())
