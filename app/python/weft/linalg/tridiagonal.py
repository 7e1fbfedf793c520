"""tf.linalg.tridiagonal_solve: tridiagonal systems, with the matrix in one of three formats."""

from .. import engine
from ..exports import export
from ..op_calls import raw


def _of_sequence(diagonals):
    """(superdiagonal, diagonal, subdiagonal) stacked as rows; the outer diagonals may lack their unused element."""
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, main, below = diagonals
    if not (below.shape[:-1].is_compatible_with(main.shape[:-1]) and above.shape[:-1].is_compatible_with(main.shape[:-1])):
        raise ValueError("Tensors representing the three diagonals must have the same shape,except for the last dimension, got {}, {}, {}".format(below.shape, main.shape, above.shape))
    size = main.shape[-1].value

    def padded(t, name, padding):
        n = t.shape[-1].value
        if not n or n == size:
            return t
        if n != size - 1:
            raise ValueError("Expected {} to be have length {} or {}, got {}.".format(name, size, size - 1, n))
        return engine.pad(t, [[0, 0]] * (t.shape.ndims - 1) + [padding])

    below = padded(below, "subdiagonal", [1, 0])
    return engine.stack((padded(above, "superdiagonal", [0, 1]), main, below), axis=-2)


def _of_matrix(matrix):
    """The three diagonals of a matrix."""
    columns, rows = matrix.shape[-1].value, matrix.shape[-2].value
    if columns and rows and columns != rows:
        raise ValueError("Expected last two dimensions of diagonals to be same, got {} and {}".format(columns, rows))
    size = columns or rows
    if not size:
        raise ValueError('The size of the matrix needs to be known for diagonals_format="matrix"')
    unread = [0, 0]
    places = [[[i + 1, i] if i + 1 < size else unread, [i, i], [i - 1, i] if i else unread] for i in range(size)]
    return engine.transpose(engine.gather_nd(engine.transpose(matrix), places))


@export("linalg.tridiagonal_solve")
def tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False, conjugate_rhs=False, name=None, partial_pivoting=True):
    """X with A X = rhs. `diagonals`: rows of one tensor ("compact"), three tensors ("sequence"), or A itself ("matrix")."""
    if diagonals_format == "sequence":
        diagonals = _of_sequence(diagonals)
    elif diagonals_format == "matrix":
        diagonals = _of_matrix(diagonals)
    elif diagonals_format != "compact":
        raise ValueError("Unrecognized diagonals_format: {}".format(diagonals_format))
    rank, rhs_rank = len(diagonals.shape), len(rhs.shape)
    if rank < 2:
        raise ValueError("Expected diagonals to have rank at least 2, got {}".format(rank))
    if rhs_rank not in (rank, rank - 1):
        raise ValueError("Expected the rank of rhs to be {} or {}, got {}".format(rank - 1, rank, rhs_rank))
    if diagonals.shape[-2].value not in (3, None):
        raise ValueError("Expected 3 diagonals got {}".format(diagonals.shape[-2]))
    if not diagonals.shape[:-2].is_compatible_with(rhs.shape[:rank - 2]):
        raise ValueError("Batch shapes {} and {} are incompatible".format(diagonals.shape[:-2], rhs.shape[:rank - 2]))
    vector = rhs_rank == rank - 1
    if transpose_rhs and not vector:
        rhs = engine.linalg.matrix_transpose(rhs, conjugate=conjugate_rhs)
    elif conjugate_rhs:
        rhs = engine.math.conj(rhs)
    if vector:
        rhs = engine.expand_dims(rhs, -1)
    sides = diagonals.shape[-1].value, rhs.shape[-2].value
    if None not in sides and sides[0] != sides[1]:
        raise ValueError("Expected number of left-hand sided and right-hand sides to be equal, got {} and {}".format(*sides))
    result = raw("TridiagonalSolve")(diagonals, rhs, partial_pivoting, name)
    if vector:
        return engine.squeeze(result, -1)
    return engine.linalg.matrix_transpose(result) if transpose_rhs else result
