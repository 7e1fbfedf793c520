// Points of a sweep's space as places in [0, 1], one per parameter.
#pragma once

#include <optional>
#include <vector>

#include "weft/sweep.h"

namespace weft::sweep {

/// A hash in which every bit depends on every bit (splitmix64).
uint64_t mixed(uint64_t x);
/// A number in [0, 1) that depends on its arguments alone.
double randomPlace(uint64_t seed, uint64_t index, uint64_t dim);
SweepPoint pointAt(const std::vector<SweepParameter>& parameters, const std::vector<double>& places);
/// Empty if a parameter has no value in `point`, or one outside of its space.
std::optional<std::vector<double>> placesOf(const std::vector<SweepParameter>& parameters, const SweepPoint& point);

}  // namespace weft::sweep
