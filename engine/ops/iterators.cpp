#include <deque>
#include <optional>

#include "kernel/device.h"
#include "kernel/restorable.h"
#include "kernel/session_state.h"
#include "ops/datasets.h"
#include "ops/functions.h"
#include "ops/iterators.h"
#include "ops/old_names.h"
#include "ops/optionals.h"
#include "ops/state_ops.h"
#include "proto/graph.pb.h"
#include "weft/mutex.h"

// Iterators: session resources that go through a data set element by element, across runs.
namespace weft {
namespace {

/// An iterator over a data set cannot be copied or rewound, so save points record the elements returned since, which are then returned again.
class IteratorResource final : public SessionResource, public Restorable {
 public:
  explicit IteratorResource(ElementSpec spec) : spec_(std::move(spec)) {}
  std::string kind() const override { return "iterator"; }
  const ElementSpec& spec() const { return spec_; }

  /// Takes elements from `dataset` from now on; discards the shared state of the previous iterator.
  Status begin(const DatasetPtr& dataset, const CallSite& site) {
    WEFT_TRY(checkSpec(spec_, dataset->spec()));
    WEFT_LET(auto iterator, dataset->makeIterator({std::make_shared<IteratorSharedState>(), "Iterator", {}, site}));
    const MutexLock lock(mutex_);
    dataset_ = dataset;
    replace(std::move(iterator));
    return {};
  }

  /// The position, for a checkpoint. FAILED_PRECONDITION if there is no data set yet.
  Result<IteratorState::Values> save(const CallSite& site) {
    const MutexLock lock(mutex_);
    if (!iterator_) {
      return failedPrecondition(
          "Save() failed because the iterator has not been initialized. Ensure that you have run the initializer operation for this "
          "iterator before saving it.");
    }
    IteratorState::Values values;
    IteratorState state(values, false, site);
    WEFT_TRY(exchange(state, *iterator_, ahead_));
    return values;
  }

  /// Starts an iteration over the same data set at a saved position.
  Status restore(IteratorState::Values values, const CallSite& site) {
    const MutexLock lock(mutex_);
    if (!dataset_) {
      return failedPrecondition(
          "Restore() failed because the iterator has not been initialized. Ensure that you have run the initializer operation for this "
          "iterator before restoring it.");
    }
    WEFT_LET(auto iterator, dataset_->makeIterator({std::make_shared<IteratorSharedState>(), "Iterator", {}, site}));
    IteratorState state(values, true, site);
    std::deque<Given> ahead;
    WEFT_TRY(exchange(state, *iterator, ahead));
    replace(std::move(iterator));
    ahead_ = std::move(ahead);
    return {};
  }

  /// As begin(), unless an earlier call succeeded: plans of other signatures have separate kernels for the same node.
  Status beginOnce(const CallSite& site, const std::function<Result<DatasetPtr>()>& make) {
    const MutexLock lock(once_);
    if (begun_) return {};
    WEFT_LET(const DatasetPtr dataset, make());
    WEFT_TRY(begin(dataset, site));
    begun_ = true;
    return {};
  }

  /// FAILED_PRECONDITION if there is no data set yet.
  Result<bool> next(const CallSite& site, Element& out) {
    const MutexLock lock(mutex_);
    if (!iterator_) {
      return failedPrecondition(
          "GetNext() failed because the iterator has not been initialized. Ensure that you have run the initializer operation for "
          "this "
          "iterator before getting the next element.");
    }
    Given given;
    if (!ahead_.empty()) {
      given = std::move(ahead_.front());
      ahead_.pop_front();
    } else {
      const Result<bool> more = iterator_->next(site, given.element);
      given.more = more.ok() && *more;
      if (!more.ok()) given.status = more.status();
    }
    if (const auto record = record_.lock(); record && !record->iteratorBefore) record->given.push_back(given);
    if (!given.status.ok()) return given.status.error();
    out = std::move(given.element);
    return given.more;
  }

