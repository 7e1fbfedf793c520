"""jacobian and batch_jacobian: the gradients of each element of a tensor, computed at once (pfor) or in a loop."""

from .. import assertions, basics, engine, ops
from ..gradients import gradients
from ..util import nest
from .loops import for_loop, pfor


def jacobian(output, inputs, use_pfor=True, parallel_iterations=None):
    """Derivatives of each element of `output` with respect to each of `inputs`, of the shape output's + input's; None for inputs without a path."""
    flat_inputs = nest.flatten(inputs)
    static, shape = output.shape, basics.shape(output)
    output = engine.reshape(output, [-1])
    size = output.shape.as_list()[0]
    size = basics.shape(output)[0] if size is None else size

    def row(i):
        return gradients(engine.gather(output, i), flat_inputs)

    if use_pfor:
        found = pfor(row, size, parallel_iterations=parallel_iterations)
    else:
        found = for_loop(row, [output.dtype] * len(flat_inputs), size, parallel_iterations=parallel_iterations)
    results = []
    for x, source in zip(found, flat_inputs):
        if isinstance(x, ops.Tensor):
            x = engine.reshape(x, engine.concat([shape, basics.shape(x)[1:]], 0))
            x.set_shape(static.concatenate(source.shape))
        results.append(x)
    return nest.pack_sequence_as(inputs, results)


def batch_jacobian(output, inp, use_pfor=True, parallel_iterations=None):
    """Derivatives of output[i] with respect to inp[i] for each row i, of the shape output's + that of a row of `inp`; None without a path."""
    shape = output.shape
    if not shape[0].is_compatible_with(inp.shape[0]):
        raise ValueError("Need first dimension of output shape (%s) and inp shape (%s) to match." % (output.shape, inp.shape))
    if shape.is_fully_defined():
        batch = int(shape[0])
        size = shape.num_elements() // batch
    else:
        shape = basics.shape(output)
        batch = shape[0]
        size = basics.size(output) // batch
    inner = basics.shape(inp)
    with ops.control_dependencies([assertions.assert_equal(batch, inner[0])]):
        output = engine.reshape(output, [batch, size])

    def column(i):
        return gradients(engine.gather(output, i, axis=1), inp)[0]

    if use_pfor:
        found = pfor(column, size, parallel_iterations=parallel_iterations)
    else:
        found = for_loop(column, output.dtype, size, parallel_iterations=parallel_iterations)
    if found is None:
        return None
    rows = engine.transpose(engine.reshape(found, [size, batch, -1]), [1, 0, 2])
    return engine.reshape(rows, engine.concat([shape, inner[1:]], 0))
