#pragma once

#include <optional>

#include "ops/datasets.h"

namespace weft {

/// The parts of a map, for the rewrite that fuses map and batch.
struct MapParts {
  DatasetPtr input;
  Captured function;
};
/// The parts of `dataset` if it is a map.
std::optional<MapParts> mapParts(const Dataset& dataset);

/// Maps and batches in one iterator. An element that does not fit its batch is an error with the fused op's wording.
std::unique_ptr<DatasetIterator> mapAndBatchIterator(std::unique_ptr<DatasetIterator> input, Captured function, int64_t batchSize, bool dropRemainder);

}  // namespace weft
