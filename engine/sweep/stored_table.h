#pragma once

#include <memory>

#include "sweep/sqlite.h"
#include "weft/experiments.h"
#include "weft/mutex.h"

namespace weft::sweep {

/// A connection that a store shares with the tables that it gave out.
struct SharedDatabase {
  Mutex mutex;
  std::unique_ptr<Database> db;  // set before it is shared; used under the mutex
};

/// The runs of one sweep, or of all (0), as they are now.
Result<std::shared_ptr<ExperimentTable>> readTable(const std::shared_ptr<SharedDatabase>& db, int64_t sweep) WEFT_REQUIRES(db->mutex);

}  // namespace weft::sweep
