"""tf.TensorArray."""

from . import basics, dtypes, engine, ops
from .exports import export
from .op_calls import raw
from .ops import name_scope, Tensor
from .tensor_shape import TensorShape, unknown_shape


@export("TensorArray")
class TensorArray:
    """An array of tensors that a graph reads and writes element by element, mostly in loops."""

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None, tensor_array_name=None, handle=None, flow=None, infer_shape=True, element_shape=None,
                 colocate_with_first_write_call=True, name=None):
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot construct with both handle and tensor_array_name")
        if handle is not None and not isinstance(handle, Tensor):
            raise TypeError("Handle must be a Tensor")
        if handle is None and size is None:
            raise ValueError("Size must be provided if handle is not provided")
        if handle is not None and size is not None:
            raise ValueError("Cannot provide both a handle and size at the same time")
        if handle is not None and element_shape is not None:
            raise ValueError("Cannot provide both a handle and element_shape at the same time")
        if handle is not None and dynamic_size is not None:
            raise ValueError("Cannot provide both a handle and dynamic_size at the same time")
        if handle is not None and clear_after_read is not None:
            raise ValueError("Cannot provide both a handle and clear_after_read at the same time")
        self._dynamic_size = dynamic_size or False
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._colocate_with = [] if colocate_with_first_write_call else None
        self._infer_shape = infer_shape if element_shape is None else True
        self._element_shape = [] if element_shape is None else [TensorShape(element_shape)]
        with name_scope(name, "TensorArray", [handle, size, flow]) as scope:
            if handle is not None:
                self._handle = handle
                if flow is None:
                    raise ValueError("flow must not be None if handle is not None.")
                self._flow = flow
                return

            def make():
                return raw("TensorArrayV3")(size, self._dtype, element_shape=element_shape, identical_element_shapes=infer_shape, dynamic_size=self._dynamic_size,
                                            clear_after_read=not ops.executing_eagerly() if clear_after_read is None else clear_after_read, tensor_array_name=tensor_array_name or "", name=scope)

            # The first tensor written to it decides its device.
            graph = ops.get_default_graph()
            if colocate_with_first_write_call:
                with graph.device(None), graph.colocate_with(None, ignore_existing=True):
                    self._handle, self._flow = make()
            else:
                self._handle, self._flow = make()

    dtype = property(lambda self: self._dtype)
    flow = property(lambda self: self._flow)
    handle = property(lambda self: self._handle)
    dynamic_size = property(lambda self: self._dynamic_size)
    element_shape = property(lambda self: self._element_shape[0] if self._element_shape else unknown_shape(None))
    op = property(lambda self: self._flow.op)
    graph = property(lambda self: self._flow.graph)
    device = property(lambda self: self._flow.device)

    def _with_flow(self, flow):
        ta = TensorArray.__new__(TensorArray)
        ta.__dict__.update(self.__dict__)
        ta._flow = flow
        return ta

    def _merge(self, shape):
        if not self._infer_shape:
            return
        if self._element_shape:
            if not shape.is_compatible_with(self._element_shape[0]):
                raise ValueError("Inconsistent shapes: saw %s but expected %s (and infer_shape=True)" % (shape, self._element_shape[0]))
            self._element_shape[0] = self._element_shape[0].merge_with(shape)
        elif shape.ndims is not None:
            self._element_shape.append(shape)

    def _beside(self, value):
        import contextlib

        if self._colocate_with is None:
            return contextlib.nullcontext()
        if not self._colocate_with:
            self._colocate_with.append(value)
        return ops.colocate_with(self._colocate_with[0])

    def _check(self, value):
        if value.dtype.base_dtype != self._dtype.base_dtype:
            raise TypeError("Expected {}, got {} of type '{}' instead.".format(self._dtype.name, value, value.dtype.name) if False else
                            "TensorArray dtype is %s but Op is trying to write dtype %s." % (self._dtype.name, value.dtype.name))

    def identity(self):
        return self._with_flow(raw("Identity")(self._flow))

    def grad(self, source, flow=None, name=None):
        flow = self._flow if flow is None else flow
        with name_scope(name, "TensorArrayGrad", [self._handle]):
            with ops.colocate_with(self._handle):
                handle, _ = raw("TensorArrayGradV3")(self._handle, flow, source, name=name)
                with ops.control_dependencies([handle]):
                    flow = raw("Identity")(flow, name="gradient_flow")
                ta = TensorArray(self._dtype, handle=handle, flow=flow, infer_shape=self._infer_shape, colocate_with_first_write_call=False)
                ta._element_shape = self._element_shape
                return ta

    def read(self, index, name=None):
        value = raw("TensorArrayReadV3")(self._handle, index, self._flow, self._dtype, name=name)
        if self._element_shape:
            value.set_shape(self._element_shape[0])
        return value

    def write(self, index, value, name=None):
        with name_scope(name, "TensorArrayWrite", [self._handle, index, value]):
            value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check(value)
            self._merge(value.shape)
            with self._beside(value):
                return self._with_flow(raw("TensorArrayWriteV3")(self._handle, index, value, self._flow, name=name))

    def stack(self, name=None):
        if ops.executing_eagerly() and not int(self.size()) and not (self._element_shape and self._element_shape[0].is_fully_defined()):
            return engine.zeros([0], self._dtype)
        with ops.colocate_with(self._handle):
            with name_scope(name, "TensorArrayStack", [self._handle]):
                return self.gather(engine.range(0, self.size()), name=name)

    def gather(self, indices, name=None):
        shape = self._element_shape[0] if self._element_shape else unknown_shape(None)
        value = raw("TensorArrayGatherV3")(self._handle, indices, self._flow, self._dtype, element_shape=shape, name=name)
        if self._element_shape and shape.ndims is not None:
            value.set_shape([None] + shape.as_list())
        return value

    def concat(self, name=None):
        known = self._element_shape and self._element_shape[0].ndims is not None
        rest = TensorShape(self._element_shape[0].as_list()[1:]) if known else TensorShape(None)
        value, _ = raw("TensorArrayConcatV3")(self._handle, self._flow, self._dtype, element_shape_except0=rest, name=name)
        if known:
            value.set_shape([None] + self._element_shape[0].as_list()[1:])
        return value

    def unstack(self, value, name=None):
        with name_scope(name, "TensorArrayUnstack", [self._handle, value]):
            n = basics.shape(value)[0]
            return self.scatter(indices=engine.range(0, n), value=value, name=name)

    def scatter(self, indices, value, name=None):
        with name_scope(name, "TensorArrayScatter", [self._handle, value, indices]):
            value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check(value)
            if value.shape.ndims is not None:
                self._merge(value.shape[1:])
            with self._beside(value):
                return self._with_flow(raw("TensorArrayScatterV3")(self._handle, indices, value, self._flow, name=name))

    def split(self, value, lengths, name=None):
        with name_scope(name, "TensorArraySplit", [self._handle, value, lengths]):
            value = ops.convert_to_tensor(value, dtype=self._dtype, name="value")
            with self._beside(value):
                lengths = basics.cast(lengths, dtypes.int64)
                known = ops.constant_value(lengths)
                if value.shape.ndims is not None and known is not None and known.max() == known.min():
                    self._merge(TensorShape([int(known[0])]).concatenate(value.shape[1:]))
                return self._with_flow(raw("TensorArraySplitV3")(self._handle, value, lengths, self._flow, name=name))

    def size(self, name=None):
        return raw("TensorArraySizeV3")(self._handle, self._flow, name=name)

    def close(self, name=None):
        return raw("TensorArrayCloseV3")(self._handle, name=name)

    unpack, pack = unstack, stack
