"""tensorflow.python.pywrap_tensorflow and framework.is_xla_test_true: what a program or a test asks about the build. None of it is part of Weft."""


def IsMklEnabled():
    return False


def GpuSupportsHalfMatMulAndConv():
    return False


def is_xla_enabled():
    return False
