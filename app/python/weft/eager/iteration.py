"""`for element in dataset` while execution is eager."""

import itertools
import weakref

from .. import context, engine, ops
from ..autograph import builtin_functions, flow
from ..data import dataset as datasets
from ..data import structure
from ..data.experimental import scan, take_while
from ..data.iterators import SavedIterator
from ..data.optional import get_next_as_optional
from ..data.structure import flat
from ..errors import OutOfRangeError

_numbers = itertools.count()


def _delete(resource):
    try:
        with context.eager_graph().as_default():  # memory is collected at any time, also while a function is traced
            engine.raw_ops.DestroyResourceOp(resource=resource, ignore_lookup_error=True)
    except Exception:  # the interpreter may be ending
        pass


class EagerIterator(SavedIterator):
    """An iteration over a data set; its elements are tensors with values."""

    def __init__(self, dataset):
        self.element_spec = dataset.element_spec
        self._dataset = dataset  # keeps its functions
        self._resource = engine.raw_ops.IteratorV2(container="", shared_name="eager_iterator_%d" % next(_numbers), **flat(self.element_spec))
        self._tuned = dataset._apply_options()
        engine.raw_ops.MakeIterator(dataset=self._tuned._variant_tensor, iterator=self._resource)
        weakref.finalize(self, _delete, self._resource).atexit = False

    _iterator_resource = property(lambda self: self._resource)

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return self.get_next()
        except OutOfRangeError:
            raise StopIteration from None

    next = __next__

    def get_next(self, name=None):
        """The next element; OutOfRangeError at the end."""
        return structure.from_compatible_tensor_list(self.element_spec, engine.raw_ops.IteratorGetNextSync(iterator=self._resource, **flat(self.element_spec)))

    _next_internal = get_next
    output_types = property(lambda self: structure.legacy_types(self.element_spec))
    output_shapes = property(lambda self: structure.legacy_shapes(self.element_spec))
    output_classes = property(lambda self: structure.legacy_classes(self.element_spec))


def _iterate(dataset):
    if ops.executing_eagerly():
        return EagerIterator(dataset)
    raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is enabled.")


datasets.iterate = _iterate
flow.scan, flow.take_while, flow.get_next_as_optional = scan, take_while, get_next_as_optional
builtin_functions.dataset_class = datasets.Dataset
