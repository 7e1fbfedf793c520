#include <unordered_map>

#include "ops/queue.h"
#include "ops/session_objects.h"
#include "tensor/element_types.h"
#include "tensor/type_list.h"
#include "weft/mutex.h"

// Barriers: tuples assembled component by component under a key, and taken once complete, oldest first.
namespace weft {
namespace {

using Done = AsyncKernel::Done;
using Cancel = AsyncKernel::Cancel;

class Barrier final : public SessionResource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow7barrier7BarrierE";

  Barrier(std::string name, std::vector<DType> types, std::vector<Shape> shapes)
      : name_(std::move(name)), types_(std::move(types)), shapes_(std::move(shapes)), ready_(makePriorityQueue(readyOptions())) {}
  std::string kind() const override { return "barrier"; }
  const std::string& name() const { return name_; }
  const std::vector<DType>& types() const { return types_; }
  const std::vector<Shape>& shapes() const { return shapes_; }

  int64_t readySize() const { return ready_->size(); }
  int64_t incompleteSize() const {
    const MutexLock lock(mutex_);
    return int64_t(incomplete_.size());
  }

  /// One value of component `component` for each key.
  Status insert(const Tensor& keys, const Tensor& values, int component) {
    std::vector<Queue::Tuple> complete;
    bool ends = false;
    Status status;
    {
      const MutexLock lock(mutex_);
      const int64_t n = keys.elements();
      if (closed_ && (cancelled_ || (n == 0 && incomplete_.empty())))
        return cancelledError("Barrier ", name_, " is closed.  Pending enqueues cancelled: ", int(cancelled_), ".  Number of new insertions: ", n,
                              ".  Number of incomplete keys: ", incomplete_.size(), ".");
      bool fresh = false;
      for (int64_t i = 0; i < n && status.ok(); ++i) status = insertOne(keys, values, component, i, complete, &fresh);
      if (fresh) ++nextIndex_;
      ends = closed_ && incomplete_.empty();
    }
    for (Queue::Tuple& t : complete) Queue::enqueue(ready_, std::move(t), [](Result<AsyncKernel::Outputs>) {});
    if (ends) Queue::close(ready_, false, [](Result<AsyncKernel::Outputs>) {});
    return status;
  }

  Result<Cancel> take(int64_t n, bool orFewer, const Done& done) {
    {
      const MutexLock lock(mutex_);
      if (closed_) {
        int64_t there = ready_->size();
        if (orFewer) n = std::min(n, there);
        else there += int64_t(incomplete_.size());
        if (there < std::max<int64_t>(n, 1))
          return outOfRange("Barrier '", name_, "' is closed and has insufficient elements (requested ", n, ", total size ", there, ")");
      }
    }
    WEFT_TRY(ready_->checkBatching());
    return Queue::dequeueMany(ready_, n, orFewer, done);
  }

  Status close(bool cancelPending) {
    bool ends = false;
    {
      const MutexLock lock(mutex_);
      if (closed_ && (cancelled_ || !cancelPending)) return cancelledError("Barrier '", name_, "' is already closed.");
      closed_ = true;
      cancelled_ = cancelPending;
      ends = cancelPending || incomplete_.empty();
      if (ends) incomplete_.clear();
    }
    if (ends) Queue::close(ready_, false, [](Result<AsyncKernel::Outputs>) {});
    return {};
  }

 private:
  struct Incomplete {
    int64_t index = 0;
    std::vector<Tensor> values;
  };

  QueueOptions readyOptions() const {
    QueueOptions o;
    o.kind = "PriorityQueue";
    o.name = name_;
    o.types = {DType::Int64, DType::String};
    o.types.insert(o.types.end(), types_.begin(), types_.end());
    if (!shapes_.empty()) {
      o.shapes = {Shape(), Shape()};
      o.shapes.insert(o.shapes.end(), shapes_.begin(), shapes_.end());
    }
    o.capacity = INT32_MAX;
    return o;
  }

