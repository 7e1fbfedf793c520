#pragma once

#include <cstdint>
#include <deque>
#include <unordered_set>

#include "weft/error.h"
#include "weft/mutex.h"

namespace weft::cluster {

/// A number that no other request has. Never 0, which means none.
int64_t newRequestId();

/// The numbers of the newest requests that a server received. A request whose number was seen is a repetition whose first copy may have run. Thread-safe.
class RecentRequests {
 public:
  /// ABORTED, in TensorFlow's words, if the number was seen; 0 is never refused.
  Status track(int64_t id, const char* what);

 private:
  Mutex mutex_;
  std::unordered_set<int64_t> seen_ WEFT_GUARDED_BY(mutex_);
  std::deque<int64_t> order_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft::cluster
