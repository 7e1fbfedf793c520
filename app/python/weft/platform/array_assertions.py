"""Assertions of tf.test.TestCase that compare arrays, tensors, ragged tensors and structures of them."""

import collections.abc

import numpy as np

from .. import dtypes
from ..device import canonical_name
from ..graph_elements import Tensor
from ..ragged.tensor import RaggedTensor
from ..ragged.values import RaggedTensorValue
from ..variable_base import Variable
from .assertions import Assertions


def _is_ragged(value):
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def _elements(array, mask):
    return array[np.where(mask)] if array.ndim else array


class ArrayAssertions(Assertions):
    """The values of tensors are those that self.evaluate() gives."""

    def _GetNdArray(self, a):
        if isinstance(a, (Tensor, Variable)):
            a = self.evaluate(a)
        return a if isinstance(a, np.ndarray) else np.array(a)

    def _GetPyList(self, a):
        if isinstance(a, RaggedTensor):
            return self.evaluate(a).to_list()
        if isinstance(a, RaggedTensorValue):
            return a.to_list()
        return self._GetNdArray(a).tolist()

    def _same_shape(self, a, b, msg=None):
        # Long arrays are not printed: NumPy takes very long for that.
        contents = " Contents: %s." % b if b.ndim <= 3 or b.size < 500 else ""
        self.assertEqual(a.shape, b.shape, "Shape mismatch: expected %s, got %s.%s%s" % (a.shape, b.shape, contents, " " + msg if msg else ""))

    def _close_arrays(self, a, b, rtol, atol, msg):
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self._same_shape(a, b)
        if np.allclose(a, b, rtol=rtol, atol=atol):
            return
        apart = np.logical_or(np.abs(a - b) > atol + rtol * np.abs(b), np.isnan(a) != np.isnan(b))
        x, y = _elements(a, apart), _elements(b, apart)
        where = ["not close where = %s" % (np.where(apart),)] if a.ndim else []
        lines = [msg, *where, "not close lhs = %s" % x, "not close rhs = %s" % y, "not close dif = %s" % np.abs(x - y),
                 "not close tol = %s" % (atol + rtol * np.abs(y)), "dtype = %s, shape = %s" % (a.dtype, a.shape)]
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg="\n".join(lines), equal_nan=True)

    def _close(self, a, b, rtol, atol, path, msg):
        a, b = (x._asdict() if hasattr(x, "_asdict") else x for x in (a, b))
        mapping = isinstance(a, collections.abc.Mapping)
        if mapping != isinstance(b, collections.abc.Mapping):
            raise ValueError("Can't compare dict to non-dict, a%s vs b%s. %s" % (path, path, msg))
        if mapping:
            self.assertCountEqual(a.keys(), b.keys(), "mismatched keys: a%s has keys %s, but b%s has keys %s. %s" % (path, a.keys(), path, b.keys(), msg))
            for key in a:
                self._close(a[key], b[key], rtol, atol, "%s[%s]" % (path, key), msg)
            return
        different = "Mismatched value: a%s is different from b%s. %s" % (path, path, msg)
        if not isinstance(a, (list, tuple)):
            self._close_arrays(a, b, rtol, atol, different)
            return
        try:  # as arrays if they are such
            self._close_arrays(a, b, rtol, atol, different)
        except (ValueError, TypeError, NotImplementedError):  # the last one: NumPy was given a tensor of a graph
            if len(a) != len(b):
                raise ValueError("Mismatched length: a%s has %d items, but b%s has %d items. %s" % (path, len(a), path, len(b), msg)) from None
            for i, (x, y) in enumerate(zip(a, b)):
                self._close(x, y, rtol, atol, "%s[%d]" % (path, i), msg)

    def _close_lists(self, a, b, rtol, atol, msg, path="value"):
        self.assertEqual(type(a), type(b))
        if isinstance(a, (list, tuple)):
            self.assertLen(a, len(b), "Length differs for %s" % path)
            for i, (x, y) in enumerate(zip(a, b)):
                self._close_lists(x, y, rtol, atol, msg, "%s[%d]" % (path, i))
        else:
            self._close(a, b, rtol, atol, "", msg or "")

    def _same_ragged_ranks(self, a, b, msg):
        if not isinstance(a, (list, tuple)) and not isinstance(b, (list, tuple)):
            self.assertEqual(a.ragged_rank if _is_ragged(a) else 0, b.ragged_rank if _is_ragged(b) else 0, msg)

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Asserts equal structure and close numbers; a and b may be nested lists, tuples and dicts of arrays and tensors, or ragged."""
        if _is_ragged(a) or _is_ragged(b):
            self._close_lists(self._GetPyList(a), self._GetPyList(b), rtol, atol, msg)
            self._same_ragged_ranks(a, b, msg)
        else:
            self._close(a, b, rtol, atol, "", msg or "")

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6, half_rtol=1e-3, half_atol=1e-3,
                                      bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None):
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        kinds = {a.dtype, b.dtype}
        for types, r, t in (((np.dtype(np.float32), np.dtype(np.complex64)), float_rtol, float_atol), ((np.dtype(np.float16),), half_rtol, half_atol),
                            ((np.dtype(dtypes.bfloat16.as_numpy_dtype),), bfloat16_rtol, bfloat16_atol)):
            if kinds & set(types):
                rtol, atol = max(rtol, r), max(atol, t)
        self.assertAllClose(a, b, rtol, atol, msg=msg)

    def assertNotAllClose(self, a, b, **kwargs):
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertAllEqual(self, a, b, msg=None):
        if _is_ragged(a) or _is_ragged(b):
            self.assertEqual(self._GetPyList(a), self._GetPyList(b), msg)
            self._same_ragged_ranks(a, b, msg)
            return
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self._same_shape(a, b, msg)
        same = np.asarray(a == b)
        if a.dtype.kind == "f" or a.dtype == np.dtype(dtypes.bfloat16.as_numpy_dtype):
            same = np.logical_or(same, np.logical_and(np.isnan(a), np.isnan(b)))
        if np.all(same):
            return
        differ = np.logical_not(same)
        where = ["not equal where = %s" % (np.where(differ),)] if a.ndim else []
        lines = [msg or "", *where, "not equal lhs = %s" % _elements(a, differ), "not equal rhs = %s" % _elements(b, differ)]
        np.testing.assert_array_equal(a, b, err_msg="\n".join(lines))

    def assertNotAllEqual(self, a, b, msg=None):
        try:
            self.assertAllEqual(a, b, msg)
        except AssertionError:
            return
        raise AssertionError("The two values are equal at all elements. %s" % (msg or ""))

    def assertAllGreater(self, a, comparison_target):
        self.assertGreater(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLess(self, a, comparison_target):
        self.assertLess(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllGreaterEqual(self, a, comparison_target):
        self.assertGreaterEqual(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLessEqual(self, a, comparison_target):
        self.assertLessEqual(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllInRange(self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False):
        """Asserts that all elements lie between the bounds, which are allowed themselves unless they are open; NaN never does."""
        target = self._GetNdArray(target)
        if not np.issubdtype(target.dtype, np.floating) and not np.issubdtype(target.dtype, np.integer):
            raise AssertionError("The value of %s does not have an ordered numeric type, instead it has type: %s" % (target, target.dtype))
        if np.any(np.isnan(target)):
            raise AssertionError("%d of the %d element(s) are NaN. Subscripts(s) and value(s) of the NaN element(s): %s"
                                 % (np.sum(np.isnan(target)), target.size, np.argwhere(np.isnan(target)).tolist()))
        low = target <= lower_bound if open_lower_bound else target < lower_bound
        high = target >= upper_bound if open_upper_bound else target > upper_bound
        outside = np.logical_or(low, high)
        if np.any(outside):
            bounds = "%s%s, %s%s" % ("(" if open_lower_bound else "[", lower_bound, upper_bound, ")" if open_upper_bound else "]")
            raise AssertionError("%d of the %d element(s) are outside the range %s. Subscript(s) and value(s) of the offending elements:\n%s"
                                 % (np.sum(outside), target.size, bounds, "\n".join("  %s : %s" % (list(at), target[tuple(at)]) for at in np.argwhere(outside)[:10])))

    def assertAllInSet(self, target, expected_set):
        others = np.setdiff1d(self._GetNdArray(target).flatten(), list(expected_set))
        if others.size:
            raise AssertionError("%d unique element(s) are not in the set %s: %s" % (others.size, expected_set, others))

    def assertNear(self, f1, f2, err, msg=None):
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, "%f != %f +/- %f%s" % (f1, f2, err, " (%s)" % msg if msg is not None else ""))

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        self.assertEqual(len(farray1), len(farray2), msg)
        for a, b in zip(farray1, farray2):
            self.assertNear(float(a), float(b), err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        """Asserts that the norm of the difference is less than `err`."""
        self.assertTrue(np.linalg.norm(ndarray1 - ndarray2) < err, msg)

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not isinstance(tf_tensor, Tensor):
            raise TypeError("tf_tensor must be a Tensor")
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg)

    def assertDTypeEqual(self, target, expected_dtype):
        self.assertEqual(self._GetNdArray(target).dtype, expected_dtype)

    def assertDeviceEqual(self, device1, device2, msg=None):
        one, other = canonical_name(device1), canonical_name(device2)
        self.assertEqual(one, other, "Devices %s and %s are not equal. %s" % (one, other, msg))
