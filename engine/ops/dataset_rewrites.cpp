#include "ops/dataset_rewrites.h"

#include <algorithm>

#include "weft/op_traits.h"

namespace weft {
namespace {

/// `dataset` with `rule` applied to each of its data sets, inputs first. `rule` gets the parent, too (null at the end of the pipeline).
using Rule = std::function<DatasetPtr(const DatasetPtr& dataset, const DatasetBase* parent)>;
DatasetPtr everywhere(const DatasetPtr& dataset, const DatasetBase* parent, const Rule& rule) {
  const std::vector<DatasetPtr> before = dataset->inputs();
  std::vector<DatasetPtr> after;
  for (const DatasetPtr& input : before) after.push_back(everywhere(input, dataset.get(), rule));
  DatasetPtr made = after == before ? dataset : dataset->over(std::move(after));
  return rule(made ? made : dataset, parent);
}

/// A rule from a function that makes the replacement, or null.
Rule replacing(DatasetPtr (*make)(const DatasetBase&)) {
  return [make](const DatasetPtr& d, const DatasetBase*) {
    DatasetPtr made = make(*d);
    return made ? made : d;
  };
}

/// `batched`: whatever their batch sizes.
bool hasKnownShapes(const DatasetBase& dataset, bool batched = false) {
  return std::ranges::all_of(dataset.spec().shapes,
                             [batched](const Shape& s) { return batched ? s.hasRank() && s.rank() > 0 && s.slice(1).isFullyKnown() : s.isFullyKnown(); });
}

/// A batch of a map as the choice between the two orders of both that TensorFlow makes by their speed. The elements are the same; here the map runs first.
DatasetPtr vectorizedMap(const DatasetPtr& dataset) {
  DatasetPtr map = dataset, input;
  std::vector<Captured> functions;
  if (const Captured* f = mapOfBatch(*dataset)) {
    if (!hasKnownShapes(*dataset, true)) return dataset;
    input = dataset->inputs()[0];
    functions = {*f};
  } else if (dataset->kind().starts_with("Batch")) {
    map = dataset->inputs()[0];
    const auto parts = mapParts(*map);
    if (!parts || !hasKnownShapes(*map)) return dataset;
    input = parts->input;
    functions = parts->functions;
  } else {
    return dataset;
  }
  if (!hasKnownShapes(*input)) return dataset;
  for (const Captured& f : functions)
    if (!IteratorState::requireStateless(f).ok()) return dataset;
  return branchOver(dataset->spec(), input, [dataset, map](DatasetPtr in, const IteratorContext&) -> Result<DatasetPtr> {
    DatasetPtr mapped = map->over({std::move(in)});
    return map == dataset ? mapped : dataset->over({std::move(mapped)});
  });
}

bool runsAhead(const DatasetBase& dataset) {
  const std::string kind = dataset.kind();
  return kind == "ParallelMap" || kind == "MapAndBatch" || kind == "ParallelInterleaveV2";
}

Rule ruleOf(const std::string& name) {
  if (name == "noop_elimination") return [](const DatasetPtr& d, const DatasetBase*) { return d->passesOn() ? d->inputs()[0] : d; };
  if (name == "shuffle_and_repeat_fusion") return replacing(shuffleAndRepeat);
  if (name == "map_fusion") return replacing(fusedMaps);
  if (name == "filter_fusion") return replacing(fusedFilters);
  if (name == "map_and_filter_fusion") {
    // The map also gives the predicate's value, which the filter tests and a last map drops.
    return [](const DatasetPtr& d, const DatasetBase*) { return fusesWithMap(*d) ? passedOnAs(d, "Map") : d; };
  }
  if (name == "map_parallelization") return replacing(parallelMap);
  if (name == "map_and_batch_fusion") return replacing(mapAndBatch);
  if (name == "map_vectorization") return [](const DatasetPtr& d, const DatasetBase*) { return vectorizedMap(d); };
  return [](const DatasetPtr& d, const DatasetBase* parent) {  // inject_prefetch
    return runsAhead(*d) && !(parent && parent->kind() == "Prefetch") ? passedOnAs(d, "Prefetch") : d;
  };
}

// ---- branches

/// Gives out one iterator over the input of a branch.
class OnceDataset final : public DatasetBase {
 public:
  OnceDataset(ElementSpec spec, std::unique_ptr<DatasetIterator> i) : DatasetBase(std::move(spec)), iterator_(std::move(i)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override {
    const MutexLock lock(mutex_);
    if (!iterator_) return invalidArgument("Cannot create more than one WrapperIterator per WrapperDataset.");
    return std::move(iterator_);
  }

 private:
  mutable Mutex mutex_;
  mutable std::unique_ptr<DatasetIterator> iterator_ WEFT_GUARDED_BY(mutex_);
};

class BranchDataset final : public UnaryDataset<BranchDataset> {
 public:
  BranchDataset(ElementSpec spec, DatasetPtr input, MakeBranch make)
      : UnaryDataset(std::move(spec), std::move(input), "ChooseFastestBranch"), make_(std::move(make)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext& start) const override {
    WEFT_LET(auto input, input_->makeIterator(start.below(kind_)));
    WEFT_LET(const DatasetPtr branch, make_(std::make_shared<OnceDataset>(input_->spec(), std::move(input)), start));
    WEFT_TRY(checkTypes(spec().types, branch->spec().types));
    return branch->makeIterator(start.below(kind_ + "_0"));
  }

