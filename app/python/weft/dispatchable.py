"""Dispatch of tf.* functions for ragged and sparse tensors and linear operators. The function itself is called first; arguments that it refuses go to
ragged/dispatch.py, to linalg/base.py, or, for sparse tensors, the function is applied to their values."""

from .util.tf_decorator import make_decorator

_UNARY = set("""check_numerics identity ones_like zeros_like clip_by_value invert abs acos acosh angle asin asinh atan atanh cast ceil conj cos cosh digamma erf erfc exp expm1
    floor imag is_finite is_inf is_nan lgamma log log1p log_sigmoid logical_not negative real reciprocal rint round rsqrt saturate_cast sign sin sinh sqrt square tan
    decode_compressed string_to_number to_number string_to_hash_bucket to_hash_bucket as_string decode_base64 encode_base64 regex_full_match regex_replace string_strip strip
    string_to_hash_bucket_fast to_hash_bucket_fast string_to_hash_bucket_strong to_hash_bucket_strong substr string_length length unicode_script""".split())
_LISTS = {"add_n", "string_join", "join"}
_BINARY = set("""bitwise_and bitwise_or bitwise_xor left_shift right_shift add atan2 complex div_no_nan divide equal floordiv floormod mod greater greater_equal less less_equal
    logical_and logical_or logical_xor maximum minimum multiply not_equal pow realdiv squared_difference subtract truediv truncatediv truncatemod""".split())
_FOLDERS = {"", "math", "strings", "bitwise", "debugging", "dtypes", "io", "manip", "compat.v1"}
_OWN = set("""batch_gather concat expand_dims gather gather_nd one_hot rank size squeeze stack tile where dynamic_partition reduce_join
    unsorted_segment_sum unsorted_segment_prod unsorted_segment_min unsorted_segment_max unsorted_segment_mean unsorted_segment_sqrt_n
    reduce_sum reduce_prod reduce_min reduce_max reduce_mean reduce_any reduce_all""".split())
_OF_SPARSE_VALUES = {"abs", "negative", "sign", "square", "sqrt", "erf", "tanh", "bessel_i0e", "bessel_i1e"}
_OF_OPERATORS = {"matmul", "linalg.matmul", "matrix_solve", "linalg.solve", "matrix_inverse", "linalg.inv", "linalg.logdet", "linalg.adjoint", "cholesky", "linalg.cholesky", "linalg.diag_part",
                 "matrix_determinant", "linalg.det", "trace", "linalg.trace"}
_LEAF = {"matrix_solve": "solve", "matrix_inverse": "inv", "matrix_determinant": "det"}
_ONLY_STRINGS = {"join", "length", "strip", "to_number", "to_hash_bucket", "to_hash_bucket_fast", "to_hash_bucket_strong"}

NOT_SUPPORTED = object()

# The modules that define these set them when they are loaded.
handle = None  # ragged.dispatch.handle
sparse_tensor = sparse_value = None  # SparseTensor, SparseTensorValue
operators = None  # linalg.base: the functions of tf.linalg for linear operators


def _kind(folder, leaf):
    if folder not in _FOLDERS or leaf in _ONLY_STRINGS and folder != "strings":
        return None
    return "own" if leaf in _OWN else "unary" if leaf in _UNARY else "list" if leaf in _LISTS else "binary" if leaf in _BINARY else None


_wrapped = {}


def _of_sparse_values(function, args, kwargs):
    """Applies the function to the values of a sparse tensor and keeps the indices, or returns NOT_SUPPORTED."""
    x, args = (args[0], args[1:]) if args else (kwargs.get("x"), args)
    if sparse_tensor is None or not isinstance(x, sparse_tensor):
        return NOT_SUPPORTED
    kwargs = {k: v for k, v in kwargs.items() if k != "x"}
    return sparse_tensor(indices=x.indices, values=function(x.values, *args, **kwargs), dense_shape=x.dense_shape)


def for_ragged(path, function):
    """The function of tf.PATH, with ragged and sparse dispatch if it supports them."""
    folder, _, leaf = path.rpartition(".")
    kind, sparse = _kind(folder, leaf), leaf in _OF_SPARSE_VALUES and (folder in _FOLDERS or path == "nn.tanh")
    of_operators = path in _OF_OPERATORS
    if kind is None and not sparse and not of_operators or not callable(function):
        return function
    if function not in _wrapped:
        def wrapper(*args, **kwargs):
            try:
                return function(*args, **kwargs)
            except (TypeError, ValueError):
                made = NOT_SUPPORTED
                if kind is not None and handle is not None:
                    made = handle(kind, leaf, function, args, kwargs)
                if made is NOT_SUPPORTED and sparse:
                    made = _of_sparse_values(function, args, kwargs)
                if made is NOT_SUPPORTED and of_operators and operators is not None:
                    made = operators(_LEAF.get(leaf, leaf), args, kwargs)
                if made is NOT_SUPPORTED:
                    raise
                return made

        wrapper = make_decorator(function, wrapper, "add_dispatch_support")
        _wrapped[function] = _wrapped[wrapper] = wrapper
    return _wrapped[function]


def takes_ragged(path):
    """Decorator for the function tf.PATH: imports from its module also get the version with dispatch."""
    return lambda function: for_ragged(path, function)
