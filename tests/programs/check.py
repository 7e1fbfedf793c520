"""Assertions shared by the programs of this folder."""

import numpy as np


def close(got, want, tolerance=1e-6):
    """Asserts that numbers agree within a relative tolerance."""
    got, want = np.asarray(got, dtype=np.float64), np.asarray(want, dtype=np.float64)
    assert got.shape == want.shape, "shape %s, not %s" % (got.shape, want.shape)
    assert np.allclose(got, want, rtol=tolerance, atol=tolerance), "%s, not %s" % (got, want)


def raises(kind, text, function):
    """Asserts that function() raises `kind` with a message that contains `text`."""
    try:
        function()
    except kind as e:
        assert text in str(e), "the message is %r" % str(e)
        return e
    raise AssertionError("nothing was raised")


def run(fetches, feeds=None, init=False):
    """Runs one step in a new session."""
    import tensorflow as tf

    with tf.Session() as session:
        if init:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return session.run(fetches, feeds)
