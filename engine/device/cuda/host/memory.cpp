#include "device/cuda/host/memory.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "weft/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_ASAN 1
#endif
#endif

namespace weft::cuda::host {
namespace {

constexpr size_t kPage = 4096;

/// All memories of the process, for Access and for the signal handler. They live as long as the process.
std::vector<DeviceMemory*>& memories() {
  static auto* all = new std::vector<DeviceMemory*>;
  return *all;
}
int openings = 0;  // guarded by the machine's mutex

#ifndef WEFT_ASAN
struct sigaction earlierHandler;

/// A host thread has touched device memory: on a GPU it would crash as well. Says so, then lets the earlier handler have the signal.
void onFault(int signal, siginfo_t* info, void* context) {
  const bool ours = std::any_of(memories().begin(), memories().end(), [&](const DeviceMemory* m) { return m->contains(info->si_addr); });
  if (ours) {
    constexpr char text[] = "weft: host code touched the memory of a GPU; was an input or output left out of hostMemory?\n";
    [[maybe_unused]] const auto written = ::write(2, text, sizeof text - 1);
  }
  ::sigaction(signal, &earlierHandler, nullptr);  // the instruction fails again
}

void catchFaults() {
  struct sigaction ours {};
  ours.sa_sigaction = onFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, &ours, &earlierHandler);
}
#else
void catchFaults() {}  // the sanitizer reports it, with the stack
#endif

size_t paged(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }
size_t withGuards(size_t bytes) { return (bytes + kGuardBytes - 1) / kGuardBytes * kGuardBytes + 2 * kGuardBytes; }

}  // namespace

void poison(void* data, size_t bytes) {
  auto* at = static_cast<unsigned char*>(data);
  size_t k = 0;
  for (; k < bytes && (reinterpret_cast<uintptr_t>(at + k) & 3); ++k)
    at[k] = reinterpret_cast<const unsigned char*>(&kPoison)[(reinterpret_cast<uintptr_t>(at + k) & 3)];
  for (; k + 4 <= bytes; k += 4) std::memcpy(at + k, &kPoison, 4);
  for (; k < bytes; ++k) at[k] = reinterpret_cast<const unsigned char*>(&kPoison)[(reinterpret_cast<uintptr_t>(at + k) & 3)];
}

int64_t firstChange(const void* data, size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  const auto* pattern = reinterpret_cast<const unsigned char*>(&kPoison);
  for (size_t k = 0; k < bytes; ++k) {
    for (uint32_t word; !(reinterpret_cast<uintptr_t>(at + k) & 3) && k + 4 <= bytes; k += 4) {
      std::memcpy(&word, at + k, 4);
      if (word != kPoison) break;
    }
    if (k < bytes && at[k] != pattern[reinterpret_cast<uintptr_t>(at + k) & 3]) return int64_t(k);
  }
  return -1;
}

int64_t firstPoison(const void* data, size_t bytes) {
  constexpr uint32_t kQuieted = kPoison | 0x400000u;  // arithmetic keeps the payload of a NaN
  const auto* at = static_cast<const unsigned char*>(data);
  for (size_t k = 0; k + 4 <= bytes; k += 4) {
    uint32_t word;
    std::memcpy(&word, at + k, 4);
    if (word == kPoison || word == kQuieted) return int64_t(k);
  }
  return -1;
}

DeviceMemory::Access::Access() {
  if (openings++ > 0) return;
  for (DeviceMemory* m : memories()) m->protect(true);
}
DeviceMemory::Access::~Access() {
  if (--openings > 0) return;
  for (DeviceMemory* m : memories()) m->protect(false);
}

DeviceMemory::DeviceMemory(int device, size_t bytes) : device_(device), bytes_(bytes), reserved_(paged(bytes + bytes / 4) + (size_t(64) << 20)) {
  void* range = ::mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    reserved_ = 0;
    return;
  }
  begin_ = static_cast<unsigned char*>(range);
  if (memories().empty()) catchFaults();
  memories().push_back(this);
}

