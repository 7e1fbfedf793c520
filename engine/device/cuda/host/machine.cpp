#include "device/cuda/host/machine.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "weft/error.h"

namespace weft::cuda::host {
namespace {

constexpr size_t kMostQueued = 4096;

/// A number from the environment, or `otherwise`.
size_t setting(const char* name, size_t otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? size_t(std::strtoull(text, nullptr, 10)) : otherwise;
}

/// Whether CUDA_VISIBLE_DEVICES hides all GPUs: it is set and names none.
bool hidden() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible && (*visible < '0' || *visible > '9');
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Machine& Machine::instance() {
  static auto* machine = new Machine;  // streams of devices may outlive static objects
  return *machine;
}

bool Machine::broken(const char* what) {
  const char* fault = std::getenv("WEFT_GPU_HOST_FAULT");
  return fault && std::string_view(fault) == what;
}

Machine::Machine() : chance_(uint32_t(setting("WEFT_GPU_HOST_SEED", 1)) | 1) {
  const size_t count = hidden() ? 0 : setting("WEFT_GPU_HOST_DEVICES", 1);
  size_t bytes = setting("WEFT_GPU_HOST_MEMORY", size_t(4) << 30);
  const char* rest = std::getenv("WEFT_GPU_HOST_MEMORY");  // one number for all, or one for each
  for (size_t i = 0; i < std::min<size_t>(count, 16); ++i) {
    memories_.push_back(std::make_unique<DeviceMemory>(int(i), bytes));
    rest = rest ? std::strchr(rest, ',') : nullptr;
    if (rest) bytes = size_t(std::strtoull(++rest, nullptr, 10));
  }
  if (const char* fault = std::getenv("WEFT_GPU_HOST_FAULT"); fault && std::string_view(fault).starts_with("lost:"))
    untilLost_ = std::strtoull(fault + 5, nullptr, 10);
}

int Machine::ownerOf(const void* address) const {
  for (size_t i = 0; i < memories_.size(); ++i) {
    if (memories_[i]->contains(address)) return int(i);
  }
  return -1;
}

Stream* Machine::addStream(int device) {
  streams_.push_back(std::make_unique<Stream>(device));
  return streams_.back().get();
}

void Machine::removeStream(Stream* s) {
  finish(s);
  std::erase_if(streams_, [&](const auto& other) { return other.get() == s; });
}

void Machine::queue(Stream* s, std::string name, std::function<void()> work) {
  if (untilLost_ > 0 && --untilLost_ == 0) fail("the GPU is lost");
  s->queue_.push_back({std::move(name), std::move(work), nullptr, nullptr});
  if (++queued_ <= kMostQueued) return;
  const DeviceMemory::Access access;
  while (queued_ > kMostQueued / 2) step(streams_[random(uint32_t(streams_.size()))].get());
}

void Machine::record(Event* e, Stream* s) {
  e->last = std::make_shared<Ticket>();
  e->last->stream = s;
  s->queue_.push_back({{}, nullptr, nullptr, e->last});
  ++queued_;
}

void Machine::wait(Stream* s, const Event& e) {
  if (!e.last || e.last->passed) return;
  s->queue_.push_back({{}, nullptr, e.last, nullptr});
  ++queued_;
}

/// Runs the first operation of the stream, or of the one that it waits for.
void Machine::step(Stream* s) {
  if (s->queue_.empty()) return;
  if (const auto& ticket = s->queue_.front().waits; ticket && !ticket->passed) return step(ticket->stream);
  const Stream::Operation operation = std::move(s->queue_.front());
  s->queue_.pop_front();
  --queued_;
  if (operation.marks) {
    operation.marks->passed = true;
    operation.marks->seconds = now();
  }
  if (operation.work) run(operation);
}

void Machine::run(const Stream::Operation& operation) {
  if (!fault_.empty()) return;  // as on a GPU: nothing runs after a fault
  try {
    operation.work();
  } catch (const Fault& f) {
    return fail(concat(operation.name, ": ", f.what));
  } catch (const std::exception& e) {
    return fail(concat(operation.name, ": ", e.what()));
  }
  for (const auto& m : memories_) {
    if (const std::string damage = m->damage(); !damage.empty()) return fail(concat(operation.name, " ", damage));
  }
}

void Machine::fail(const std::string& what) {
  if (fault_.empty()) fault_ = what;
}

void Machine::recover() {
  finishAll();  // runs nothing after a fault
  fault_.clear();
  const DeviceMemory::Access access;
  for (const auto& m : memories_) m->mend();
}

void Machine::passTime() {
  const DeviceMemory::Access access;
  for (uint32_t k = othersGoOn_ ? random(4) : 0; k > 0 && queued_ > 0; --k) step(streams_[random(uint32_t(streams_.size()))].get());
}

void Machine::finish(Stream* s) {
  if (s->queue_.empty()) return;
  passTime();
  const DeviceMemory::Access access;
  while (!s->queue_.empty()) step(s);
}

void Machine::finish(const Ticket& t) {
  if (t.passed) return;
  passTime();
  const DeviceMemory::Access access;
  while (!t.passed) step(t.stream);
}

void Machine::finishAll() {
  if (queued_ == 0) return;
  const DeviceMemory::Access access;
  while (queued_ > 0) {
    for (const auto& s : streams_) step(s.get());
  }
}

}  // namespace weft::cuda::host