  /// After restoring, elements returned since the save point are returned again, in the same order.
  std::function<void()> savePoint() override {
    const MutexLock lock(mutex_);
    auto record = std::make_shared<Record>();
    record_ = record;
    return [this, record] {
      const MutexLock again(mutex_);
      if (record->iteratorBefore) {
        iterator_ = std::move(*record->iteratorBefore);
        ahead_.clear();
      }
      ahead_.insert(ahead_.begin(), record->given.begin(), record->given.end());
      record_.reset();
    };
  }

 private:
  /// A result of next().
  struct Given {
    Element element;
    bool more = false;
    Status status;
  };
  /// Since a save point.
  struct Record {
    std::vector<Given> given;  ///< If the iterator was replaced, followed by the elements that were still ahead.
    std::optional<std::unique_ptr<DatasetIterator>> iteratorBefore;
  };
  void replace(std::unique_ptr<DatasetIterator> iterator) WEFT_REQUIRES(mutex_) {
    iterator_.swap(iterator);
    if (const auto record = record_.lock(); record && !record->iteratorBefore) {
      record->iteratorBefore.emplace(std::move(iterator));
      record->given.insert(record->given.end(), ahead_.begin(), ahead_.end());
    }
    ahead_.clear();
  }
  static Status exchange(IteratorState& state, DatasetIterator& iterator, std::deque<Given>& ahead) {
    WEFT_TRY(state.resize("ahead", ahead));
    for (size_t i = 0; i < ahead.size(); ++i) {
      WEFT_TRY(state.value(concat("ahead", i), ahead[i].element));
      WEFT_TRY(state.value(concat("ahead", i, "_more"), ahead[i].more));
      WEFT_TRY(state.outcome(concat("ahead", i, "_status"), ahead[i].status));
    }
    IteratorState its = state.below("iterator");
    return iterator.exchange(its);
  }

  const ElementSpec spec_;
  Mutex mutex_;
  DatasetPtr dataset_ WEFT_GUARDED_BY(mutex_);
  std::unique_ptr<DatasetIterator> iterator_ WEFT_GUARDED_BY(mutex_);
  std::deque<Given> ahead_ WEFT_GUARDED_BY(mutex_);       // returned before the iterator's elements
  std::weak_ptr<Record> record_ WEFT_GUARDED_BY(mutex_);  // expires when no save point is left
  Mutex once_;
  bool begun_ WEFT_GUARDED_BY(once_) = false;
};

Result<std::shared_ptr<IteratorResource>> iteratorOf(const ResourceHandle& handle) {
  auto iterator = std::dynamic_pointer_cast<IteratorResource>(handle.resource);
  if (!iterator) return notFound("Resource ", handle.container, "/", handle.name, "/N10tensorflow4data16IteratorResourceE does not exist.");
  return iterator;
}

// ---- making iterators

Result<std::unique_ptr<Kernel>> iteratorKernel(KernelInit& init) {
  ResourceHandle handle = iteratorHandle(init.attrs(), init.node().name, init.device());
  const ElementSpec spec = declaredSpec(init.attrs());
  const auto create = [&]() -> Result<std::shared_ptr<IteratorResource>> { return std::make_shared<IteratorResource>(spec); };
  WEFT_LET(const auto iterator, init.session().lookupOrCreate<IteratorResource>(handle.container, handle.name, create));
  WEFT_TRY(checkSpec(spec, iterator->spec()));
  handle.resource = iterator;
  return functionKernel([out = handleTensor(std::move(handle))](KernelContext& c) -> Status {
    c.setOutput(0, out);
    return {};
  });
}

/// Creates its data set with a function when first run; remembers the outcome.
class OneShotIterator final : public Kernel {
 public:
  OneShotIterator(KernelInit& init, std::shared_ptr<BoundFunction> factory)
      : factory_(std::move(factory)), handle_(iteratorHandle(init.attrs(), init.node().name, init.device())), spec_(declaredSpec(init.attrs())) {}
  Status compute(KernelContext& c) override {
    const MutexLock lock(mutex_);
    if (!done_) {
      status_ = begin(c);
      // A cancelled run says nothing about the data set.
      done_ = status_.ok() || (status_.code() != Code::Cancelled && status_.code() != Code::DeadlineExceeded);
    }
    WEFT_TRY(status_);
    c.setOutput(0, handleTensor(handle_));
    return {};
  }

