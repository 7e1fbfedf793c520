"""Iterators over data sets."""

import warnings

from .. import dtypes, engine, ops
from ..exports import export
from ..functions.defun import Defun
from ..platform import tf_logging as logging
from ..tensor_shape import TensorShape, as_shape
from ..training.saveables import SaveableObject, SaveSpec
from ..training.tracking.base import Trackable
from . import structure
from .structure import flat

_MANY_CALLS = 32
_MANY_CALLS_WARNING = ("An unusually high number of `Iterator.get_next()` calls was detected. This often indicates that `Iterator.get_next()` is being called inside a "
                       "training loop, which will cause gradual slowdown and eventual resource exhaustion. If this is the case, restructure your code to call "
                       "`next_element = iterator.get_next()` once outside the loop, and use `next_element` as the input to some computation that is invoked inside the loop.")


class IteratorSaveable(SaveableObject):
    """The position of an iterator in a checkpoint."""

    def __init__(self, iterator_resource, name, key):
        def position():
            return engine.raw_ops.SerializeIterator(resource_handle=iterator_resource)

        # While execution is eager, each save asks anew.
        state = position if ops.executing_eagerly() else position()
        super().__init__(iterator_resource, [SaveSpec(state, "", key, dtype=dtypes.variant, device=iterator_resource.device)], name)

    def restore(self, restored_tensors, restored_shapes):
        with ops.colocate_with(self.op):
            return engine.raw_ops.DeserializeIterator(resource_handle=self.op, serialized=restored_tensors[0])


_IteratorSaveable = IteratorSaveable


class SavedIterator(Trackable):
    """An iterator whose position checkpoints of objects contain."""

    def _gather_saveables_for_checkpoint(self):
        return {"ITERATOR": lambda name="ITERATOR": IteratorSaveable(self._iterator_resource, name, name + "_STATE")}


@export("data.Iterator")
class Iterator(SavedIterator):
    """An iteration over a data set."""

    def __init__(self, iterator_resource, initializer, output_types, output_shapes, output_classes):
        if output_types is None or output_shapes is None or output_classes is None:
            raise ValueError("If `structure` is not specified, all of `output_types`, `output_shapes`, and `output_classes` must be specified.")
        self._iterator_resource, self._initializer = iterator_resource, initializer
        self.element_spec = structure.convert_legacy_structure(output_types, output_shapes, output_classes)
        self._string_handle = engine.raw_ops.IteratorToStringHandle(resource_handle=iterator_resource)
        self._calls = 0
        ops.add_to_collection("iterators", iterator_resource)

    @staticmethod
    def _given(output_types, output_shapes, output_classes):
        types = structure.map_structure(dtypes.as_dtype, output_types)
        if output_shapes is None:
            shapes = structure.map_structure(lambda _: TensorShape(None), types)
        else:
            shapes = structure.map_up_to(types, as_shape, output_shapes)
        classes = structure.map_structure(lambda _: ops.Tensor, types) if output_classes is None else output_classes
        structure.assert_same_structure(types, shapes)
        return types, shapes, classes

    @staticmethod
    def _placed(make):
        """Creates on the CPU, unless the program has set a device."""
        if ops.get_default_graph()._device_stack:
            return make()
        with ops.device("/cpu:0"):
            return make()

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        """An iterator for any data set of this structure; make_initializer() binds one."""
        given = Iterator._given(output_types, output_shapes, output_classes)
        spec = structure.convert_legacy_structure(*given)
        resource = Iterator._placed(lambda: engine.raw_ops.IteratorV2(container="", shared_name=shared_name or "", **flat(spec)))
        return Iterator(resource, None, *given)

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        """The iterator whose handle is fed in a step."""
        given = Iterator._given(output_types, output_shapes, output_classes)
        spec = structure.convert_legacy_structure(*given)
        handle = ops.convert_to_tensor(string_handle, dtype=dtypes.string)
        resource = Iterator._placed(lambda: engine.raw_ops.IteratorFromStringHandleV2(string_handle=handle, **flat(spec)))
        return Iterator(resource, None, *given)

    @property
    def initializer(self):
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset, name=None):
        """An operation that starts an iteration over `dataset`."""
        with ops.name_scope(name, "make_initializer") as name:
            structure.assert_same_structure(self.output_types, dataset.output_types)
            structure.assert_same_structure(self.output_shapes, dataset.output_shapes)
            for have, want in zip(structure.flatten(self.output_classes), structure.flatten(dataset.output_classes)):
                if have is not want:
                    raise TypeError("Expected output classes %r but got dataset with output class %r." % (self.output_classes, dataset.output_classes))
            for have, want in zip(structure.flatten(self.output_types), structure.flatten(dataset.output_types)):
                if have != want:
                    raise TypeError("Expected output types %r but got dataset with output types %r." % (self.output_types, dataset.output_types))
            for have, want in zip(structure.flatten(self.output_shapes), structure.flatten(dataset.output_shapes)):
                if not have.is_compatible_with(want):
                    raise TypeError("Expected output shapes compatible with %r but got dataset with output shapes %r." % (self.output_shapes, dataset.output_shapes))
        with ops.colocate_with(self._iterator_resource):
            return engine.raw_ops.MakeIterator(dataset=dataset._variant_tensor, iterator=self._iterator_resource, name=name)

    def get_next(self, name=None):
        """The next element; OutOfRangeError at the end."""
        self._calls += 1
        if self._calls > _MANY_CALLS:
            warnings.warn(_MANY_CALLS_WARNING)
        return structure.from_compatible_tensor_list(self.element_spec, engine.raw_ops.IteratorGetNext(iterator=self._iterator_resource, name=name, **flat(self.element_spec)))

    def string_handle(self, name=None):
        """The string from which from_string_handle() gets this iterator."""
        return self._string_handle if name is None else engine.raw_ops.IteratorToStringHandle(resource_handle=self._iterator_resource, name=name)

    output_types = property(lambda self: structure.legacy_types(self.element_spec))
    output_shapes = property(lambda self: structure.legacy_shapes(self.element_spec))
    output_classes = property(lambda self: structure.legacy_classes(self.element_spec))


