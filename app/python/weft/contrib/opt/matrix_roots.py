"""Roots of symmetric positive semi-definite matrices by iteration."""

from ... import basics, dtypes, engine
from ...loops import while_loop


def _identity(size):
    return engine.eye(basics.cast(size, dtypes.int32))


def matrix_square_root(mat_a, mat_a_size, iter_count=100, ridge_epsilon=1e-4):
    """The root of `mat_a` + ridge_epsilon × identity; stops when the error grows (Higham, Stable iterations for the matrix square root, equation 2.6b)."""
    identity = _identity(mat_a_size)
    mat_a = mat_a + ridge_epsilon * identity
    norm = engine.sqrt(engine.reduce_sum(mat_a * mat_a))
    start = mat_a / norm

    def better(i, y, y_before, z, z_before, error, error_before):
        return engine.logical_and(i < iter_count, error < error_before)

    def step(i, y, y_before, z, z_before, error, error_before):
        factor = 0.5 * (3.0 * identity - engine.matmul(z, y))
        root, inverse = engine.matmul(y, factor), engine.matmul(factor, z)
        scaled = root * engine.sqrt(norm)
        rest = mat_a - engine.matmul(scaled, scaled)
        return i + 1, root, y, inverse, z, engine.sqrt(engine.reduce_sum(rest * rest)) / norm, error

    last = while_loop(better, step, [0, start, start, identity, identity, norm, norm + 1.0])
    return last[2] * engine.sqrt(norm)


def _power(matrix, p):
    """matrix^p for a positive whole number."""
    p, result = int(p), None
    while p > 0:
        if p % 2 == 1:
            result = matrix if result is None else engine.matmul(matrix, result)
        p //= 2
        matrix = engine.matmul(matrix, matrix)
    return result


def matrix_inverse_pth_root(mat_g, mat_g_size, alpha, iter_count=100, epsilon=1e-6, ridge_epsilon=1e-6):
    """(mat_g + ridge_epsilon × identity)^alpha, where alpha is -1/p for a whole number p (Guo and Higham, a Schur-Newton method, equation 3.2)."""
    if mat_g_size == 1:
        return engine.pow(mat_g + ridge_epsilon, alpha)
    power = -1.0 / alpha
    if power != int(power) or power <= 0:
        raise ValueError("alpha must be -1/p for a positive whole number p, but is %s" % alpha)
    identity = _identity(mat_g_size)
    damped = mat_g + ridge_epsilon * identity
    scale = (1 - 1 / alpha) / (2 * engine.norm(damped))

    def far(i, m, x):
        return engine.logical_and(i < iter_count, engine.reduce_max(engine.abs(m - identity)) > epsilon)

    def step(i, m, x):
        factor = (1 - alpha) * identity + alpha * m
        return i + 1, engine.matmul(_power(factor, power), m), engine.matmul(x, factor)

    return while_loop(far, step, [0, damped * scale, identity * engine.pow(scale, -alpha)])[2]