  Status insertOne(const Tensor& keys, const Tensor& values, int component, int64_t i, std::vector<Queue::Tuple>& complete, bool* fresh) WEFT_REQUIRES(mutex_) {
    const std::string& key = keys.data<std::string>()[i];
    auto it = incomplete_.find(key);
    if (it == incomplete_.end()) {
      if (closed_)
        return cancelledError("Barrier ", name_, " is closed, but attempted to insert a brand new key: ", key,
                              ".  Pending enqueues cancelled: ", int(cancelled_), ".  Insertion index: ", i,
                              ".  Number of incomplete keys: ", incomplete_.size(), ".");
      it = incomplete_.emplace(key, Incomplete{nextIndex_, std::vector<Tensor>(types_.size())}).first;
      *fresh = true;
    }
    Tensor& place = it->second.values[size_t(component)];
    if (place.hasValue()) return invalidArgument("Key ", key, " already has a value for component ", component, " in barrier ", name_);
    const Shape shape = values.shape().slice(1);
    WEFT_LET(place, Tensor::allocate(values.dtype(), shape));
    copyElements(place, 0, values, i * shape.elements(), shape.elements());
    for (const Tensor& t : it->second.values) {
      if (!t.hasValue()) return {};
    }
    Queue::Tuple tuple{Tensor::scalar(it->second.index), Tensor::scalar(key)};
    for (Tensor& t : it->second.values) tuple.push_back(std::move(t));
    complete.push_back(std::move(tuple));
    incomplete_.erase(it);
    return {};
  }

  const std::string name_;
  const std::vector<DType> types_;
  const std::vector<Shape> shapes_;
  const std::shared_ptr<Queue> ready_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, Incomplete> incomplete_ WEFT_GUARDED_BY(mutex_);
  int64_t nextIndex_ WEFT_GUARDED_BY(mutex_) = INT64_MIN;
  bool closed_ WEFT_GUARDED_BY(mutex_) = false, cancelled_ WEFT_GUARDED_BY(mutex_) = false;
};

Result<ObjectMaker<Barrier>> barrierMaker(const Node& node) {
  const auto types = node.attrs.list<DType>("component_types");
  const auto shapes = node.attrs.list<Shape>("shapes");
  if (!shapes.empty() && shapes.size() != types.size())
    return invalidArgument("All of the component shapes must be specified, or none: ", types.size(), " types and ", shapes.size(), " shapes");
  for (const Shape& s : shapes) {
    if (!s.isFullyKnown()) return invalidArgument("Shape ", s.toString(), " is not fully defined");
    if (s.elements() == 0) return invalidArgument("Empty tensors are not supported, but received shape ", s.toString());
  }
  ObjectMaker<Barrier> m;
  m.make = [=](KernelContext&, const std::string& name) -> Result<std::shared_ptr<Barrier>> { return std::make_shared<Barrier>(name, types, shapes); };
  m.check = [=](Barrier& b) -> Status {
    if (b.types() != types)
      return invalidArgument("Shared barrier '", b.name(), "' has component types ", typeList(b.types()), " but requested component types were ",
                             typeList(types));
    if (b.shapes() != shapes) return invalidArgument("Shared barrier '", b.name(), "' has other component shapes than those requested");
    return {};
  };
  return m;
}

Status insertMany(KernelContext& c) {
  WEFT_LET(auto barrier, objectAt<Barrier>(c));
  const int64_t component = c.node().attrs.integer("component_index");
  if (component < 0 || component >= int64_t(barrier->types().size()))
    return invalidArgument("The component ID is out of range ", component, " > num_components (= ", barrier->types().size(), ")");
  const Tensor &keys = c.input(1), &values = c.input(2);
  const DType wanted = barrier->types()[size_t(component)];
  if (values.dtype() != wanted)
    return invalidArgument("Signature mismatch, have: string_ref, string, ", dtypeShortName(values.dtype()), "-> expected: string_ref, string, ",
                           dtypeShortName(wanted), "->");
  if (values.rank() < 1) return invalidArgument("The values must be at least a vector, but have shape ", values.shape().toString());
  if (values.dim(0) != keys.elements())
    return invalidArgument("Expected as many values as keys, but got ", values.dim(0), " values for ", keys.elements(), " keys");
  if (values.elements() == 0 && keys.elements() > 0)
    return invalidArgument("Tensors with no elements are not supported: received shape ", values.shape().toString());
  if (!barrier->shapes().empty()) {
    Shape shape{values.dim(0)};
    shape.append(barrier->shapes()[size_t(component)]);
    if (!(shape == values.shape()))
      return invalidArgument("Shape mismatch in tuple component ", component, ". Expected ", shape.toString(), ", got ", values.shape().toString());
  }
  return barrier->insert(keys, values, int(component));
}

Result<Cancel> takeMany(KernelContext& c, const Done& done) {
  WEFT_LET(auto barrier, objectAt<Barrier>(c));
  const AttrMap& attrs = c.node().attrs;
  if (attrs.integer("timeout_ms", -1) != -1) return invalidArgument("Timeout not supported yet.");
  if (c.input(1).elements() != 1) return invalidArgument("num_elements must be a scalar.");
  const int64_t n = c.input(1).asInt(0);
  if (n < 0) return invalidArgument("num_elements must not be negative, but is ", n);
  const auto types = attrs.list<DType>("component_types");
  if (types != barrier->types())
    return invalidArgument("Signature mismatch, have: string_ref, int32->int64, string, ", typeList(types), " expected: string_ref, int32->int64, string, ",
                           typeList(barrier->types()));
  return barrier->take(n, attrs.flag("allow_small_batch"), done);
}

Status closeBarrier(KernelContext& c) {
  WEFT_LET(auto barrier, objectAt<Barrier>(c));
  return barrier->close(c.node().attrs.flag("cancel_pending_enqueues"));
}

template <int64_t (Barrier::*kSize)() const>
Status size(KernelContext& c) {
  WEFT_LET(auto barrier, objectAt<Barrier>(c));
  c.setOutput(0, Tensor::scalar(int32_t(((*barrier).*kSize)())));
  return {};
}

OpRecord& barrierOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name)
      .category("Queues")
      .summary(summary)
      .input("handle: Ref(string)", "The barrier.")
      .noGradient("Elements of a barrier come from other runs; no gradient flows through it.");
}

}  // namespace

