#include <map>
#include <unordered_map>

#include "ops/blocking_resource.h"
#include "ops/session_objects.h"

// Staging areas: tuples put by one op and taken by another, first in, first out (Stage), by key (MapStage) or by ascending key (OrderedMapStage). An area is
// found by container and shared name; the first op to use it creates it.
namespace weft {
namespace {

using Done = AsyncKernel::Done;
using Cancel = AsyncKernel::Cancel;
using Outputs = AsyncKernel::Outputs;
using Outcome = std::optional<Result<Outputs>>;

int64_t bytesOf(const std::vector<Tensor>& tuple) {
  int64_t bytes = 0;
  for (const Tensor& t : tuple) bytes += t.hasValue() ? int64_t(t.totalBytes()) : 0;
  return bytes;
}

/// The capacity of an area; 0: unlimited.
struct Limits {
  int64_t elements = 0, bytes = 0;
  bool allows(int64_t haveElements, int64_t haveBytes, int64_t moreBytes) const {
    return (elements == 0 || haveElements < elements) && (bytes == 0 || haveBytes + moreBytes <= bytes);
  }
  /// RESOURCE_EXHAUSTED for a tuple that can never fit.
  Status check(int64_t tuple) const {
    if (bytes == 0 || tuple <= bytes) return {};
    return resourceExhausted("Attempted to insert tensors with combined size of '", tuple, "' bytes into Staging Area with a memory limit of '", bytes, "'.");
  }
};

Limits limitsOf(const Node& node) { return {node.attrs.integer("capacity"), node.attrs.integer("memory_limit")}; }

class StagingArea final : public BlockingResource {
 public:
  explicit StagingArea(Limits limits) : limits_(limits) {}
  std::string kind() const override { return "staging area"; }

  Cancel put(std::vector<Tensor> tuple, const Done& done) {
    const int64_t bytes = bytesOf(tuple);
    if (Status s = limits_.check(bytes); !s.ok()) {
      done(s.error());
      return {};
    }
    return submit(
        [this, bytes, tuple = std::move(tuple)]() mutable -> Outcome {
          mutex_.assertHeld();
          if (!limits_.allows(int64_t(tuples_.size()), bytes_, bytes)) return std::nullopt;
          tuples_.push_back(std::move(tuple));
          bytes_ += bytes;
          return Outputs();
        },
        done, "Stage operation was cancelled");
  }
  Cancel take(size_t wanted, const Done& done) {
    return submit(
        [this, wanted]() -> Outcome {
          mutex_.assertHeld();
          if (tuples_.empty()) return std::nullopt;
          std::vector<Tensor> first = std::move(tuples_.front());
          tuples_.pop_front();
          bytes_ -= bytesOf(first);
          if (first.size() != wanted) return Result<Outputs>(mismatch(first.size(), wanted));
          return first;
        },
        done, "Unstage operation was cancelled");
  }
  Cancel peek(int64_t index, size_t wanted, const Done& done) {
    return submit(
        [this, index, wanted]() -> Outcome {
          mutex_.assertHeld();
          if (index >= int64_t(tuples_.size())) return std::nullopt;
          const std::vector<Tensor>& tuple = tuples_[size_t(index)];
          if (tuple.size() != wanted) return Result<Outputs>(mismatch(tuple.size(), wanted));
          return tuple;
        },
        done, "StagePeek operation was cancelled");
  }
  Cancel clear(const Done& done) {
    return submit(
        [this]() -> Outcome {
          mutex_.assertHeld();
          tuples_.clear();
          bytes_ = 0;
          return Outputs();
        },
        done, {});
  }
  int64_t size() const {
    const MutexLock lock(mutex_);
    return int64_t(tuples_.size());
  }

 private:
  static Error mismatch(size_t have, size_t wanted) { return invalidArgument("Mismatch stage/unstage: ", have, " vs. ", wanted); }
  const Limits limits_;
  std::deque<std::vector<Tensor>> tuples_ WEFT_GUARDED_BY(mutex_);
  int64_t bytes_ WEFT_GUARDED_BY(mutex_) = 0;
};

/// Tuples by key. Components may be put and taken in several steps; a missing component has no value.
template <bool kOrdered>
class StagingMap final : public BlockingResource {
 public:
  using Tuple = std::vector<Tensor>;

  StagingMap(Limits limits, size_t components) : limits_(limits), components_(components) {}
  std::string kind() const override { return "staging map"; }

