#include "ops/queue.h"
#include "ops/session_objects.h"
#include "tensor/type_list.h"

// Queues and their ops, by reference (first version) and by handle (V2). Waiting enqueues and dequeues need no thread (AsyncKernel).
namespace weft {
namespace {

using Done = AsyncKernel::Done;
using Cancel = AsyncKernel::Cancel;

std::string shapeList(const std::vector<Shape>& shapes) {
  std::string text = "[";
  for (size_t i = 0; i < shapes.size(); ++i) text += (i ? ", " : "") + shapes[i].toString();
  return text + "]";
}

/// The options from a node; the name is set later.
Result<QueueOptions> optionsOf(const Node& node, const char* kind, bool openDims) {
  QueueOptions o;
  o.kind = kind;
  o.types = node.attrs.list<DType>("component_types");
  o.shapes = node.attrs.list<Shape>("shapes");
  const int64_t capacity = node.attrs.integer("capacity", -1);
  o.capacity = capacity < 0 ? INT32_MAX : capacity;
  if (openDims) {
    if (o.shapes.size() != o.types.size())
      return invalidArgument("Shapes must be provided for all components, but received ", o.types.size(), " dtypes and ", o.shapes.size(), " shapes.");
    for (const Shape& s : o.shapes) {
      if (!s.hasRank()) return invalidArgument("Padding needs shapes of known rank, but got ", s.toString());
    }
  } else {
    for (const Shape& s : o.shapes) {
      if (!s.isFullyKnown()) return invalidArgument("Shape ", s.toString(), " is not fully defined");
    }
  }
  return o;
}

Status checkCounts(const QueueOptions& o) {
  if (!o.shapes.empty() && o.shapes.size() != o.types.size())
    return invalidArgument("Different number of component types.  Types: ", typeList(o.types), ", Shapes: ", shapeList(o.shapes));
  return {};
}

/// Checks that an existing queue matches another node's options.
Status checkSame(const Queue& queue, const QueueOptions& wanted) {
  const QueueOptions& have = queue.options();
  const std::string shared = "Shared queue '" + have.name + "' has ";
  if (have.kind != wanted.kind) return invalidArgument("Expected ", have.kind, ", found ", wanted.kind);
  if (have.capacity != wanted.capacity) return invalidArgument(shared, "capacity ", have.capacity, " but requested capacity was ", wanted.capacity);
  if (have.types != wanted.types)
    return invalidArgument(shared, "component types ", typeList(have.types), " but requested component types were ", typeList(wanted.types));
  if (have.shapes != wanted.shapes)
    return invalidArgument(shared, "component shapes ", shapeList(have.shapes), " but requested component shapes were ", shapeList(wanted.shapes));
  return {};
}

using Maker = ObjectMaker<Queue>;

template <std::shared_ptr<Queue> (*kMake)(QueueOptions)>
Maker makerOf(const QueueOptions& options) {
  Maker m;
  m.make = [options](KernelContext&, const std::string& name) -> Result<std::shared_ptr<Queue>> {
    WEFT_TRY(checkCounts(options));
    QueueOptions named = options;
    named.name = name;
    return kMake(std::move(named));
  };
  m.check = [options](Queue& q) { return checkSame(q, options); };
  return m;
}

Result<Maker> fifoMaker(const Node& node) {
  WEFT_LET(const QueueOptions options, optionsOf(node, "FIFOQueue", false));
  return makerOf<makeFifoQueue>(options);
}

Result<Maker> paddingMaker(const Node& node) {
  WEFT_LET(const QueueOptions options, optionsOf(node, "PaddingFIFOQueue", true));
  return makerOf<makePaddingQueue>(options);
}

/// The first component, the priority, is not in the attributes.
Result<Maker> priorityMaker(const Node& node) {
  WEFT_LET(QueueOptions options, optionsOf(node, "PriorityQueue", false));
  options.types.insert(options.types.begin(), DType::Int64);
  options.shapes.insert(options.shapes.begin(), Shape());
  return makerOf<makePriorityQueue>(options);
}

Result<Maker> randomMaker(const Node& node) {
  WEFT_LET(const QueueOptions options, optionsOf(node, "RandomShuffleQueue", false));
  const RandomQueueFacts wanted{node.attrs.integer("min_after_dequeue"), node.attrs.integer("seed"), node.attrs.integer("seed2")};
  if (wanted.minAfterDequeue < 0) return invalidArgument("min_after_dequeue ", wanted.minAfterDequeue, " must be >= 0");
  if (wanted.minAfterDequeue >= options.capacity)
    return invalidArgument("min_after_dequeue ", wanted.minAfterDequeue, " must be < capacity ", options.capacity);
  Maker m;
  m.make = [=](KernelContext&, const std::string& name) -> Result<std::shared_ptr<Queue>> {
    WEFT_TRY(checkCounts(options));
    QueueOptions named = options;
    named.name = name;
    return makeRandomQueue(std::move(named), wanted.minAfterDequeue, wanted.seed, wanted.seed2);
  };
  m.check = [=](Queue& q) -> Status {
    WEFT_TRY(checkSame(q, options));
    const RandomQueueFacts have = *randomFacts(q);
    if (have.minAfterDequeue != wanted.minAfterDequeue)
      return invalidArgument("Shared queue '", q.options().name, "' has min_after_dequeue ", have.minAfterDequeue, " but requested min_after_dequeue was ",
                             wanted.minAfterDequeue, ".");
    if (have.seed != wanted.seed || have.seed2 != wanted.seed2)
      return invalidArgument("Shared queue '", q.options().name, "' has random seeds (", have.seed, ", ", have.seed2, ") but requested seeds are (",
                             wanted.seed, ", ", wanted.seed2, ").");
    return {};
  };
  return m;
}

// ---- ops on queues

/// INVALID_ARGUMENT unless the dtypes of the node's inputs (from `first` on) and outputs are the queue's.
Status checkTypes(const KernelContext& c, const Queue& queue, bool puts) {
  const Node& node = c.node();
  const std::vector<DType>& wanted = queue.options().types;
  std::vector<DType> given(puts ? node.inputTypes.begin() + 1 : node.outputTypes.begin(), puts ? node.inputTypes.end() : node.outputTypes.end());
  if (given == wanted) return {};
  std::vector<DType> head(node.inputTypes.begin(), puts ? node.inputTypes.begin() + 1 : node.inputTypes.end());
  const std::string handle = isRef(head[0]) ? "string_ref" : "resource";
  head.erase(head.begin());
  const auto text = [&](const std::vector<DType>& held) {
    std::vector<DType> inputs = head;
    if (puts) inputs.insert(inputs.end(), held.begin(), held.end());
    return handle + (inputs.empty() ? "" : ", ") + typeList(inputs) + "->" + (puts ? "" : typeList(held));
  };
  return invalidArgument("Signature mismatch, have: ", text(given), " expected: ", text(wanted));
}

Status checkTimeout(const KernelContext& c) {
  if (c.node().attrs.integer("timeout_ms", -1) != -1) return invalidArgument("Timeout not supported yet.");
  return {};
}

Queue::Tuple tupleOf(const KernelContext& c) {
  Queue::Tuple tuple;
  for (int i = 1; i < c.inputCount(); ++i) tuple.push_back(c.input(i));
  return tuple;
}

Result<Cancel> enqueue(KernelContext& c, const Done& done) {
  WEFT_TRY(checkTimeout(c));
  WEFT_LET(auto queue, objectAt<Queue>(c));
  WEFT_TRY(checkTypes(c, *queue, true));
  Queue::Tuple tuple = tupleOf(c);
  WEFT_TRY(queue->checkTuple(tuple));
  return Queue::enqueue(queue, std::move(tuple), done);
}

Result<Cancel> enqueueMany(KernelContext& c, const Done& done) {
  WEFT_TRY(checkTimeout(c));
  WEFT_LET(auto queue, objectAt<Queue>(c));
  WEFT_TRY(checkTypes(c, *queue, true));
  Queue::Tuple batch = tupleOf(c);
  WEFT_TRY(queue->checkBatch(batch));
  return Queue::enqueueMany(queue, std::move(batch), done);
}

Result<Cancel> dequeue(KernelContext& c, const Done& done) {
  WEFT_TRY(checkTimeout(c));
  WEFT_LET(auto queue, objectAt<Queue>(c));
  WEFT_TRY(checkTypes(c, *queue, false));
  return Queue::dequeue(queue, done);
}

template <bool kOrFewer>
Result<Cancel> dequeueMany(KernelContext& c, const Done& done) {
  WEFT_TRY(checkTimeout(c));
  WEFT_LET(auto queue, objectAt<Queue>(c));
  const Tensor& count = c.input(1);
  if (count.elements() < 1) return invalidArgument("The number of elements must be a scalar, but has shape ", count.shape().toString());
  const int64_t n = count.asInt(0);
  if (n < 0) return invalidArgument(kOrFewer ? "DequeueUpToOp" : "DequeueManyOp", " requested ", n, " < 0 elements");
  WEFT_TRY(checkTypes(c, *queue, false));
  WEFT_TRY(queue->checkBatching());
  return Queue::dequeueMany(queue, n, kOrFewer, done);
}

Result<Cancel> close(KernelContext& c, const Done& done) {
  WEFT_LET(auto queue, objectAt<Queue>(c));
  return Queue::close(queue, c.node().attrs.flag("cancel_pending_enqueues"), done);
}

Status size(KernelContext& c) {
  WEFT_LET(auto queue, objectAt<Queue>(c));
  c.setOutput(0, Tensor::scalar(int32_t(queue->size())));
  return {};
}

Status isClosed(KernelContext& c) {
  WEFT_LET(auto queue, objectAt<Queue>(c));
  c.setOutput(0, Tensor::scalar(queue->isClosed()));
  return {};
}

Status noOutputs(ShapeContext&) { return {}; }

OpRecord& queueOp(OpRegistry& ops, const std::string& name, const HandleWords& v, const char* summary) {
  OpRecord& op = ops.add(name + v.suffix).category("Queues").summary(summary).input(concat("handle: ", v.type), "The queue.");
  if (*v.suffix) op.stateful();
  return op;
}

OpRecord& makerOp(OpRegistry& ops, const std::string& name, const HandleWords& v, const char* summary) {
  return ops.add(name + v.suffix).category("Queues").summary(summary).output(concat("handle: ", v.type), "The queue.");
}

void registerMakers(OpRegistry& ops, const HandleWords& v) {
  constexpr const char* kNoGradient = "Handles are not differentiable.";
  constexpr const char* kTypes = "Types of an element's components.";
  constexpr const char* kShapes = "Shapes of an element's components; empty: not checked, and elements cannot be dequeued in batches.";
  constexpr const char* kCapacity = "Maximum number of elements; negative: unlimited.";
  withSharedName(makerOp(ops, "FIFOQueue", v, "Creates a first-in, first-out queue.")
                     .attr("component_types: list(type) >= 1", kTypes)
                     .attr("shapes: list(shape) >= 0 = []", kShapes)
                     .attr("capacity: int = -1", kCapacity))
      .shape(shapes::objectHandle)
      .noGradient(kNoGradient)
      .cpu({}, objectKernel<Queue>(fifoMaker));
  withSharedName(makerOp(ops, "PaddingFIFOQueue", v, "Creates a first-in, first-out queue that pads elements to a common shape when dequeuing a batch.")
                     .attr("component_types: list(type) >= 1", kTypes)
                     .attr("shapes: list(shape) >= 0 = []", "Shapes of an element's components, of known rank; unknown dimensions may vary and are padded.")
                     .attr("capacity: int = -1", kCapacity))
      .shape(shapes::objectHandle)
      .noGradient(kNoGradient)
      .cpu({}, objectKernel<Queue>(paddingMaker));
  withSharedName(makerOp(ops, "RandomShuffleQueue", v, "Creates a queue that dequeues elements in random order.")
                     .attr("component_types: list(type) >= 1", kTypes)
                     .attr("shapes: list(shape) >= 0 = []", kShapes)
                     .attr("capacity: int = -1", kCapacity)
                     .attr("min_after_dequeue: int = 0", "Minimum number of elements that stay in an open queue, for enough randomness.")
                     .attr("seed: int = 0", "First seed; if both seeds are 0, the order differs from run to run.")
                     .attr("seed2: int = 0", "Second seed."))
      .shape(shapes::objectHandle)
      .noGradient(kNoGradient)
      .cpu({}, objectKernel<Queue>(randomMaker));
  withSharedName(makerOp(ops, "PriorityQueue", v, "Creates a queue that dequeues the element with the smallest priority first.")
                     .description("The first component of each element is its priority, an int64 scalar; `component_types` lists the others.")
                     .attr("component_types: list(type) >= 0 = []", "Types of the components after the priority.")
                     .attr("shapes: list(shape) >= 0", "Shapes of the components after the priority.")
                     .attr("capacity: int = -1", kCapacity))
      .shape(shapes::objectHandle)
      .noGradient(kNoGradient)
      .cpu({}, objectKernel<Queue>(priorityMaker));
}

void registerUsers(OpRegistry& ops, const HandleWords& v) {
  constexpr const char* kNoGradient = "Queue elements come from other runs; no gradient flows through a queue.";
  constexpr const char* kTimeout = "Must be -1; waiting ends with the run's own timeout.";
  queueOp(ops, "QueueEnqueue", v, "Enqueues one element; waits while the queue is full.")
      .input("components: list(Tcomponents)", "The element's components.")
      .attr("Tcomponents: list(type) >= 1")
      .attr("timeout_ms: int = -1", kTimeout)
      .shape(noOutputs)
      .noGradient(kNoGradient)
      .cpu({}, asyncKernel(enqueue));
  queueOp(ops, "QueueEnqueueMany", v, "Enqueues each row of the given tensors as one element; waits while the queue is full.")
      .input("components: list(Tcomponents)", "Components of the elements, stacked along the first dimension.")
      .attr("Tcomponents: list(type) >= 1")
      .attr("timeout_ms: int = -1", kTimeout)
      .shape(noOutputs)
      .noGradient(kNoGradient)
      .cpu({}, asyncKernel(enqueueMany));
  queueOp(ops, "QueueDequeue", v, "Dequeues one element; waits while the queue is empty.")
      .output("components: list(component_types)", "The element's components.")
      .attr("component_types: list(type) >= 1")
      .attr("timeout_ms: int = -1", kTimeout)
      .shape(shapes::unknownOfObject)
      .noGradient(kNoGradient)
      .cpu({}, asyncKernel(dequeue));
  queueOp(ops, "QueueDequeueMany", v, "Dequeues n elements as a batch; waits until there are enough.")
      .input("n: int32", "Number of elements; a scalar.")
      .output("components: list(component_types)", "Components of the elements, stacked along a new first dimension.")
      .attr("component_types: list(type) >= 1")
      .attr("timeout_ms: int = -1", kTimeout)
      .shape(shapes::unknownOfObject)
      .noGradient(kNoGradient)
      .cpu({}, asyncKernel(dequeueMany<false>));
  queueOp(ops, "QueueDequeueUpTo", v, "Dequeues up to n elements as a batch: fewer than n only if the queue is closed.")
      .input("n: int32", "Maximum number of elements; a scalar.")
      .output("components: list(component_types)", "Components of the elements, stacked along a new first dimension.")
      .attr("component_types: list(type) >= 1")
      .attr("timeout_ms: int = -1", kTimeout)
      .shape(shapes::unknownOfObject)
      .noGradient(kNoGradient)
      .cpu({}, asyncKernel(dequeueMany<true>));
  queueOp(ops, "QueueClose", v, "Closes a queue: further enqueues fail, and so do dequeues once it is empty.")
      .attr("cancel_pending_enqueues: bool = false", "Also cancel enqueues that are waiting for space.")
      .shape(noOutputs)
      .noGradient("It has no outputs.")
      .cpu({}, asyncKernel(close));
  queueOp(ops, "QueueSize", v, "Number of elements in a queue.")
      .output("size: int32", "A scalar.")
      .shape(shapes::scalarsOfObject)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(size));
  queueOp(ops, "QueueIsClosed", v, "Whether a queue is closed.")
      .output("is_closed: bool", "A scalar.")
      .shape(shapes::scalarsOfObject)
      .noGradient(kNoGradient)
      .cpu({}, simpleKernel(isClosed));
}

}  // namespace

