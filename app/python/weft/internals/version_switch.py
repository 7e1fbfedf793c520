"""tensorflow.python.tf2: whether TensorFlow 2 behaviour is enabled. Here it never is."""


def enabled():
    return False


def disable():
    """Has no effect: it is always off."""


def enable():
    raise NotImplementedError("tf2.enable: Weft builds graphs as TensorFlow 1 does; the behaviour of version 2 cannot be turned on.")
