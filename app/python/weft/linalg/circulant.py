"""Linear operators that are circulant matrices: each row is the one before, moved by one. In blocks of two and three levels, too."""

import numpy as np

from .. import assertions, basics, dtypes, engine, matrix_functions, ops
from ..distributions.matrices import rotate_transpose
from ..exports import export
from ..operators import newaxis
from ..tensor_shape import TensorShape
from . import helpers
from .base import LinearOperator

_FFT = {1: "fft", 2: "fft2d", 3: "fft3d"}


def _to_complex(x):
    if x.dtype.is_complex:
        return x
    return basics.cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)


class _Circulant(LinearOperator):
    """A product with it multiplies the Fourier transform by `spectrum`, whose last `block_depth` axes are those of the blocks."""

    def __init__(self, spectrum, block_depth, input_output_dtype=dtypes.complex64, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=True,
                 name="LinearOperatorCirculant"):
        if block_depth not in (1, 2, 3):
            raise ValueError("Expected block_depth to be in [1, 2, 3].  Found: %s." % block_depth)
        self.block_depth = block_depth
        with ops.name_scope(name, values=[spectrum]):
            self.spectrum = ops.convert_to_tensor(spectrum, name="spectrum")
            if self.spectrum.shape.ndims is not None and self.spectrum.shape.ndims < block_depth:
                raise ValueError("Argument spectrum must have at least %d dimensions.  Found: %s" % (block_depth, self.spectrum))
            if not self.spectrum.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("A [[nested] block] circulant operator is always square.")
            self._block_shape_tensor = basics.shape(self.spectrum)[-block_depth:]
            self._spectrum_complex = _to_complex(self.spectrum)
            self._abs_spectrum = engine.abs(self.spectrum)
            self._conj_spectrum = engine.conj(self._spectrum_complex)
            super().__init__(dtype=dtypes.as_dtype(input_output_dtype), graph_parents=[self.spectrum], is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                             is_positive_definite=is_positive_definite, is_square=True, name=name)

    block_shape = property(lambda self: self.spectrum.shape[-self.block_depth:])

    def block_shape_tensor(self):
        return self._block_shape_tensor

    # Between columns of a matrix and blocks.
    def _vectorize_then_blockify(self, matrix):
        vec = rotate_transpose(matrix, shift=1)
        if vec.shape.is_fully_defined() and self.block_shape.is_fully_defined():
            return engine.reshape(vec, vec.shape[:-1].concatenate(self.block_shape))
        return engine.reshape(vec, engine.concat((basics.shape(vec)[:-1], self.block_shape_tensor()), 0))

    def _unblockify_then_matricize(self, vec):
        depth = self.block_depth
        if vec.shape.is_fully_defined():
            sizes = vec.shape.as_list()
            flat = sizes[:-depth] + [int(np.prod(sizes[-depth:]))]
        else:
            sizes = basics.shape(vec)
            flat = engine.concat((sizes[:-depth], [engine.reduce_prod(sizes[-depth:])]), 0)
        return rotate_transpose(engine.reshape(vec, flat), shift=-1)

    def _fft(self, x):
        return getattr(engine.signal, _FFT[self.block_depth])(_to_complex(x))

    def _ifft(self, x):
        return getattr(engine.signal, "i" + _FFT[self.block_depth])(_to_complex(x))

    def convolution_kernel(self, name="convolution_kernel"):
        """The first column: the inverse transform of the spectrum."""
        with self._name_scope(name):
            return basics.cast(self._ifft(self._spectrum_complex), self.dtype)

    def _shape(self):
        blocks = self.block_shape
        n = int(np.prod(blocks.as_list())) if blocks.is_fully_defined() else None
        return self.spectrum.shape[:-self.block_depth].concatenate(TensorShape([n, n]))

    def _shape_tensor(self):
        sizes = basics.shape(self.spectrum)
        n = engine.reduce_prod(sizes[-self.block_depth:])
        return engine.concat((sizes[:-self.block_depth], [n, n]), 0)

    # Checks.
    def assert_hermitian_spectrum(self, name="assert_hermitian_spectrum"):
        """Fails unless the operator maps real vectors to real ones."""
        eps = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        with self._name_scope(name):
            most = eps * basics.cast(self.domain_dimension_tensor(), self.dtype.real_dtype)
            return assertions.assert_less(engine.abs(engine.imag(self.convolution_kernel())), most, message="Spectrum was not Hermitian")

    def _assert_non_singular(self):
        return helpers.no_zeros(self.spectrum, "Singular operator:  Spectrum contained zero values.")

    def _assert_positive_definite(self):
        return assertions.assert_positive(engine.real(self.spectrum), message="Not positive definite:  Real part of spectrum was not all positive.")

    def _assert_self_adjoint(self):
        return helpers.no_imaginary_part(self.spectrum, "Not self-adjoint:  The spectrum contained non-zero imaginary part.")

    # Products and solutions.
    def _broadcast_batch_dims(self, x, spectrum):
        column = engine.reshape(spectrum, engine.concat((self.batch_shape_tensor(), [-1, 1]), axis=0))
        x, column = helpers.same_batch((x, column))
        return x, engine.reshape(column, engine.concat((basics.shape(x)[:-2], self.block_shape_tensor()), axis=0))

    def _apply(self, x, adjoint, combine):
        spectrum = self._conj_spectrum if adjoint else self._spectrum_complex
        x, spectrum = self._broadcast_batch_dims(basics.cast(x, spectrum.dtype), spectrum)
        result = self._ifft(combine(self._fft(self._vectorize_then_blockify(x)), spectrum))
        return basics.cast(self._unblockify_then_matricize(result), self.dtype)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._apply(matrix_functions.adjoint(x) if adjoint_arg else x, adjoint, lambda transformed, spectrum: spectrum * transformed)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._apply(matrix_functions.adjoint(rhs) if adjoint_arg else rhs, adjoint, lambda transformed, spectrum: transformed / spectrum)

    # Numbers.
    def _block_axes(self):
        return [-(i + 1) for i in range(self.block_depth)]

    def _determinant(self):
        return basics.cast(engine.reduce_prod(self.spectrum, axis=self._block_axes()), self.dtype)

    def _log_abs_determinant(self):
        return basics.cast(engine.reduce_sum(engine.log(self._abs_spectrum), axis=self._block_axes()), self.dtype)

    def _diag_part(self):
        if self.shape.is_fully_defined():
            shape, size = self.shape[:-1], self.domain_dimension.value
        else:
            shape, size = self.shape_tensor()[:-1], self.domain_dimension_tensor()
        value = self.trace() / basics.cast(size, self.dtype)
        return value[..., newaxis] * engine.ones(shape, dtype=self.dtype)

    def _trace(self):
        axes = self._block_axes()
        real = engine.reduce_sum(engine.real(self.spectrum), axis=axes)
        if not self.dtype.is_complex:
            return basics.cast(real, self.dtype)
        imaginary = engine.zeros_like(real) if self.is_self_adjoint else engine.reduce_sum(engine.imag(self.spectrum), axis=axes)
        return basics.cast(engine.complex(real, imaginary), self.dtype)


def _of_depth(depth, own_name, words):
    def __init__(self, spectrum, input_output_dtype=dtypes.complex64, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=True, name=own_name):
        _Circulant.__init__(self, spectrum, depth, input_output_dtype=input_output_dtype, is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                            is_positive_definite=is_positive_definite, is_square=is_square, name=name)

    return export("linalg." + own_name)(type(own_name, (_Circulant,), {"__init__": __init__, "__doc__": words, "__module__": __name__}))


LinearOperatorCirculant = _of_depth(1, "LinearOperatorCirculant", "A circulant matrix.")
LinearOperatorCirculant2D = _of_depth(2, "LinearOperatorCirculant2D", "A block circulant matrix: blocks of circulant matrices, themselves arranged as one.")
LinearOperatorCirculant3D = _of_depth(3, "LinearOperatorCirculant3D", "A block circulant matrix of three levels.")
