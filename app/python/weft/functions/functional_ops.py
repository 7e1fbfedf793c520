"""tensorflow.python.ops.functional_ops: If, While, For and calls with graph functions (Defun) as arguments."""

from .. import basics, dtypes, engine, ops, protos
from .defun import Defun, get_extra_args


def _with(function):
    """The name of a function, which is added to the default graph's library."""
    if hasattr(function, "add_to_graph"):
        function.add_to_graph(ops.get_default_graph())
    return getattr(function, "name", function)


def _result_types(function):
    return [dtypes.as_dtype(a.type) for a in function.definition.signature.output_arg]


def If(cond, inputs, then_branch, else_branch, name=None):
    """The results of `then_branch` or `else_branch`, called with `inputs`."""
    _with(then_branch), _with(else_branch)
    return engine.raw_ops.If(cond=cond, input=list(inputs), Tout=_result_types(then_branch), then_branch=then_branch.name, else_branch=else_branch.name, name=name)


def Gradient(inputs, f, name=None):
    """The gradients of `f`: `inputs` are its arguments and the gradients of its results."""
    _with(f)
    return engine.raw_ops.SymbolicGradient(input=list(inputs), Tout=list(f.declared_input_types), f=f.name, name=name)


def _keeping_captures(body):
    """A function that passes the tensors that `body` captured through after its own results."""
    @Defun(*body.declared_input_types, func_name="%s_Wrapper" % body.name)
    def wrapper(*args):
        result = body(*args)
        result = () if isinstance(result, ops.Operation) else result if isinstance(result, tuple) else (result,)
        return tuple(result) + tuple(get_extra_args())

    return wrapper


def _note_memory(outputs, hostmem, first):
    """Records which inputs and outputs are in host memory, where TensorFlow records it. All of them are here."""
    if hostmem:
        op = outputs[0].op
        for name, places in (("_input_hostmem", [first + i for i in hostmem]), ("_output_hostmem", list(hostmem))):
            op._set_attr(name, protos.AttrValue(list=protos.AttrValue.ListValue(i=places)))


def While(input_, cond, body, name=None, hostmem=None):
    """Calls `body` as long as `cond` returns true, starting with `input_`."""
    if cond.captured_inputs:
        raise ValueError("While op 'cond' argument must be a function without implicitly captured inputs.")
    if len(cond.declared_input_types) != len(body.declared_input_types) or any(a != b for a, b in zip(cond.declared_input_types, body.declared_input_types)):
        raise ValueError("While op 'cond' and 'body' signatures do not match. %s %s" % (cond.declared_input_types, body.declared_input_types))
    input_ = [ops.convert_to_tensor(t) for t in input_]
    captured = list(body.captured_inputs)
    if captured:
        kinds = list(cond.declared_input_types) + [t.dtype for t in captured]

        @Defun(*kinds, func_name="%s_Wrapper" % cond.name)
        def cond_wrapper(*args):
            return cond(*args[:len(args) - len(captured)])

        wrapped = _keeping_captures(body)
        _with(cond_wrapper), _with(wrapped)
        outputs = engine.raw_ops.While(input=input_ + captured, cond=cond_wrapper.name, body=wrapped.name, name=name)
        outputs = outputs[:len(input_)]
    else:
        _with(cond), _with(body)
        outputs = engine.raw_ops.While(input=input_, cond=cond.name, body=body.name, name=name)
    _note_memory(outputs, hostmem, 0)
    return outputs


def _for_by_while(start, limit, delta, inputs, forbody, name=None, hostmem=None):
    step = engine.abs(delta)
    count = basics.cast(basics.cast(engine.abs(limit - start) + step - 1, dtypes.float32) / basics.cast(step, dtypes.float32), dtypes.int32)
    kinds = [dtypes.int32] * 4 + list(forbody.declared_input_types)[1:]

    @Defun(*kinds, func_name="%s_Cond" % forbody.name)
    def goes_on(i, n, *args):
        return i < n

    @Defun(*kinds, func_name="%s_Body" % forbody.name)
    def turn(i, n, start, delta, *args):
        result = forbody(start + i * delta, *args)
        result = () if isinstance(result, ops.Operation) else result if isinstance(result, tuple) else (result,)
        return (i + 1, n, start, delta) + tuple(result)

    hostmem = [0, 1, 2, 3] + [4 + i for i in hostmem or []]
    return list(While([0, count, start, delta] + list(inputs), goes_on, turn, name=name, hostmem=hostmem)[4:])


def For(start, limit, delta, inputs, body, name=None, hostmem=None, rewrite_with_while=None):
    """Calls `body` with each number from `start` to `limit` by `delta`, and the results of the call before, at first `inputs`."""
    if rewrite_with_while:
        return _for_by_while(start, limit, delta, inputs, body, name, hostmem)
    inputs, captured = list(inputs), list(body.captured_inputs)
    if captured:
        wrapped = _keeping_captures(body)
        _with(wrapped)
        outputs = engine.raw_ops.For(start=start, limit=limit, delta=delta, input=inputs + captured, body=wrapped.name, name=name)[:-len(captured)]
    else:
        _with(body)
        outputs = engine.raw_ops.For(start=start, limit=limit, delta=delta, input=inputs, body=body.name, name=name)
    _note_memory(outputs, hostmem, 3)
    return outputs


def remote_call(args, Tout, f, target, name=None):
    """Calls `f` on the device `target`."""
    _with(f)
    return engine.raw_ops.RemoteCall(args=list(args), Tout=Tout, f=f.name, target=target, name=name)


def partitioned_call(args, f, tout=None, executing_eagerly=None, config=None, executor_type=None):
    """Calls `f`. Returns its results, or the operation if there are none."""
    _with(f)
    tout = _result_types(f) if tout is None else [dtypes.as_dtype(t) for t in tout]
    op = engine.raw_ops.StatefulPartitionedCall if f.stateful_ops else engine.raw_ops.PartitionedCall
    given = dict(config_proto=config, executor_type=executor_type)
    outputs = op(args=[ops.convert_to_tensor(a) for a in args], Tout=tout, f=f.name, **{k: v for k, v in given.items() if v})
    if executing_eagerly or isinstance(outputs, ops.Operation):
        return outputs or None
    return outputs if outputs else None