 private:
  Status begin(KernelContext& c) WEFT_REQUIRES(mutex_) {
    const auto create = [&]() -> Result<std::shared_ptr<IteratorResource>> { return std::make_shared<IteratorResource>(spec_); };
    WEFT_LET(const auto iterator, c.session().lookupOrCreate<IteratorResource>(handle_.container, handle_.name, create));
    WEFT_TRY(checkSpec(spec_, iterator->spec()));
    handle_.resource = iterator;
    const CallSite site = CallSite::of(c);
    return iterator->beginOnce(site, [&]() -> Result<DatasetPtr> {
      WEFT_LET(const Element made, factory_->call({}, site));
      if (made.size() != 1) return invalidArgument("The `dataset_factory` function must return a single dataset tensor.");
      return datasetIn(made[0]);
    });
  }

  std::shared_ptr<BoundFunction> factory_;
  Mutex mutex_;
  ResourceHandle handle_ WEFT_GUARDED_BY(mutex_);
  const ElementSpec spec_;
  bool done_ WEFT_GUARDED_BY(mutex_) = false;
  Status status_ WEFT_GUARDED_BY(mutex_);
};

Result<std::unique_ptr<Kernel>> oneShotKernel(KernelInit& init) {
  WEFT_LET(auto factory, bindFunction(init, "dataset_factory"));
  return std::unique_ptr<Kernel>(std::make_unique<OneShotIterator>(init, std::move(factory)));
}

Status makeIterator(KernelContext& c) {
  WEFT_LET(const DatasetPtr dataset, datasetOf(c, 0));
  WEFT_LET(const auto iterator, iteratorOf(handleOf(c, 1)));
  return iterator->begin(dataset, CallSite::of(c));
}

// ---- iterators without a name

Status anonymousIterator(KernelContext& c) {
  c.setOutput(0, handleTensor(anonymousHandle(c, "AnonymousIterator", std::make_shared<IteratorResource>(declaredSpec(c.node().attrs)))));
  if (c.outputCount() > 1) c.setOutput(1, deleterTensor());
  return {};
}

Status deviceOfIterator(KernelContext& c) {
  c.setOutput(0, Tensor::scalar(handleOf(c, 0).device));
  return {};
}

// ---- elements

Status getNext(KernelContext& c) {
  WEFT_LET(const auto iterator, iteratorOf(handleOf(c, 0)));
  Element element;
  WEFT_LET(const bool more, iterator->next(CallSite::of(c), element));
  if (!more) return outOfRange("End of sequence");
  WEFT_TRY(checkElement(declaredSpec(c.node().attrs), element));
  for (size_t k = 0; k < element.size(); ++k) c.setOutput(int(k), std::move(element[k]));
  return {};
}

Status getNextAsOptional(KernelContext& c) {
  WEFT_LET(const auto iterator, iteratorOf(handleOf(c, 0)));
  Element element;
  WEFT_LET(const bool more, iterator->next(CallSite::of(c), element));
  if (more) WEFT_TRY(checkElement(declaredSpec(c.node().attrs), element));
  c.setOutput(0, more ? optionalOf(std::move(element)) : emptyOptional());
  return {};
}

// ---- positions in checkpoints

Status saveIterator(KernelContext& c) {
  WEFT_LET(const auto iterator, iteratorOf(handleOf(c, 0)));
  WEFT_LET(IteratorState::Values values, iterator->save(CallSite::of(c)));
  c.setOutput(0, stateTensor(std::move(values)));
  return {};
}

Status restoreIterator(KernelContext& c) {
  WEFT_LET(const auto iterator, iteratorOf(handleOf(c, 0)));
  WEFT_LET(const auto values, stateIn(c.input(1)));
  return iterator->restore(*values, CallSite::of(c));
}

// ---- handles as strings

Status toStringHandle(KernelContext& c) {
  const ResourceHandle& handle = handleOf(c, 0);
  WEFT_TRY(iteratorOf(handle).status());
  tensorflow::ResourceHandleProto proto;
  proto.set_device(handle.device);
  proto.set_container(handle.container);
  proto.set_name(handle.name);
  proto.set_maybe_type_name("tensorflow::data::IteratorResource");
  c.setOutput(0, Tensor::scalar(proto.SerializeAsString()));
  return {};
}

Status fromStringHandle(KernelContext& c) {
  const Tensor& text = c.input(0);
  if (!text.shape().isScalar()) return invalidArgument("string_handle must be a scalar");
  tensorflow::ResourceHandleProto proto;
  if (!proto.ParseFromString(text.data<std::string>()[0])) return invalidArgument("Could not parse string_handle as a valid ResourceHandle");
  if (proto.device() != c.device().name()) {
    return invalidArgument("Attempted create an iterator on device \"", c.device().name(), "\" from handle defined on device \"", proto.device(), "\"");
  }
  ResourceHandle handle;
  handle.device = proto.device();
  handle.container = proto.container();
  handle.name = proto.name();
  handle.resource = c.session().find<IteratorResource>(handle.container, handle.name);
  WEFT_LET(const auto iterator, iteratorOf(handle));
  const ElementSpec spec = declaredSpec(c.node().attrs);
  if (!spec.types.empty() || !spec.shapes.empty()) WEFT_TRY(checkSpec(spec, iterator->spec()));
  c.setOutput(0, handleTensor(std::move(handle)));
  return {};
}

}  // namespace

void registerIterators(OpRegistry& ops) {
  registerIteratorStates();
  registerSavedDatasets();
  const auto op = [&](const char* name, const char* summary) -> OpRecord& { return iteratorOp(ops, name, summary); };
  for (const char* name : {"Iterator", "IteratorV2"}) {
    declaresElements(op(name, "Creates an iterator; MakeIterator attaches a data set to it.")
                         .output("handle: resource", "Handle of the iterator.")
                         .attr("shared_name: string", "Ops with the same name share the iterator; empty: the node's name.")
                         .attr("container: string", "Resource container."))
        .cpu({}, iteratorKernel);
  }
  op("OneShotIterator", "Creates an iterator over the data set returned by a function; it needs no initialization and runs once.")
      .output("handle: resource", "Handle of the iterator.")
      .attr("dataset_factory: func", "Function that returns the data set.")
      .attr("output_types: list(type) >= 1", "Types of an element's components.")
      .attr("output_shapes: list(shape) >= 1", "Shapes of an element's components, as far as they are known statically.")
      .attr("container: string = ''", "Resource container.")
      .attr("shared_name: string = ''", "Ops with the same name share the iterator; empty: the node's name.")
      .cpu({}, oneShotKernel);
  op("MakeIterator", "Initializes an iterator with a data set; it starts at the first element.")
      .input("dataset: variant", "The data set.")
      .input("iterator: resource", "Handle of the iterator.")
      .shape(shapes::none)
      .cpu({}, simpleKernel(makeIterator));
  for (const char* name : {"IteratorGetNext", "IteratorGetNextSync"}) {
    declaresElements(op(name, "The next element of an iterator.")
                         .input("iterator: resource", "Handle of the iterator.")
                         .output("components: list(output_types)", "The element's components."))
        .shape(elementShapes)
        .cpu({}, simpleKernel(getNext));
  }
  declaresElements(op("IteratorGetNextAsOptional", "The next element of an iterator as an optional; empty at the end.")
                       .input("iterator: resource", "Handle of the iterator.")
                       .output("optional: variant", "The optional."))
      .cpu({}, simpleKernel(getNextAsOptional));
  op("SerializeIterator", "The position of an iterator, which a checkpoint can hold.")
      .input("resource_handle: resource", "Handle of the iterator.")
      .output("serialized: variant", "The position, with the contents of buffers such as those of shuffles.")
      .cpu({}, simpleKernel(saveIterator));
  op("DeserializeIterator", "Continues an iteration at a saved position; the iterator's data set must be equal to the one that it was saved with.")
      .input("resource_handle: resource", "Handle of the iterator.")
      .input("serialized: variant", "The position.")
      .shape(shapes::none)
      .cpu({}, simpleKernel(restoreIterator));
  op("IteratorToStringHandle", "Converts an iterator handle to a string that can be fed.")
      .input("resource_handle: resource", "Handle of the iterator.")
      .output("string_handle: string", "The string.")
      .cpu({}, simpleKernel(toStringHandle));
  for (const char* name : {"IteratorFromStringHandle", "IteratorFromStringHandleV2"}) {
    op(name, "Converts a string back to an iterator handle.")
        .input("string_handle: string", "String from IteratorToStringHandle.")
        .output("resource_handle: resource", "Handle of the iterator.")
        .attr("output_types: list(type) >= 0 = []", "Expected types of the elements; empty: not checked.")
        .attr("output_shapes: list(shape) >= 0 = []", "Expected shapes of the elements; empty: not checked.")
        .cpu({}, simpleKernel(fromStringHandle));
  }
  declaresElements(op("AnonymousIterator", "Creates an anonymous iterator, which can only be reached through its handle.")
                       .output("handle: resource", "Handle of the iterator."))
      .cpu({}, simpleKernel(anonymousIterator));
  declaresElements(op("AnonymousIteratorV2", "Creates an anonymous iterator, which can only be reached through its handle.")
                       .output("handle: resource", "Handle of the iterator.")
                       .output("deleter: variant", "Deletes the iterator."))
      .cpu({}, simpleKernel(anonymousIterator));
  op("DeleteIterator", "Deletes an anonymous iterator.")
      .input("handle: resource", "Handle of the iterator.")
      .input("deleter: variant", "The deleter that was created with it.")
      .shape(shapes::none)
      .cpu({}, simpleKernel(deleteIterator));
  op("IteratorGetDevice", "Device on which an iterator lives.")
      .input("resource: resource", "Handle of the iterator.")
      .output("device: string", "Name of the device.")
      .cpu({}, simpleKernel(deviceOfIterator));
  oldName(ops, "ExperimentalIteratorGetDevice", "IteratorGetDevice");
  state(ops, OpRole::Iterator, Effect::Makes, "AnonymousIterator AnonymousIteratorV2 Iterator IteratorV2");
  state(ops, OpRole::OneShotIterator, Effect::Makes, "OneShotIterator");
  state(ops, OpRole::IteratorByName, Effect::Makes, "IteratorFromStringHandle IteratorFromStringHandleV2");
  state(ops, OpRole::IteratorName, Effect::Reads, "IteratorToStringHandle");
  state(ops, OpRole::MakeIterator, Effect::Input, "MakeIterator");
  state(ops, OpRole::Compute, Effect::Input, "DeserializeIterator SerializeIterator");
  state(ops, OpRole::IteratorGetNext, Effect::Input, "IteratorGetNext IteratorGetNextAsOptional IteratorGetNextSync");
  state(ops, OpRole::Compute, Effect::Object, "DeleteIterator");
  state(ops, OpRole::Compute, Effect::Reads, "ExperimentalIteratorGetDevice IteratorGetDevice");
  retain(
      ops,
      "AnonymousIterator AnonymousIteratorV2 DeleteIterator DeserializeIterator ExperimentalIteratorGetDevice Iterator IteratorFromStringHandle IteratorFromStringHandleV2 IteratorGetDevice IteratorGetNext IteratorGetNextAsOptional IteratorGetNextSync IteratorToStringHandle IteratorV2 MakeIterator OneShotIterator SerializeIterator");
}

}  // namespace weft