 private:
  MakeBranch make_;
};

// ---- shards

/// Data sets whose input can be divided instead of their elements.
bool passesShards(const DatasetBase& dataset) {
  static const std::set<std::string> kinds = {"Batch",    "BatchV2",          "Cache",         "Filter",      "Map",      "MapAndBatch", "Model",
                                              "Optimize", "PaddedBatch",      "PaddedBatchV2", "ParallelMap", "Prefetch", "Rebatch",     "Repeat",
                                              "Shuffle",  "ShuffleAndRepeat", "Skip",          "Take",        "Window"};
  return kinds.contains(dataset.kind());
}

/// A pipeline without its last shuffle, which goes to `shuffle`.
DatasetPtr withoutShuffle(const DatasetPtr& dataset, DatasetPtr& shuffle) {
  if (dataset->kind().starts_with("Shuffle")) {
    shuffle = dataset;
    return dataset->inputs()[0];
  }
  if (dataset->inputs().size() != 1) return dataset;
  DatasetPtr input = withoutShuffle(dataset->inputs()[0], shuffle);
  return shuffle ? dataset->over({std::move(input)}) : dataset;
}

/// The pipeline with its files divided; null if it does not map names of files to data sets.
DatasetPtr filesDivided(const DatasetPtr& dataset, int64_t workers, int64_t index) {
  const std::vector<DatasetPtr> inputs = dataset->inputs();
  if (inputs.empty()) return nullptr;
  if (dataset->opensFiles()) {
    // Workers divide the files in one order and shuffle their own.
    DatasetPtr shuffle, files = sharded(withoutShuffle(inputs[0], shuffle), workers, index, false);
    return dataset->over({shuffle ? shuffle->over({files}) : files});
  }
  const bool several = dataset->kind() == "Concatenate" || dataset->kind() == "Zip";
  if (!several && !passesShards(*dataset)) return nullptr;
  std::vector<DatasetPtr> divided;
  for (const DatasetPtr& input : inputs) {
    divided.push_back(filesDivided(input, workers, index));
    if (!divided.back()) return nullptr;
  }
  return dataset->over(std::move(divided));
}

}  // namespace

DatasetPtr rewritten(DatasetPtr dataset, const std::set<std::string>& optimizations) {
  // In TensorFlow's order.
  static constexpr const char* kRules[] = {"noop_elimination",    "shuffle_and_repeat_fusion", "map_fusion",        "filter_fusion",  "map_and_filter_fusion",
                                           "map_parallelization", "map_and_batch_fusion",      "map_vectorization", "inject_prefetch"};
  for (const char* name : kRules)
    if (optimizations.contains(name)) dataset = everywhere(dataset, nullptr, ruleOf(name));
  return dataset;
}

DatasetPtr withLatencies(const DatasetPtr& dataset) {
  const auto names = namesInGraph(*dataset);
  const std::function<DatasetPtr(const DatasetPtr&)> add = [&](const DatasetPtr& d) {
    std::vector<DatasetPtr> inputs;
    for (const DatasetPtr& input : d->inputs()) inputs.push_back(add(input));
    if (d->kind().empty() || d->kind() == "LatencyStats") return d;
    return measured(inputs.empty() ? d : d->over(std::move(inputs)), "record_latency::" + names.at(d.get()));
  };
  return add(dataset);
}

DatasetPtr branchOver(ElementSpec spec, DatasetPtr input, MakeBranch make) {
  return std::make_shared<BranchDataset>(std::move(spec), std::move(input), std::move(make));
}

Result<DatasetPtr> shardedForWorker(DatasetPtr dataset, int64_t workers, int64_t index) {
  DatasetPtr divided = filesDivided(dataset, workers, index);
  return divided ? divided : sharded(std::move(dataset), workers, index, true);
}

bool readsFiles(const Captured& function) {
  const auto found = opInFunction(
      function, [](const OpRecord& op) { return op.opRole == OpRole::Dataset && op.opEffects == Effect::File && op.name != "MatchingFilesDataset"; });
  return found.ok() && !found->empty();
}

}  // namespace weft
