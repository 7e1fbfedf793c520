"""tf.linalg.expm, and tridiagonal products and systems."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..loops import while_loop
from ..operators import newaxis

# Padé approximations of the exponential: degree -> coefficients.
_PADE = {3: [120.0, 60.0, 12.0], 5: [30240.0, 15120.0, 3360.0, 420.0, 30.0], 7: [17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0],
         9: [17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0, 3960.0, 90.0],
         13: [64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0,
              1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0]}


def _pade(matrix, degree):
    """The odd and the even part of the approximation of a degree."""
    b = [ops.constant(x, matrix.dtype) for x in _PADE[degree]]
    one = engine.eye(basics.shape(matrix)[-2], batch_shape=basics.shape(matrix)[:-2], dtype=matrix.dtype)
    powers = {2: engine.matmul(matrix, matrix)}
    if degree > 3:
        powers[4] = engine.matmul(powers[2], powers[2])
    for n in range(6, 7 if degree == 13 else degree, 2):
        powers[n] = engine.matmul(powers[n - 2], powers[2])
    if degree == 13:
        m2, m4, m6 = powers[2], powers[4], powers[6]
        odd = engine.matmul(m6, m6 + b[11] * m4 + b[9] * m2) + b[7] * m6 + b[5] * m4 + b[3] * m2 + b[1] * one
        odd = engine.matmul(matrix, odd)
        even = b[12] * m6 + b[10] * m4 + b[8] * m2
        return odd, engine.matmul(m6, even) + b[6] * m6 + b[4] * m4 + b[2] * m2 + b[0] * one
    odd = powers[degree - 1]
    for n in range(degree - 3, 0, -2):
        odd = odd + b[n + 1] * powers[n]
    odd = engine.matmul(matrix, odd + b[1] * one)
    even = b[degree - 1] * powers[degree - 1]
    for n in range(degree - 3, 0, -2):
        even = even + b[n] * powers[n]
    return odd, even + b[0] * one


@export("linalg.expm")
def expm(input, name=None):
    """The matrix exponential, by scaling and squaring of an approximation."""
    with ops.name_scope(name, "matrix_exponential", [input]):
        matrix = ops.convert_to_tensor(input, name="input")
        if matrix.shape[-2:] == [0, 0]:
            return matrix
        batch = matrix.shape[:-2]
        if not batch.is_fully_defined():
            batch = basics.shape(matrix)[:-2]
        matrix = engine.reshape(matrix, engine.concat(([-1], basics.shape(matrix)[-2:]), axis=0))
        norm = engine.reduce_max(engine.reduce_sum(engine.abs(matrix), axis=basics.size(basics.shape(matrix)) - 2), axis=-1)

        def const(x):
            return ops.constant(x, norm.dtype)

        def choose(bounds, cases):
            below = engine.less(norm, const(bounds[0]))
            return engine.where(below, cases[0], cases[1] if len(bounds) == 1 else choose(bounds[1:], cases[1:]))

        if matrix.dtype in (dtypes.float16, dtypes.float32, dtypes.complex64):
            most, degrees, bounds = 3.925724783138660, (3, 5, 7), (4.258730016922831e-001, 1.880152677804762e+000)
        elif matrix.dtype in (dtypes.float64, dtypes.complex128):
            most, degrees = 5.371920351148152, (3, 5, 7, 9, 13)
            bounds = (1.495585217958292e-002, 2.539398330063230e-001, 9.504178996162932e-001, 2.097847961257068e+000)
        else:
            raise ValueError("tf.linalg.expm does not support matrices of type %s" % matrix.dtype)
        limit = const(most)
        squarings = engine.maximum(engine.floor(engine.log(norm / limit) / engine.log(const(2.0))), 0)
        parts = [_pade(matrix, d) for d in degrees[:-1]]
        small = matrix / engine.pow(ops.constant(2.0, dtype=matrix.dtype), basics.cast(squarings, matrix.dtype))[..., newaxis, newaxis]
        parts.append(_pade(small, degrees[-1]))
        odd, even = (choose(bounds, [p[i] for p in parts]) for i in (0, 1))
        above = odd + even
        made = engine.matrix_solve(-odd + even, above)
        count, i = engine.reduce_max(squarings), const(0.0)
        _, made = while_loop(lambda i, r: engine.less(i, count), lambda i, r: (i + 1, engine.where(engine.less(i, squarings), engine.matmul(r, r), r)), [i, made])
        if not matrix.shape.is_fully_defined():
            return engine.reshape(made, engine.concat((batch, basics.shape(made)[-2:]), axis=0))
        return engine.reshape(made, batch.concatenate(made.shape[-2:]))


_UNKNOWN_SIZE = 'The size of the matrix needs to be known for diagonals_format="matrix"'


@export("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """A tridiagonal matrix times another matrix."""
    if diagonals_format == "compact":
        above, main, below = (diagonals[..., i, :] for i in range(3))
    elif diagonals_format == "sequence":
        above, main, below = diagonals
    elif diagonals_format == "matrix":
        m, n = diagonals.shape.as_list()[-1], diagonals.shape.as_list()[-2]
        if not m or not n:
            raise ValueError(_UNKNOWN_SIZE)
        if m != n:
            raise ValueError("Expected last two dimensions of diagonals to be same, got {} and {}".format(m, n))
        main = engine.matrix_diag_part(diagonals)
        turned = engine.transpose(diagonals)
        above = engine.transpose(engine.gather_nd(turned, [[i + 1, i] for i in range(m - 1)] + [[0, 0]]))
        below = engine.transpose(engine.gather_nd(turned, [[0, 0]] + [[i - 1, i] for i in range(1, m)]))
    else:
        raise ValueError("Unrecognized diagonals_format: %s" % diagonals_format)
    rows = [engine.expand_dims(d, -2) for d in (above, main, below)]
    return engine.raw_ops.TridiagonalMatMul(superdiag=rows[0], maindiag=rows[1], subdiag=rows[2], rhs=rhs, name=name)
