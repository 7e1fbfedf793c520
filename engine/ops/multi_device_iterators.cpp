#include <deque>

#include "kernel/session_state.h"
#include "ops/functions.h"
#include "ops/iterators.h"
#include "ops/state_ops.h"
#include "proto/graph.pb.h"
#include "weft/mutex.h"

// Iterators whose elements go to several devices in turns.
namespace weft {
namespace {

/// Elements go to the shards in turns. A shard that is ahead also computes the elements of the others, which are kept for them.
class ShardedIterator final : public SessionResource {
 public:
  ShardedIterator(ElementSpec spec, size_t shards) : spec_(std::move(spec)), shards_(shards), waiting_(shards) {}
  std::string kind() const override { return "multi-device iterator"; }
  size_t shards() const { return shards_; }

  Result<int64_t> begin(const DatasetPtr& dataset, const CallSite& site) {
    WEFT_TRY(checkSpec(spec_, dataset->spec()));
    WEFT_LET(auto iterator, dataset->makeIterator({std::make_shared<IteratorSharedState>(), "Iterator", {}, site}));
    const MutexLock lock(mutex_);
    iterator_ = std::move(iterator);
    turn_ = 0;
    for (auto& w : waiting_) w.clear();
    return ++incarnation_;
  }
  Result<bool> next(size_t shard, int64_t incarnation, const CallSite& site, Element& out) {
    const MutexLock lock(mutex_);
    if (incarnation_ == 0)
      return failedPrecondition("Multi device iterator has not been initialized. Ensure that you have run the initializer operation for it.");
    if (incarnation != incarnation_) return invalidArgument("Invalid incarnation id. Provided: ", incarnation, "; Expected: ", incarnation_);
    while (waiting_[shard].empty()) {
      WEFT_TRY(site.check());
      if (!iterator_) return false;
      Element element;
      WEFT_LET(const bool more, iterator_->next(site, element));
      if (!more) {
        iterator_.reset();
        return false;
      }
      waiting_[turn_].push_back(std::move(element));
      turn_ = (turn_ + 1) % waiting_.size();
    }
    out = std::move(waiting_[shard].front());
    waiting_[shard].pop_front();
    return true;
  }