DeviceMemory::~DeviceMemory() {
  std::erase(memories(), this);
  if (begin_) ::munmap(begin_, reserved_);
}

void DeviceMemory::protect(bool open) {
  if (top_) ::mprotect(begin_, paged(top_), open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void* DeviceMemory::allocate(size_t bytes) {
  const size_t whole = withGuards(bytes);
  if (used_ + bytes > bytes_) return nullptr;
  unsigned char* at = nullptr;
  const auto fits = std::find_if(free_.begin(), free_.end(), [&](const auto& f) { return f.second >= whole; });
  if (fits != free_.end()) {
    const auto [begin, size] = *fits;
    free_.erase(fits);
    at = begin;
    if (size > whole) free_.emplace(begin + whole, size - whole);
  } else {
    if (top_ + whole > reserved_) return nullptr;
    at = begin_ + top_;
    top_ += whole;
    ::mprotect(begin_, paged(top_), PROT_READ | PROT_WRITE);
  }
  poison(at, whole);
  used_ += bytes;
  taken_.emplace(at + kGuardBytes, bytes);
  return at + kGuardBytes;
}

bool DeviceMemory::free(void* data) {
  const auto it = taken_.find(static_cast<unsigned char*>(data));
  if (it == taken_.end()) return false;
  unsigned char* begin = it->first - kGuardBytes;
  size_t size = withGuards(it->second);
  used_ -= it->second;
  notes_.erase(it->first);
  taken_.erase(it);
  poison(begin, size);
  auto next = free_.lower_bound(begin);
  if (next != free_.end() && begin + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      before->second += size;
      return true;
    }
  }
  free_.emplace(begin, size);
  return true;
}

bool DeviceMemory::holds(const void* data, size_t bytes, std::string& why) const {
  const auto* at = static_cast<const unsigned char*>(data);
  auto it = taken_.upper_bound(const_cast<unsigned char*>(at));
  if (it != taken_.begin()) {
    --it;
    if (at >= it->first && at + bytes <= it->first + it->second) return true;
    if (at < it->first + it->second) {
      why = concat(bytes, " bytes from byte ", at - it->first, " of an allocation of ", it->second, " bytes on GPU ", device_);
      return false;
    }
  }
  why = concat("an address on GPU ", device_, " where nothing is allocated");
  return false;
}

bool DeviceMemory::take(void* data, size_t bytes, size_t size) {
  auto& note = notes_[static_cast<unsigned char*>(data)];
  const bool intact = !note.released || firstChange(data, note.size) < 0;
  note = {bytes, size, false};
  poison(data, size);
  return intact;
}

void DeviceMemory::release(void* data, size_t size) {
  notes_[static_cast<unsigned char*>(data)] = {0, size, true};
  poison(data, size);
}

std::string DeviceMemory::damage() const {
  for (const auto& [begin, size] : taken_) {
    if (const int64_t k = firstChange(begin - kGuardBytes, kGuardBytes); k >= 0) {
      return concat("wrote ", int64_t(kGuardBytes) - k, " bytes before an allocation of ", size, " bytes on GPU ", device_);
    }
    if (const int64_t k = firstChange(begin + size, kGuardBytes); k >= 0) {
      return concat("wrote at byte ", int64_t(size) + k, " of an allocation of ", size, " bytes on GPU ", device_);
    }
  }
  for (const auto& [begin, note] : notes_) {
    if (note.released) continue;
    if (const int64_t k = firstChange(begin + note.bytes, std::min(note.size - note.bytes, kGuardBytes)); k >= 0) {
      return concat("wrote at byte ", int64_t(note.bytes) + k, " of a tensor of ", note.bytes, " bytes on GPU ", device_);
    }
  }
  return {};
}

void DeviceMemory::mend() {
  for (const auto& [begin, size] : taken_) {
    poison(begin - kGuardBytes, kGuardBytes);
    poison(begin + size, kGuardBytes);
  }
  for (const auto& [begin, note] : notes_) poison(begin + note.bytes, note.size - note.bytes);
}

}  // namespace weft::cuda::host