void registerBarriers(OpRegistry& ops) {
  withSharedName(ops.add("Barrier")
                     .category("Queues")
                     .summary("Creates a barrier: a keyed store of tuples whose components arrive separately and that can be taken once complete.")
                     .output("handle: Ref(string)", "The barrier.")
                     .attr("component_types: list(type) >= 1", "Types of the components.")
                     .attr("shapes: list(shape) >= 0 = []", "Shapes of the components; empty: not checked, and BarrierTakeMany cannot batch elements.")
                     .attr("capacity: int = -1", "Ignored; a barrier's capacity is unlimited."))
      .shape(shapes::objectHandle)
      .noGradient("Handles are not differentiable.")
      .cpu({}, objectKernel<Barrier>(barrierMaker));
  barrierOp(ops, "BarrierInsertMany", "Inserts one component for each of several keys into a barrier.")
      .input("keys: string", "Keys of the elements; a vector.")
      .input("values: T", "Component values, one per key along the first dimension.")
      .attr("T: type")
      .attr("component_index: int", "Index of the component to set.")
      .shape(shapes::unknownOfObject)
      .cpu({}, simpleKernel(insertMany));
  barrierOp(ops, "BarrierTakeMany", "Takes the oldest complete elements of a barrier as a batch; waits until there are num_elements.")
      .input("num_elements: int32", "Number of elements; a scalar.")
      .output("indices: int64", "Insertion order of the keys; smaller is earlier.")
      .output("keys: string", "Keys of the elements.")
      .output("values: list(component_types)", "Components of the elements, stacked along a new first dimension.")
      .attr("component_types: list(type) >= 1")
      .attr("allow_small_batch: bool = false", "Return fewer elements if the barrier is closed.")
      .attr("wait_for_incomplete: bool = false", "Ignored.")
      .attr("timeout_ms: int = -1", "Must be -1; waiting ends with the run's own timeout.")
      .shape(shapes::unknownOfObject)
      .cpu({}, asyncKernel(takeMany));
  barrierOp(ops, "BarrierClose", "Closes a barrier: new keys are rejected.")
      .attr("cancel_pending_enqueues: bool = false", "Also drop incomplete elements, instead of waiting for their remaining components.")
      .shape(shapes::unknownOfObject)
      .cpu({}, simpleKernel(closeBarrier));
  barrierOp(ops, "BarrierReadySize", "Number of complete elements in a barrier.")
      .output("size: int32", "A scalar.")
      .shape(shapes::scalarsOfObject)
      .cpu({}, simpleKernel(size<&Barrier::readySize>));
  barrierOp(ops, "BarrierIncompleteSize", "Number of incomplete elements in a barrier.")
      .output("size: int32", "A scalar.")
      .shape(shapes::scalarsOfObject)
      .cpu({}, simpleKernel(size<&Barrier::incompleteSize>));
  state(ops, OpRole::Barrier, Effect::Makes, "Barrier");
  state(ops, OpRole::Compute, Effect::Queue, "BarrierClose BarrierInsertMany BarrierTakeMany");
  state(ops, OpRole::Compute, Effect::Reads, "BarrierIncompleteSize BarrierReadySize");
  retain(ops, "Barrier BarrierClose BarrierIncompleteSize BarrierInsertMany BarrierReadySize BarrierTakeMany");
}

}  // namespace weft
