#pragma once

#include <optional>
#include <set>
#include <string>

#include "ops/dataset_shuffle.h"
#include "ops/datasets.h"

// Rewrites of pipelines: those that OptimizeDataset is asked for, and shards for the workers of a cluster. A rewrite gives the same elements, except that
// shuffle_and_repeat_fusion changes their order, as in TensorFlow.
namespace weft {

/// `dataset` as the rewrites of these names leave it. Data sets that functions make are rewritten when their iterators are made.
DatasetPtr rewritten(DatasetPtr dataset, const std::set<std::string>& optimizations);
/// `dataset` with a measurement of the time behind each data set, which latency_all_edges adds.
DatasetPtr withLatencies(const DatasetPtr& dataset);

/// The part of a pipeline that one of several workers reads: every `workers`-th file if the pipeline maps names of files to their contents, else every
/// `workers`-th element; then each worker must get one.
Result<DatasetPtr> shardedForWorker(DatasetPtr dataset, int64_t workers, int64_t index);

// ---- parts that data sets contribute; null or false if the data set is of another kind

/// The parts of a map.
struct MapParts {
  DatasetPtr input;
  std::vector<Captured> functions;  ///< In the order of their calls.
  bool keepsCount = false;          ///< A function must not end the data set.
};
std::optional<MapParts> mapParts(const DatasetBase& dataset);
/// Two maps, or two filters, in a row as one.
DatasetPtr fusedMaps(const DatasetBase& dataset);
DatasetPtr fusedFilters(const DatasetBase& dataset);
/// Whether a filter and the map before it can become one map.
bool fusesWithMap(const DatasetBase& dataset);
/// A map whose function keeps no state, as a parallel map.
DatasetPtr parallelMap(const DatasetBase& dataset);
/// A batch of a map, as one data set.
DatasetPtr mapAndBatch(const DatasetBase& dataset);
/// The function of a data set that maps and batches.
const Captured* mapOfBatch(const DatasetBase& dataset);
/// A repeated shuffle as one data set, if it reshuffles in each pass.
DatasetPtr shuffleAndRepeat(const DatasetBase& dataset);
/// The elements of `input` under another name.
DatasetPtr passedOnAs(DatasetPtr input, const char* kind);
/// The elements of `input`, whose times are recorded under `tag`.
DatasetPtr measured(DatasetPtr input, std::string tag);
/// Every `shards`-th element from `index` on. `requireAll`: it is an error if not every shard has an element.
DatasetPtr sharded(DatasetPtr input, int64_t shards, int64_t index, bool requireAll);

/// A data set that a function makes of `input`, whose elements it takes once.
using MakeBranch = std::function<Result<DatasetPtr>(DatasetPtr input, const IteratorContext&)>;
DatasetPtr branchOver(ElementSpec spec, DatasetPtr input, MakeBranch make);

/// Whether a function makes data sets that read files.
bool readsFiles(const Captured& function);

}  // namespace weft