def _warn_of_other_graphs(dataset):
    current = ops.get_default_graph()
    todo, seen = [dataset], set()
    while todo:
        d = todo.pop(0)
        if id(d) in seen:
            continue
        seen.add(id(d))
        if d._graph is not current:
            logging.warning("The graph (%s) of the iterator is different from the graph (%s) the dataset: %s was created in. If you are using the Estimator API, make "
                            "sure that no part of the dataset returned by the `input_fn` function is defined outside the `input_fn` function. Please ensure that all "
                            "datasets in the pipeline are created in the same graph as the iterator. NOTE: This warning will become an error in future versions of "
                            "TensorFlow." % (current, d._graph, d._variant_tensor))
        todo += d._inputs()


def _variant_ops(dataset):
    """The ops that a data set depends on through variants."""
    todo, found = [dataset._variant_tensor.op], set()
    while todo:
        op = todo.pop()
        if op not in found:
            found.add(op)
            todo += [t.op for t in op.inputs if t.dtype == dtypes.variant]
    return found


@export("data.make_one_shot_iterator", "compat.v1.data.make_one_shot_iterator")
def make_one_shot_iterator(dataset):
    """An iterator over the data set, once, without initialization. While execution is eager, its elements have values."""
    if ops.executing_eagerly():
        return iter(dataset)
    _warn_of_other_graphs(dataset)
    allowed = _variant_ops(dataset)
    graph_seed, op_seed = ops.get_seed(None)

    @Defun(capture_by_value=True, whitelisted_stateful_ops=allowed)
    def _make_dataset():
        if graph_seed is not None:
            ops.set_random_seed((graph_seed + 87654321 * op_seed) % (2 ** 63 - 1))
        return dataset._apply_options()._variant_tensor

    _make_dataset._description = "Factory function for a dataset."
    try:
        _make_dataset.add_to_graph(ops.get_default_graph())
    except ValueError as e:
        if "Cannot capture a stateful node" in str(e):
            raise ValueError("Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does not support datasets that capture stateful "
                             "objects, such as a `Variable` or `LookupTable`. In these cases, use `Dataset.make_initializable_iterator()`. (Original error: %s)" % e)
        raise
    resource = engine.raw_ops.OneShotIterator(dataset_factory=_make_dataset, **flat(dataset.element_spec))
    return Iterator(resource, None, dataset.output_types, dataset.output_shapes, dataset.output_classes)


@export("data.make_initializable_iterator", "compat.v1.data.make_initializable_iterator")
def make_initializable_iterator(dataset, shared_name=None):
    """An iterator that starts when its `initializer` runs."""
    _warn_of_other_graphs(dataset)
    tuned = dataset._apply_options()
    resource = engine.raw_ops.IteratorV2(container="", shared_name=shared_name or "", **flat(tuned.element_spec))
    with ops.colocate_with(resource):
        initializer = engine.raw_ops.MakeIterator(dataset=tuned._variant_tensor, iterator=resource)
    return Iterator(resource, initializer, tuned.output_types, tuned.output_shapes, tuned.output_classes)