  Cancel put(int64_t key, const std::vector<int64_t>& indices, Tuple values, const Done& done) {
    const int64_t bytes = bytesOf(values);
    Status status = limits_.check(bytes);
    if (status.ok()) status = checkIndices(key, indices);
    if (!status.ok()) {
      done(status.error());
      return {};
    }
    return submit(
        [=, this, values = std::move(values)]() mutable -> Outcome {
          mutex_.assertHeld();
          // A tuple takes its place when it becomes complete, its bytes when they come.
          const bool completes = indices.size() == components_ || completesWith(key, indices.size());
          if (limits_.bytes > 0 && bytes_ + bytes > limits_.bytes) return std::nullopt;
          if (completes && limits_.elements > 0 && int64_t(complete_.size()) >= limits_.elements) return std::nullopt;
          if (indices.size() == components_) {
            if (complete_.emplace(key, std::move(values)).second) bytes_ += bytes;
            return Outputs();
          }
          Tuple& tuple = incomplete_.try_emplace(key, Tuple(components_)).first->second;
          for (size_t k = 0; k < indices.size(); ++k) {
            Tensor& place = tuple[size_t(indices[k])];
            if (place.hasValue())
              return Result<Outputs>(
                  invalidArgument("The tensor for index '", indices[k], "' for key '", key, "' was already initialized '", components_, "'."));
            place = std::move(values[k]);
          }
          bytes_ += bytes;
          for (const Tensor& t : tuple) {
            if (!t.hasValue()) return Outputs();
          }
          complete_.emplace(key, std::move(tuple));
          incomplete_.erase(key);
          return Outputs();
        },
        done, "MapStage operation was cancelled");
  }

  /// Gets the components at `indices` of the tuple with this key; with `keeps` they remain.
  Cancel take(int64_t key, const std::vector<int64_t>& indices, bool keeps, const Done& done) {
    if (Status s = checkIndices(key, indices); !s.ok()) {
      done(s.error());
      return {};
    }
    return submit(
        [=, this]() -> Outcome {
          mutex_.assertHeld();
          const auto it = complete_.find(key);
          if (it == complete_.end()) return std::nullopt;
          return takeFrom(it, indices, keeps);
        },
        done, keeps ? "MapPeek operation was cancelled" : "MapUnstage operation was cancelled");
  }
  /// The same for the next tuple, preceded by its key.
  Cancel takeAny(const std::vector<int64_t>& indices, const Done& done) {
    if (Status s = checkIndices(0, indices); !s.ok()) {
      done(s.error());
      return {};
    }
    return submit(
        [=, this]() -> Outcome {
          mutex_.assertHeld();
          if (complete_.empty()) return std::nullopt;
          const int64_t key = complete_.begin()->first;
          Result<Outputs> taken = takeFrom(complete_.begin(), indices, false);
          if (taken.ok()) taken->insert(taken->begin(), Tensor::scalar(key));
          return taken;
        },
        done, "MapUnstageNoKey operation was cancelled");
  }
  Cancel clear(const Done& done) {
    return submit(
        [this]() -> Outcome {
          mutex_.assertHeld();
          complete_.clear();
          incomplete_.clear();
          bytes_ = 0;
          return Outputs();
        },
        done, {});
  }
  int64_t size() const {
    const MutexLock lock(mutex_);
    return int64_t(complete_.size());
  }
  int64_t incompleteSize() const {
    const MutexLock lock(mutex_);
    return int64_t(incomplete_.size());
  }

 private:
  // TensorFlow uses the same unordered container, so the order is the same.
  using Map = std::conditional_t<kOrdered, std::map<int64_t, Tuple>, std::unordered_map<int64_t, Tuple>>;

  Status checkIndices(int64_t key, const std::vector<int64_t>& indices) const {
    for (size_t k = 1; k < indices.size(); ++k) {
      if (indices[k] <= indices[k - 1]) return invalidArgument("Indices are not strictly ordered");
    }
    for (const int64_t i : indices) {
      if (i < 0 || i >= int64_t(components_)) return invalidArgument("Index '", i, "' for key '", key, "' was out of bounds '", components_, "'.");
    }
    return {};
  }
  bool completesWith(int64_t key, size_t more) const WEFT_REQUIRES(mutex_) {
    const auto it = incomplete_.find(key);
    if (it == incomplete_.end()) return false;
    for (const Tensor& t : it->second) more += t.hasValue();
    return more >= components_;
  }
  Result<Outputs> takeFrom(typename Map::iterator it, const std::vector<int64_t>& indices, bool keeps) WEFT_REQUIRES(mutex_) {
    const int64_t key = it->first;
    Tuple& tuple = it->second;
    for (const int64_t i : indices) {
      if (!tuple[size_t(i)].hasValue()) return invalidArgument("Tensor at index '", i, "' for key '", key, "' has already been removed.");
    }
    Outputs out;
    for (const int64_t i : indices) {
      Tensor& t = tuple[size_t(i)];
      out.push_back(t);
      if (!keeps) {
        bytes_ -= int64_t(t.totalBytes());
        t = Tensor();
      }
    }
    bool empty = true;
    for (const Tensor& t : tuple) empty &= !t.hasValue();
    if (empty) complete_.erase(it);
    return out;
  }

