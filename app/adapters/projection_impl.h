// Only sources in app/adapters include this: the engine's side of ProjectedPoints.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "adapters/projection.h"
#include "weft/embedding.h"

namespace weft::app {

struct ProjectedPoints::Values {
  Points points;
};

}  // namespace weft::app
