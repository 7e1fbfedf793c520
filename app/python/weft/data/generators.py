"""Dataset.from_generator."""

import threading

import numpy as np

from .. import dtypes, engine, ops
from ..functions.py_func import convert, numpy_function
from ..tensor_shape import TensorShape, as_shape
from . import structure
from .dataset_functions import StructuredFunction
from .structure import flat


class _Running:
    """The program's running generators, by number."""

    def __init__(self, generator):
        self._generator = generator
        self._lock = threading.Lock()
        self._next = 0
        self._arguments, self._iterators = {}, {}

    def begin(self, *args):
        with self._lock:
            number = self._next
            self._next += 1
        self._arguments[number] = args
        return np.array(number, dtype=np.int64)

    def iterator(self, number):
        number = int(number)
        if number not in self._iterators:
            self._iterators[number] = iter(self._generator(*self._arguments.pop(number)))
        return self._iterators[number]

    def end(self, number):
        self._iterators.pop(int(number), None)
        return np.array(0, dtype=np.int64)


def from_generator(generator, output_types, output_shapes, args):
    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    if output_shapes is None:
        shapes = structure.map_structure(lambda _: TensorShape(None), output_types)
    else:
        shapes = structure.map_up_to(output_types, as_shape, output_shapes)
    args = () if args is None else tuple(ops.convert_n_to_tensor(args, name="args"))
    types = [dtypes.as_dtype(t) for t in structure.flatten(output_types)]
    flat_shapes = structure.flatten(shapes)
    running = _Running(generator)

    def get_iterator_id_fn(unused):
        return numpy_function(running.begin, args, dtypes.int64)

    def generator_next_fn(number):
        def generator_py_func(number):
            values = next(running.iterator(number))
            try:
                values_flat = structure.flatten_up_to(output_types, values)
            except (TypeError, ValueError):
                raise TypeError("`generator` yielded an element that did not match the expected structure. The expected structure was %s, but the yielded element was %s." %
                                (output_types, values))
            arrays = []
            for value, dtype in zip(values_flat, types):
                try:
                    arrays.append(convert(value, dtype.as_numpy_dtype))
                except (TypeError, ValueError):
                    raise TypeError("`generator` yielded an element that could not be converted to the expected type. The expected type was %s, but the yielded element "
                                    "was %s." % (dtype.name, value))
            for array, dtype, shape in zip(arrays, types, flat_shapes):
                if array.dtype != dtype.as_numpy_dtype:
                    raise TypeError("`generator` yielded an element of type %s where an element of type %s was expected." % (array.dtype, dtype.as_numpy_dtype))
                if not shape.is_compatible_with(array.shape):
                    raise ValueError("`generator` yielded an element of shape %s where an element of shape %s was expected." % (array.shape, shape))
            return arrays

        found = numpy_function(generator_py_func, [number], types)
        for tensor, shape in zip(found, flat_shapes):
            tensor.set_shape(shape)
        return structure.pack(output_types, found)

    def finalize_fn(number):
        return numpy_function(lambda n: running.end(n), [number], dtypes.int64)

    def flat_map_fn(dummy):
        begin = StructuredFunction(get_iterator_id_fn, "Dataset.from_generator()", structure.type_spec_from_value(dummy))
        advance = StructuredFunction(generator_next_fn, "Dataset.from_generator()", begin.output_spec)
        end = StructuredFunction(finalize_fn, "Dataset.from_generator()", begin.output_spec)
        spec = advance.output_spec
        variant = engine.raw_ops.GeneratorDataset(
            init_func_other_args=structure.to_tensor_list(structure.type_spec_from_value(dummy), dummy) + begin.captured_inputs, next_func_other_args=advance.captured_inputs,
            finalize_func_other_args=end.captured_inputs, init_func=begin, next_func=advance, finalize_func=end, **flat(spec))
        return structure.dataset_class(variant, spec, functions=[begin, advance, end])

    return structure.dataset_class.from_tensors(0).flat_map(flat_map_fn)
