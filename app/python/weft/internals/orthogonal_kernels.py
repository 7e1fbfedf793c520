"""tensorflow.python.ops.init_ops: convolution kernels that keep the norm of what they are applied to (Xiao et al., 2018, proceedings.mlr.press/v80/xiao18a.html)."""

import itertools

from .. import basics, dtypes, engine
from ..initializers import _floating, Initializer


class _Kernel(Initializer):
    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.dtype, self.seed = gain, _floating(dtypes.as_dtype(dtype)), seed

    def get_config(self):
        return {"gain": self.gain, "seed": self.seed, "dtype": self.dtype.name}

    def _checked(self, shape):
        if shape[-2] > shape[-1]:
            raise ValueError("In_filters cannot be greater than out_filters.")


def _orthogonal(n, dtype, seed):
    q, r = engine.linalg.qr(engine.random_normal([n, n], dtype=dtype, seed=seed), full_matrices=False)
    return q * engine.sign(engine.diag_part(r))


class ConvolutionDeltaOrthogonal(_Kernel):
    """An orthogonal matrix at the centre of the kernel, zeros elsewhere."""

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = self.dtype if dtype is None else dtype
        if len(shape) < 3 or len(shape) > 5:
            raise ValueError("The tensor to initialize must be at least three-dimensional and at most five-dimensional")
        self._checked(shape)
        q = _orthogonal(shape[-1], dtype, self.seed)[:shape[-2], :]
        q *= basics.cast(self.gain, dtype=dtype)
        centre = [(size - 1) // 2 for size in shape[:-2]]
        return engine.scatter_nd([centre], engine.expand_dims(q, 0), shape)


class ConvolutionOrthogonal(_Kernel):
    """A product of small orthogonal kernels; _rank is the number of dimensions of the kernel."""

    _rank, _words = 0, ""

    def __call__(self, shape, dtype=None, partition_info=None):
        if not self._rank:
            raise NotImplementedError
        dtype = self.dtype if dtype is None else dtype
        if len(shape) != self._rank + 2:
            raise ValueError("The tensor to initialize must be %s-dimensional" % self._words)
        self._checked(shape)
        if len(set(shape[:self._rank])) > 1:
            raise ValueError("Kernel sizes must be equal.")
        return self._orthogonal_kernel(shape[0], shape[-2], shape[-1]) * basics.cast(self.gain, dtype=dtype)

    def _next_seed(self):
        if self.seed:
            self.seed += 1

    def _orthogonal_matrix(self, n):
        q = _orthogonal(n, self.dtype, self.seed)
        self._next_seed()
        return q

    def _symmetric_projection(self, n):
        q = self._orthogonal_matrix(n)
        c = engine.multiply(q, basics.cast(engine.random_normal([n], seed=self.seed) > 0, self.dtype))
        self._next_seed()
        return engine.matmul(c, engine.matrix_transpose(c))

    def _block_orth(self, *projections):
        """The kernel of size 2 of projections, one for each dimension: their products, and those with their complements."""
        sizes = [p.shape.as_list() for p in projections]
        if any(size != sizes[0] for size in sizes):
            raise ValueError("The dimension of the matrices must be the same.")
        one = engine.eye(sizes[0][0], dtype=self.dtype)
        block = {}
        for place in itertools.product((0, 1), repeat=len(projections)):
            product = None
            for i, p in zip(place, projections):
                factor = p if bool(i) == (self._rank == 3) else one - p
                product = factor if product is None else engine.matmul(product, factor)
            block[place] = product
        return block

    def _matrix_conv(self, m1, m2):
        """The convolution of two kernels, dictionaries of matrices by place."""
        zero = (0,) * self._rank
        n = m1[zero].shape.as_list()[0]
        if n != m2[zero].shape.as_list()[0]:
            raise ValueError("The entries in matrices m1 and m2 must have the same dimensions!")
        made = {}
        for a, b in itertools.product(sorted(m1), sorted(m2)):
            place = tuple(i + j for i, j in zip(a, b))
            term = engine.matmul(m1[a], m2[b])
            made[place] = made[place] + term if place in made else term
        return made

    def _orthogonal_kernel(self, ksize, cin, cout):
        if cin > cout:
            raise ValueError("The number of input channels cannot exceed the number of output channels.")
        first = self._orthogonal_matrix(cout)[0:cin, :]
        if ksize == 1:
            return engine.reshape(first, [1] * self._rank + [cin, cout])
        blocks = (self._block_orth(*[self._symmetric_projection(cout) for _ in range(self._rank)]) for _ in range(ksize - 1))
        kernel = next(blocks)
        for block in blocks:
            kernel = self._matrix_conv(kernel, block)
        places = itertools.product(range(ksize), repeat=self._rank)
        return engine.reshape(engine.stack([engine.matmul(first, kernel[p]) for p in places]), [ksize] * self._rank + [cin, cout])


class ConvolutionOrthogonal1D(ConvolutionOrthogonal):
    """An orthogonal kernel of a one-dimensional convolution."""

    _rank, _words = 1, "three"


class ConvolutionOrthogonal2D(ConvolutionOrthogonal):
    """An orthogonal kernel of a two-dimensional convolution."""

    _rank, _words = 2, "four"


class ConvolutionOrthogonal3D(ConvolutionOrthogonal):
    """An orthogonal kernel of a three-dimensional convolution."""

    _rank, _words = 3, "five"


convolutional_delta_orthogonal = ConvolutionDeltaOrthogonal
convolutional_orthogonal_1d, convolutional_orthogonal_2d, convolutional_orthogonal_3d = ConvolutionOrthogonal1D, ConvolutionOrthogonal2D, ConvolutionOrthogonal3D