void registerQueues(OpRegistry& ops) {
  for (const HandleWords& v : kHandleVersions) {
    registerMakers(ops, v);
    registerUsers(ops, v);
  }
  state(ops, OpRole::Queue, Effect::Makes, "FIFOQueue FIFOQueueV2 PaddingFIFOQueue PaddingFIFOQueueV2 PriorityQueue PriorityQueueV2");
  state(ops, OpRole::ShuffleQueue, Effect::Makes, "RandomShuffleQueue RandomShuffleQueueV2");
  state(ops, OpRole::Enqueue, Effect::Queue, "QueueEnqueue QueueEnqueueMany QueueEnqueueManyV2 QueueEnqueueV2");
  state(ops, OpRole::Dequeue, Effect::Queue, "QueueDequeue QueueDequeueMany QueueDequeueManyV2 QueueDequeueUpTo QueueDequeueUpToV2 QueueDequeueV2");
  state(ops, OpRole::CloseQueue, Effect::Queue, "QueueClose QueueCloseV2");
  state(ops, OpRole::QueueState, Effect::Reads, "QueueIsClosed QueueIsClosedV2 QueueSize QueueSizeV2");
  retain(
      ops,
      "FIFOQueue FIFOQueueV2 PaddingFIFOQueue PaddingFIFOQueueV2 PriorityQueue PriorityQueueV2 QueueClose QueueCloseV2 QueueDequeue QueueDequeueMany QueueDequeueManyV2 QueueDequeueUpTo QueueDequeueUpToV2 QueueDequeueV2 QueueEnqueue QueueEnqueueMany QueueEnqueueManyV2 QueueEnqueueV2 QueueIsClosed QueueIsClosedV2 QueueSize QueueSizeV2 RandomShuffleQueue RandomShuffleQueueV2");
}

}  // namespace weft