 private:
  const ElementSpec spec_;
  const size_t shards_;
  Mutex mutex_;
  std::unique_ptr<DatasetIterator> iterator_ WEFT_GUARDED_BY(mutex_);
  std::vector<std::deque<Element>> waiting_ WEFT_GUARDED_BY(mutex_);  // by shard
  size_t turn_ WEFT_GUARDED_BY(mutex_) = 0;
  int64_t incarnation_ WEFT_GUARDED_BY(mutex_) = 0;
};

Result<std::shared_ptr<ShardedIterator>> shardedOf(const ResourceHandle& handle) {
  auto iterator = std::dynamic_pointer_cast<ShardedIterator>(handle.resource);
  if (!iterator) return notFound("Resource ", handle.container, "/", handle.name, "/N10tensorflow4data12_GLOBAL__N_119MultiDeviceIteratorE does not exist.");
  return iterator;
}

Result<std::unique_ptr<Kernel>> shardedKernel(KernelInit& init) {
  ResourceHandle handle = iteratorHandle(init.attrs(), init.node().name, init.device());
  const ElementSpec spec = declaredSpec(init.attrs());
  const size_t shards = init.attrs().list<std::string>("devices").size();
  const auto create = [&]() -> Result<std::shared_ptr<ShardedIterator>> { return std::make_shared<ShardedIterator>(spec, shards); };
  WEFT_LET(handle.resource, init.session().lookupOrCreate<ShardedIterator>(handle.container, handle.name, create));
  return functionKernel([out = handleTensor(std::move(handle))](KernelContext& c) -> Status {
    c.setOutput(0, out);
    return {};
  });
}

Status anonymousSharded(KernelContext& c) {
  auto made = std::make_shared<ShardedIterator>(declaredSpec(c.node().attrs), c.node().attrs.list<std::string>("devices").size());
  c.setOutput(0, handleTensor(anonymousHandle(c, "AnonymousMultiDeviceIterator", std::move(made))));
  c.setOutput(1, deleterTensor());
  return {};
}

Status beginSharded(KernelContext& c) {
  WEFT_LET(const DatasetPtr dataset, datasetOf(c, 0));
  WEFT_LET(const auto iterator, shardedOf(handleOf(c, 1)));
  WEFT_LET(const int64_t incarnation, iterator->begin(dataset, CallSite::of(c)));
  c.setOutput(0, Tensor::scalar(incarnation));
  return {};
}

Status nextOfShard(KernelContext& c) {
  WEFT_LET(const auto iterator, shardedOf(handleOf(c, 0)));
  WEFT_LET(const int32_t shard, scalarArgument<int32_t>(c, 1, "shard_num"));
  WEFT_LET(const int64_t incarnation, scalarArgument<int64_t>(c, 2, "incarnation_id"));
  if (shard < 0 || size_t(shard) >= iterator->shards()) return invalidArgument("shard_num ", shard, " must lie in [0, ", iterator->shards(), ")");
  Element element;
  WEFT_LET(const bool more, iterator->next(size_t(shard), incarnation, CallSite::of(c), element));
  if (!more) return outOfRange("End of sequence");
  WEFT_TRY(checkElement(declaredSpec(c.node().attrs), element));
  for (size_t k = 0; k < element.size(); ++k) c.setOutput(int(k), std::move(element[k]));
  return {};
}

Status shardedToString(KernelContext& c) {
  const ResourceHandle& handle = handleOf(c, 0);
  WEFT_TRY(shardedOf(handle).status());
  tensorflow::ResourceHandleProto proto;
  proto.set_device(handle.device);
  proto.set_container(handle.container);
  proto.set_name(handle.name);
  c.setOutput(0, Tensor::scalar(proto.SerializeAsString()));
  return {};
}

Status shardedFromString(KernelContext& c) {
  WEFT_LET(const std::string text, scalarArgument<std::string>(c, 0, "string_handle"));
  tensorflow::ResourceHandleProto proto;
  if (!proto.ParseFromString(text)) return invalidArgument("Could not parse string_handle as a valid ResourceHandle");
  ResourceHandle handle;
  handle.device = proto.device();
  handle.container = proto.container();
  handle.name = proto.name();
  handle.resource = c.session().find<ShardedIterator>(handle.container, handle.name);
  WEFT_TRY(shardedOf(handle).status());
  c.setOutput(0, handleTensor(std::move(handle)));
  return {};
}

}  // namespace

void registerMultiDeviceIterators(OpRegistry& ops) {
  const auto op = [&](const char* name, const char* summary) -> OpRecord& { return iteratorOp(ops, name, summary); };
  declaresElements(op("MultiDeviceIterator", "Creates an iterator that distributes elements over several devices in turn.")
                       .output("handle: resource", "Handle of the iterator.")
                       .attr("devices: list(string) >= 1", "The devices.")
                       .attr("shared_name: string", "Ops with the same name share the iterator; empty: the node's name.")
                       .attr("container: string", "Resource container."))
      .cpu({}, shardedKernel);
  declaresElements(op("AnonymousMultiDeviceIterator", "Creates an anonymous multi-device iterator.")
                       .output("handle: resource", "Handle of the iterator.")
                       .output("deleter: variant", "Deletes the iterator.")
                       .attr("devices: list(string) >= 1", "The devices."))
      .cpu({}, simpleKernel(anonymousSharded));
  op("MultiDeviceIteratorInit", "Initializes a multi-device iterator with a data set; it starts at the first element.")
      .input("dataset: variant", "The data set.")
      .input("multi_device_iterator: resource", "Handle of the iterator.")
      .input("max_buffer_size: int64", "Ignored; elements are computed in the requesting thread.")
      .output("incarnation_id: int64", "Incarnation: counts the initializations of the iterator.")
      .cpu({}, simpleKernel(beginSharded));
  declaresElements(op("MultiDeviceIteratorGetNextFromShard", "The next element for one device of a multi-device iterator.")
                       .input("multi_device_iterator: resource", "Handle of the iterator.")
                       .input("shard_num: int32", "Index of the device.")
                       .input("incarnation_id: int64", "Incarnation id from MultiDeviceIteratorInit.")
                       .output("components: list(output_types)", "The element's components."))
      .shape(elementShapes)
      .cpu({}, simpleKernel(nextOfShard));
  op("MultiDeviceIteratorToStringHandle", "Converts a multi-device iterator handle to a string.")
      .input("multi_device_iterator: resource", "Handle of the iterator.")
      .output("string_handle: string", "The string.")
      .cpu({}, simpleKernel(shardedToString));
  op("MultiDeviceIteratorFromStringHandle", "Converts a string back to a multi-device iterator handle.")
      .input("string_handle: string", "String from MultiDeviceIteratorToStringHandle.")
      .output("multi_device_iterator: resource", "Handle of the iterator.")
      .attr("output_types: list(type) >= 0 = []", "Expected types of the elements; empty: not checked.")
      .attr("output_shapes: list(shape) >= 0 = []", "Expected shapes of the elements; empty: not checked.")
      .cpu({}, simpleKernel(shardedFromString));
  op("DeleteMultiDeviceIterator", "Deletes an anonymous multi-device iterator.")
      .input("multi_device_iterator: resource", "Handle of the iterator.")
      .input("iterators: N * resource", "Iterators of the individual devices.")
      .input("deleter: variant", "The deleter that was created with it.")
      .attr("N: int >= 0", "Number of devices.")
      .shape(shapes::none)
      .cpu({}, simpleKernel(deleteIterator));
  state(ops, OpRole::Iterator, Effect::Makes, "AnonymousMultiDeviceIterator MultiDeviceIterator");
  state(ops, OpRole::IteratorByName, Effect::Makes, "MultiDeviceIteratorFromStringHandle");
  state(ops, OpRole::IteratorName, Effect::Reads, "MultiDeviceIteratorToStringHandle");
  state(ops, OpRole::MakeIterator, Effect::Input, "MultiDeviceIteratorInit");
  state(ops, OpRole::IteratorGetNext, Effect::Input, "MultiDeviceIteratorGetNextFromShard");
  state(ops, OpRole::Compute, Effect::Object, "DeleteMultiDeviceIterator");
  retain(
      ops,
      "AnonymousMultiDeviceIterator DeleteMultiDeviceIterator MultiDeviceIterator MultiDeviceIteratorFromStringHandle MultiDeviceIteratorGetNextFromShard MultiDeviceIteratorInit MultiDeviceIteratorToStringHandle");
}

}  // namespace weft
