#include "adapters/run_sessions.h"

#include <array>
#include <mutex>

namespace weft::app {
namespace {

struct Entry {
  const void* owner = nullptr;
  std::shared_ptr<Session> session;
};
std::mutex mutex;
std::array<Entry, 2> entries;  // guarded by mutex; by kind

}  // namespace

void RunSessions::put(RunKind kind, const void* owner, std::shared_ptr<Session> session) {
  Entry entry{owner, std::move(session)};
  const std::lock_guard lock(mutex);
  std::swap(entries[size_t(kind)], entry);
}

void RunSessions::take(const void* owner) {
  std::array<Entry, 2> ended;  // let go of outside the lock
  const std::lock_guard lock(mutex);
  for (size_t k = 0; k < entries.size(); ++k)
    if (entries[k].owner == owner) std::swap(entries[k], ended[k]);
}

std::shared_ptr<Session> RunSessions::present(RunKind kind) {
  const std::lock_guard lock(mutex);
  return entries[size_t(kind)].session;
}

}  // namespace weft::app
