"""How values of several devices are summed, and how a value is copied to several devices."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..ops import IndexedSlices, Tensor
from ..platform import tf_logging as logging
from ..variable_base import Variable
from . import devices
from .reduce_op import ReduceOp
from .values import DistributedValues, is_tensor, Mirrored, PerReplica, regroup


def _has_place(destinations):
    return bool(destinations.device) if isinstance(destinations, (Variable, Tensor)) and not isinstance(destinations, DistributedValues) else bool(destinations)


def _check_destinations(destinations):
    if not isinstance(destinations, (DistributedValues, devices.DeviceMap, Variable, Tensor, str)):
        raise ValueError("destinations must be one of a `DistributedValues` object, a tf.Variable object, or a device string.")
    if not _has_place(destinations):
        raise ValueError("destinations can not be empty")


def map_of(destinations):
    """The device map that destinations stand for."""
    if isinstance(destinations, devices.DeviceMap):
        return destinations
    if isinstance(destinations, DistributedValues):
        return destinations.device_map
    return devices.single(devices.resolve(destinations if isinstance(destinations, str) else destinations.device))


def _same_devices(a, b):
    return set(map_of(a).devices) == set(map_of(b).devices)


def _per_replica(value):
    if isinstance(value, PerReplica):
        return value
    if isinstance(value, (list, tuple)):
        raise ValueError("Cannot convert `input_tensor` to a `PerReplica` object, got %r but expected a object that is not a tuple or list." % (value,))
    if not hasattr(value, "device"):
        raise ValueError("Cannot convert `input_tensor` to a `PerReplica` object because it doesn't have device set.")
    return PerReplica(devices.single(value.device), (value,))


def copied(value, device):
    """A copy of a tensor or of slices on a device."""
    with ops.device(device):
        if isinstance(value, IndexedSlices):
            parts = [engine.raw_ops.Identity(input=value.values), engine.raw_ops.Identity(input=value.indices)]
            return IndexedSlices(*parts, dense_shape=None if value.dense_shape is None else engine.raw_ops.Identity(input=value.dense_shape))
        return engine.raw_ops.Identity(input=value)


def broadcast(value, destinations, always_mirrored=False):
    """Copies of a value on all destinations."""
    places = map_of(destinations)
    if len(places) == 1 and not always_mirrored:
        return copied(value, places.devices[0])
    return regroup(places, tuple(copied(value, d) for d in places.devices), Mirrored)


def reduce_plain(reduce_op, replicas, value, destinations):
    """The sum or mean of a value that is the same object on all replicas."""
    if not is_tensor(value) and value == 0:
        return 0
    if reduce_op is ReduceOp.MEAN:
        return value
    _check_destinations(destinations)
    if replicas != 1:
        raise ValueError("A non-DistributedValues value %s cannot be reduced with the given reduce op %s." % (value, reduce_op))
    return broadcast(value, destinations)


def _sum_of_slices(values):
    """The slices of all values as one; rows that occur several times count each time."""
    if len(values) == 1:
        return values[0]
    parts = []
    for v in values:
        if not isinstance(v, IndexedSlices):
            shape = basics.shape(v)
            v = IndexedSlices(v, engine.range(0, shape[0]), shape)
        parts.append(v)
    if len({v.indices.dtype for v in parts}) > 1:
        parts = [IndexedSlices(v.values, basics.cast(v.indices, dtypes.int64), v.dense_shape) for v in parts]
    return IndexedSlices(engine.concat([v.values for v in parts], axis=0), engine.concat([v.indices for v in parts], axis=0), parts[0].dense_shape)


def _divided(value, count):
    if isinstance(value, IndexedSlices):
        return IndexedSlices(value.values / count, value.indices, value.dense_shape)
    return value / count


def _is_sparse(value):
    return any(isinstance(v, IndexedSlices) for v in value.values)


@export("distribute.CrossDeviceOps")
class CrossDeviceOps:
    """Base of the ways to sum values of devices. Subclasses define reduce_implementation() and batch_reduce_implementation()."""

    def __init__(self):
        pass

    def reduce(self, reduce_op, per_replica_value, destinations):
        """The sum or mean of the components, on the destinations."""
        if not isinstance(per_replica_value, DistributedValues):
            per_replica_value = _per_replica(per_replica_value)
        _check_destinations(destinations)
        if len(per_replica_value.values) == 1 and _same_devices(per_replica_value, destinations):
            return regroup(per_replica_value.device_map, per_replica_value.values, Mirrored)
        return self.reduce_implementation(reduce_op, per_replica_value, destinations)

    def batch_reduce(self, reduce_op, value_destination_pairs):
        """reduce() of several pairs of a value and its destinations."""
        pairs = []
        for pair in value_destination_pairs:
            if not isinstance(pair, tuple):
                raise ValueError("Each element of `value_destination_pairs` should be a tuple.")
            if len(pair) != 2:
                raise ValueError("Each element of `value_destination_pairs` should be a tuple of size 2.")
            pairs.append((_per_replica(pair[0]), pair[1]))
        for _, destinations in pairs:
            _check_destinations(destinations)
        if pairs and len(pairs[0][0].values) == 1 and _all_match(pairs):
            return [regroup(v.device_map, v.values, Mirrored) for v, _ in pairs]
        return self.batch_reduce_implementation(reduce_op, pairs)

    def broadcast(self, tensor, destinations):
        """Copies of a tensor on all destinations."""
        _check_destinations(destinations)
        return self.broadcast_implementation(tensor, destinations)

    def reduce_implementation(self, reduce_op, per_replica_value, destinations):
        raise NotImplementedError("_reduce method must be implemented in descendants.")

    def batch_reduce_implementation(self, reduce_op, value_destination_pairs):
        raise NotImplementedError("_batch_reduce method must be implemented in descendants.")

    def broadcast_implementation(self, tensor, destinations):
        return broadcast(tensor, destinations, always_mirrored=True)


def _all_match(pairs):
    return all(_same_devices(v, d) and _same_devices(v, pairs[0][0]) for v, d in pairs)


@export("distribute.ReductionToOneDevice")
class ReductionToOneDevice(CrossDeviceOps):
    """Sums on one device, then copies the sum to all destinations."""

    def __init__(self, reduce_to_device=None, accumulation_fn=None):
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn or engine.add_n
        super().__init__()

    def reduce_implementation(self, reduce_op, per_replica_value, destinations):
        places = map_of(destinations if _has_place(destinations) else per_replica_value).devices
        place = self.reduce_to_device or places[0]
        logging.log_first_n(logging.INFO, "Reduce to %s then broadcast to %r." % (place, places), 10)
        return self.broadcast(self._reduced(reduce_op, per_replica_value.values, place), destinations)

    def _reduced(self, reduce_op, values, place):
        if len(values) == 1 and values[0].device == place:
            return values[0]
        if reduce_op not in (ReduceOp.SUM, ReduceOp.MEAN):
            raise ValueError("`reduce_op` must be Reduce.SUM or Reduce.MEAN.")
        with ops.device(place):
            total = _sum_of_slices(values) if any(isinstance(v, IndexedSlices) for v in values) else self.accumulation_fn(values)
            return _divided(total, len(values)) if reduce_op is ReduceOp.MEAN else total

    def batch_reduce_implementation(self, reduce_op, value_destination_pairs):
        return [self.reduce_implementation(reduce_op, v, d) for v, d in value_destination_pairs]


class AllReduceCrossDeviceOps(CrossDeviceOps):
    """Sums of which each device gets a copy at once, for lists of gradients. `num_packs`: into how many tensors the gradients are packed; 0: not packed."""

    _algorithm = ""

    def __init__(self, num_packs=1):
        self._num_packs = num_packs
        self._simple = ReductionToOneDevice()
        super().__init__()

    def reduce_implementation(self, reduce_op, per_replica_value, destinations):
        if _same_devices(per_replica_value, destinations):
            return self._all_reduced(reduce_op, [per_replica_value])[0]
        return self._simple.reduce(reduce_op, per_replica_value, destinations)

    def batch_reduce_implementation(self, reduce_op, value_destination_pairs):
        if _all_match(value_destination_pairs):
            return self._all_reduced(reduce_op, [v for v, _ in value_destination_pairs])
        return [self.reduce_implementation(reduce_op, v, d) for v, d in value_destination_pairs]

    def _all_reduced(self, reduce_op, values):
        dense = [v for v in values if not _is_sparse(v)]
        sparse = [v for v in values if _is_sparse(v)]
        dense_done = iter(self._dense(reduce_op, dense) if dense else [])
        sparse_done = iter(self._simple.batch_reduce(reduce_op, [(v, v) for v in sparse]) if sparse else [])
        return [next(sparse_done if _is_sparse(v) else dense_done) for v in values]

    def _dense(self, reduce_op, values):
        logging.log_first_n(logging.INFO, "batch_all_reduce: %d all-reduces with algorithm = %s, num_packs = %d, agg_small_grads_max_bytes = 0 and "
                            "agg_small_grads_max_group = 10" % (len(values), self._algorithm, self._num_packs), 10)
        of_device = [list(column) for column in zip(*[v.values for v in values])]
        packs = [_Packs(tensors, self._num_packs) for tensors in of_device] if self._num_packs else None
        sums = self._sums(values[0].devices, [p.packed for p in packs] if packs else of_device)
        if packs:
            sums = [p.unpacked(mine) for p, mine in zip(packs, sums)]
        if reduce_op is ReduceOp.MEAN:
            sums = [[_on_its_device(t, len(values[0].devices)) for t in mine] for mine in sums]
        return [regroup(values[0].device_map, same, Mirrored) for same in zip(*sums)]

    def _sums(self, places, of_device):
        """For each device the sums over all devices, in the order of its tensors."""
        raise NotImplementedError()


def _on_its_device(tensor, count):
    with ops.device(tensor.device):
        return tensor / count


class _Packs:
    """The tensors of one device, joined and cut into `count` parts."""

    def __init__(self, tensors, count):
        with ops.colocate_with(tensors[0]):
            flat = [engine.reshape(t, [-1]) for t in tensors]
            self._shapes = [basics.shape(t) for t in tensors]
            self._sizes = [basics.size(t) for t in tensors]
            joined = engine.concat(flat, 0)
            known = all(t.shape.is_fully_defined() for t in tensors)
            total = sum(t.shape.num_elements() for t in tensors) if known else basics.size(joined)
            part = total // count
            self.packed = list(engine.split(joined, [part] * (count - 1) + [total - part * (count - 1)]))

    def unpacked(self, packed):
        """Tensors with the original shapes, cut from packs with other values."""
        with ops.colocate_with(packed[0]):
            parts = engine.split(engine.concat(packed, 0), self._sizes)
            return [engine.reshape(t, shape) for shape, t in zip(self._shapes, parts)]


@export("distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(AllReduceCrossDeviceOps):
    """Sums within two halves of the devices, then the two sums, and copies the total back through both halves."""

    _algorithm = "hierarchical_copy"

    def __init__(self, num_packs=1):
        if num_packs < 0:
            raise ValueError("HierarchicalCopy requires num_packs >= 0, but {} is specified".format(num_packs))
        super().__init__(num_packs)

    def _sums(self, places, of_device):
        half = len(places) // 2
        if not half:
            raise ValueError("HierarchicalCopyAllReduce needs at least two devices, found %s" % list(places))
        out = [[] for _ in places]
        for i, same in enumerate(zip(*of_device)):
            # The two devices that hold the halves' sums alternate, so that no device does all the work.
            main = i % len(places)
            other = (main + half) % len(places)
            first = main < half
            begins = (0, half) if first else (half, 0)
            partial = []
            for place, begin in zip((main, other), begins):
                with ops.device(places[place]):
                    partial.append(engine.add_n(list(same[begin:begin + half if begin == 0 else len(places)])))
            with ops.device(places[main]):
                total = engine.add_n(partial)
                here = engine.raw_ops.Identity(input=total)
            with ops.device(places[other]):
                there = engine.raw_ops.Identity(input=total)
            for j, place in enumerate(places):
                with ops.device(place):
                    out[j].append(engine.raw_ops.Identity(input=here if first == (j < half) else there))
        return out


@export("distribute.NcclAllReduce")
class NcclAllReduce(AllReduceCrossDeviceOps):
    """Sums with NCCL, among GPUs."""

    _algorithm = "nccl"

    def __init__(self, num_packs=1):
        if num_packs < 0:
            raise ValueError("NCCL all-reduce requires num_packs >= 0, but {} is specified".format(num_packs))
        super().__init__(num_packs)

    def _sums(self, places, of_device):
        others = [d for d in places if "/device:GPU:" not in d]
        if others:
            raise ValueError("NcclAllReduce needs GPUs: %s is none. Choose tf.distribute.ReductionToOneDevice or tf.distribute.HierarchicalCopyAllReduce as cross_device_ops."
                             % others[0])
        # The engine has no NCCL. The same sums, in the order of the devices, then a copy for each of them.
        columns = []
        for same in zip(*of_device):
            with ops.device(places[0]):
                total = engine.add_n(list(same))
            columns.append([copied(total, place) for place in places])
        return [list(mine) for mine in zip(*columns)]


def best_for(places):
    """The way to sum for these devices when the program chooses none."""
    return NcclAllReduce() if len(places) > 1 and all("/device:GPU:" in d for d in places) else ReductionToOneDevice()
