"""Converters of operations on elements, which broadcast, and of products of matrices."""

from .. import basics, engine
from .vectorizer import flat, for_types, RegisterPFor, unflat, wrap


@for_types("Abs Acos Acosh Add AddV2 Angle Asin Asinh Atan Atan2 Atanh BesselI0e BesselI1e BitwiseAnd BitwiseOr BitwiseXor Ceil Complex ComplexAbs Conj Cos Cosh Digamma Div "
           "DivNoNan Elu Erf Erfc Exp Expm1 Floor FloorDiv FloorMod Greater GreaterEqual Igamma IgammaGradA Igammac Imag Inv Invert IsFinite IsInf IsNan LeakyRelu LeftShift "
           "Less LessEqual Lgamma Log Log1p LogicalAnd LogicalNot LogicalOr LogicalXor Maximum Minimum Mod Mul MulNoNan Neg NextAfter Polygamma Pow Real RealDiv Reciprocal "
           "Relu Relu6 RightShift Rint Round Rsqrt Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Square SquaredDifference Sub Tan Tanh TruncateDiv TruncateMod Xdivy "
           "Xlogy Zeta")
@for_types("SelectV2 BatchMatMulV2")
def _broadcasting(call):
    call.expanddim_inputs_for_broadcast()
    return call.again()


@for_types("Equal NotEqual")
def _equal(call):
    if not call.get_attr("incompatible_shape_error"):
        raise ValueError("No converter defined for %s with incompatible_shape_error=False" % call.op_type)
    return _broadcasting(call)


@RegisterPFor("ApproximateEqual")
def _approximate_equal(call):
    call.stack_inputs()
    return call.again()


@RegisterPFor("Select")
def _select(call):
    """The condition is a scalar, a vector for the rows, or has the shape of the others."""
    rank = call.op.inputs[0].shape.ndims
    call.stack_inputs()
    if rank is not None and rank > 0:
        return [wrap(unflat(x.t, call.count)) for x in call.again([flat(x.t) for x in call.inputs])]
    if rank == 0:
        return call.again()
    condition, x, y = (i.t for i in call.inputs)
    ones = engine.ones([basics.rank(x) - basics.rank(condition)], "int32")
    return wrap(engine.raw_ops.SelectV2(condition=engine.reshape(condition, engine.concat([basics.shape(condition), ones], 0)), t=x, e=y))


@RegisterPFor("MatMul")
def _matmul(call):
    a, b = call.input(0), call.input(1)
    transposed = [call.get_attr("transpose_a"), call.get_attr("transpose_b")]
    if b.is_stacked:
        x = a.t if a.is_stacked else engine.expand_dims(a.t, 0)
        return wrap(engine.raw_ops.BatchMatMulV2(x=_turned(x, transposed[0]), y=_turned(b.t, transposed[1])))
    # One product for the rows of all iterations.
    x = _turned(a.t, transposed[0])
    return wrap(unflat(engine.matmul(flat(x), b.t, transpose_b=transposed[1]), call.count) if x.shape.ndims is None or None in x.shape.as_list()[:2]
                else engine.reshape(engine.matmul(flat(x), b.t, transpose_b=transposed[1]), x.shape.as_list()[:2] + [-1]))


def _turned(x, transposed):
    return engine.transpose(x, [0, 2, 1]) if transposed else x


@RegisterPFor("BatchMatMul")
def _batch_matmul(call):
    call.stack_inputs()
    return call.again()
