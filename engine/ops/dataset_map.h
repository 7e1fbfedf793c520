#pragma once

#include <optional>

#include "ops/datasets.h"

namespace weft {

/// A map as its parts, for the rewrite that batches while it maps.
struct MapParts {
  DatasetPtr input;
  Captured function;
};
/// The parts of `dataset` if it is a map.
std::optional<MapParts> mapParts(const Dataset& dataset);

/// Maps and batches in one walk: an element that does not fit its batch is an error in that op's words.
std::unique_ptr<DatasetWalk> mapAndBatchWalk(std::unique_ptr<DatasetWalk> input, Captured function, int64_t batchSize, bool dropRemainder);

}  // namespace weft