  const Limits limits_;
  const size_t components_;
  Map complete_ WEFT_GUARDED_BY(mutex_), incomplete_ WEFT_GUARDED_BY(mutex_);
  int64_t bytes_ WEFT_GUARDED_BY(mutex_) = 0;
};

template <typename Area>
Result<std::shared_ptr<Area>> areaOf(KernelContext& c) {
  const ObjectKey key = objectKey(c.node(), ObjectNaming::AfterNode);
  const Node& node = c.node();
  return c.session().lookupOrCreate<Area>(key.container, key.name, [&]() -> Result<std::shared_ptr<Area>> {
    if constexpr (std::is_same_v<Area, StagingArea>) return std::make_shared<Area>(limitsOf(node));
    else return std::make_shared<Area>(limitsOf(node), node.attrs.list<DType>("dtypes").size());
  });
}

std::vector<Tensor> inputsFrom(const KernelContext& c, int first) {
  std::vector<Tensor> tuple;
  for (int i = first; i < c.inputCount(); ++i) tuple.push_back(c.input(i));
  return tuple;
}

Result<int64_t> keyOf(const KernelContext& c) {
  if (c.input(0).elements() != 1) return invalidArgument("The key must be a scalar, but has shape ", c.input(0).shape().toString());
  return c.input(0).asInt(0);
}

std::vector<int64_t> indicesOf(const KernelContext& c, int input) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < c.input(input).elements(); ++i) indices.push_back(c.input(input).asInt(i));
  return indices;
}

Status checkCount(size_t indices, size_t values) {
  if (indices == values) return {};
  return invalidArgument("Insufficient outputs: ", indices, " indices for ", values, " tensors");
}

Result<Cancel> stage(KernelContext& c, const Done& done) {
  WEFT_LET(auto area, areaOf<StagingArea>(c));
  return area->put(inputsFrom(c, 0), done);
}

Result<Cancel> unstage(KernelContext& c, const Done& done) {
  WEFT_LET(auto area, areaOf<StagingArea>(c));
  return area->take(size_t(c.outputCount()), done);
}

Result<Cancel> stagePeek(KernelContext& c, const Done& done) {
  WEFT_LET(auto area, areaOf<StagingArea>(c));
  WEFT_LET(const int64_t index, keyOf(c));
  if (index < 0) return invalidArgument("index must not be negative, but is ", index);
  return area->peek(index, size_t(c.outputCount()), done);
}

template <typename Map>
Result<Cancel> mapStage(KernelContext& c, const Done& done) {
  WEFT_LET(auto map, areaOf<Map>(c));
  WEFT_LET(const int64_t key, keyOf(c));
  const std::vector<int64_t> indices = indicesOf(c, 1);
  std::vector<Tensor> values = inputsFrom(c, 2);
  WEFT_TRY(checkCount(indices.size(), values.size()));
  return map->put(key, indices, std::move(values), done);
}

template <typename Map, bool kKeeps>
Result<Cancel> mapTake(KernelContext& c, const Done& done) {
  WEFT_LET(auto map, areaOf<Map>(c));
  WEFT_LET(const int64_t key, keyOf(c));
  const std::vector<int64_t> indices = indicesOf(c, 1);
  WEFT_TRY(checkCount(indices.size(), size_t(c.outputCount())));
  return map->take(key, indices, kKeeps, done);
}

template <typename Map>
Result<Cancel> mapTakeAny(KernelContext& c, const Done& done) {
  WEFT_LET(auto map, areaOf<Map>(c));
  const std::vector<int64_t> indices = indicesOf(c, 0);
  WEFT_TRY(checkCount(indices.size(), size_t(c.outputCount()) - 1));
  return map->takeAny(indices, done);
}

template <typename Area>
Result<Cancel> clear(KernelContext& c, const Done& done) {
  WEFT_LET(auto area, areaOf<Area>(c));
  return area->clear(done);
}

template <typename Area>
Status size(KernelContext& c) {
  WEFT_LET(auto area, areaOf<Area>(c));
  c.setOutput(0, Tensor::scalar(int32_t(area->size())));
  return {};
}

template <typename Map>
Status incompleteSize(KernelContext& c) {
  WEFT_LET(auto map, areaOf<Map>(c));
  c.setOutput(0, Tensor::scalar(int32_t(map->incompleteSize())));
  return {};
}

OpRecord& areaOp(OpRegistry& ops, const std::string& name, const char* summary, bool someTypes) {
  return withSharedName(ops.add(name).category("Staging areas").summary(summary))
      .attr("capacity: int >= 0 = 0", "Maximum number of tuples; 0: unlimited.")
      .attr("memory_limit: int >= 0 = 0", "Maximum number of bytes; 0: unlimited.")
      .attr(someTypes ? "dtypes: list(type) >= 1" : "dtypes: list(type)", "Types of a tuple's components.")
      .noGradient("Staged tensors come from other runs; no gradient flows through a staging area.");
}

