#include "cluster/request_ids.h"

#include <random>

namespace weft::cluster {
namespace {

constexpr size_t kRemembered = 100000;

}  // namespace

int64_t newRequestId() {
  thread_local std::mt19937_64 random{std::random_device{}()};
  int64_t id = 0;
  while (id == 0) id = int64_t(random() >> 1);
  return id;
}

Status RecentRequests::track(int64_t id, const char* what) {
  if (id == 0) return {};
  const MutexLock lock(mutex_);
  if (!seen_.insert(id).second) return abortedError("The same ", what, " request was received twice. request_id: ", id);
  order_.push_back(id);
  if (order_.size() > kRemembered) {
    seen_.erase(order_.front());
    order_.pop_front();
  }
  return {};
}

}  // namespace weft::cluster