template <bool kOrdered>
void registerMaps(OpRegistry& ops, const std::string& prefix) {
  using Map = StagingMap<kOrdered>;
  constexpr const char* kKey = "Key of the tuple; a scalar.";
  constexpr const char* kIndices = "Indices of the components, ascending.";
  areaOp(ops, prefix + "Stage", "Stores components of a tuple in a staging map under a key; waits while the map is full.", false)
      .input("key: int64", kKey)
      .input("indices: int32", kIndices)
      .input("values: list(fake_dtypes)", "The corresponding values.")
      .attr("fake_dtypes: list(type) >= 1", "Types of `values`.")
      .shape(shapes::none)
      .cpu({}, asyncKernel(mapStage<Map>));
  areaOp(ops, prefix + "Unstage", "Takes components of the tuple with a given key out of a staging map; waits until the tuple is complete.", true)
      .input("key: int64", kKey)
      .input("indices: int32", kIndices)
      .output("values: list(dtypes)", "The corresponding values.")
      .shape(shapes::unknown)
      .cpu({}, asyncKernel(mapTake<Map, false>));
  areaOp(ops, prefix + "Peek", "Reads components of the tuple with a given key in a staging map; waits until the tuple is complete.", true)
      .input("key: int64", kKey)
      .input("indices: int32", kIndices)
      .output("values: list(dtypes)", "The corresponding values.")
      .shape(shapes::unknown)
      .cpu({}, asyncKernel(mapTake<Map, true>));
  areaOp(ops, prefix + "UnstageNoKey", "Takes components of any complete tuple out of a staging map; waits until there is one.", true)
      .input("indices: int32", kIndices)
      .output("key: int64", "Key of the tuple.")
      .output("values: list(dtypes)", "The corresponding values.")
      .shape(shapes::unknown)
      .cpu({}, asyncKernel(mapTakeAny<Map>));
  areaOp(ops, prefix + "Size", "Number of complete tuples in a staging map.", false)
      .output("size: int32", "A scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(size<Map>));
  areaOp(ops, prefix + "IncompleteSize", "Number of incomplete tuples in a staging map.", false)
      .output("size: int32", "A scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(incompleteSize<Map>));
  areaOp(ops, prefix + "Clear", "Removes all tuples from a staging map.", false).shape(shapes::none).cpu({}, asyncKernel(clear<Map>));
}

}  // namespace

void registerStagingAreas(OpRegistry& ops) {
  areaOp(ops, "Stage", "Stores a tuple in a staging area; waits while the area is full.", true)
      .input("values: list(dtypes)", "Components of the tuple.")
      .shape(shapes::none)
      .cpu({}, asyncKernel(stage));
  areaOp(ops, "Unstage", "Takes the oldest tuple out of a staging area; waits until there is one.", true)
      .output("values: list(dtypes)", "Components of the tuple.")
      .shape(shapes::unknown)
      .cpu({}, asyncKernel(unstage));
  areaOp(ops, "StagePeek", "Reads the tuple at a given index of a staging area without removing it; waits until it exists.", true)
      .input("index: int32", "Index, counted from the oldest tuple; a scalar.")
      .output("values: list(dtypes)", "Components of the tuple.")
      .shape(shapes::unknown)
      .cpu({}, asyncKernel(stagePeek));
  areaOp(ops, "StageSize", "Number of tuples in a staging area.", false)
      .output("size: int32", "A scalar.")
      .shape(shapes::scalar)
      .cpu({}, simpleKernel(size<StagingArea>));
  areaOp(ops, "StageClear", "Removes all tuples from a staging area.", false).shape(shapes::none).cpu({}, asyncKernel(clear<StagingArea>));
  registerMaps<false>(ops, "Map");
  registerMaps<true>(ops, "OrderedMap");
  state(ops, OpRole::Compute, Effect::Queue,
        "MapClear MapStage MapUnstage MapUnstageNoKey OrderedMapClear OrderedMapStage OrderedMapUnstage OrderedMapUnstageNoKey Stage StageClear Unstage");
  state(ops, OpRole::Compute, Effect::Reads, "MapIncompleteSize MapPeek MapSize OrderedMapIncompleteSize OrderedMapPeek OrderedMapSize StagePeek StageSize");
  retain(ops, "MapPeek MapStage MapUnstage MapUnstageNoKey OrderedMapPeek OrderedMapStage OrderedMapUnstage OrderedMapUnstageNoKey Stage StagePeek Unstage");
}

}  // namespace weft
