#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace weft::cuda::host {

/// What uninitialised memory of devices holds: a signalling NaN as float32, a number far out of range as an integer.
constexpr uint32_t kPoison = 0xffa5a5a5u;
constexpr size_t kGuardBytes = 256;  ///< Before and behind each allocation.

void poison(void* data, size_t bytes);
/// The first byte in [data, data + bytes) that no longer holds poison; -1: all do.
int64_t firstChange(const void* data, size_t bytes);
/// The first aligned float32 that is poison, or that was computed from it; -1: none.
int64_t firstPoison(const void* data, size_t bytes);

/// The memory of one device: a range of addresses that the process cannot touch except while device code runs.
class DeviceMemory {
 public:
  /// Opens the memory of all devices while it lives.
  class Access {
   public:
    Access();
    ~Access();
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
  };

  DeviceMemory(int device, size_t bytes);
  ~DeviceMemory();
  size_t bytes() const { return bytes_; }
  size_t used() const { return used_; }
  bool contains(const void* address) const { return address >= begin_ && address < begin_ + reserved_; }
  /// Null if there is no room. The memory is poisoned. REQUIRES: Access.
  void* allocate(size_t bytes);
  /// False if nothing was allocated there. REQUIRES: Access.
  bool free(void* data);
  /// Whether [data, data + bytes) lies within one allocation; the reason if not.
  bool holds(const void* data, size_t bytes, std::string& why) const;
  /// A tensor in an allocation begins: `bytes` of `size` are its own, and are poisoned. False if somebody wrote there after release(). REQUIRES: Access.
  bool take(void* data, size_t bytes, size_t size);
  /// The tensor's memory is free, and poisoned. REQUIRES: Access.
  void release(void* data, size_t size);
  /// Looks for writes outside of allocations and tensors. Empty: none. REQUIRES: Access.
  std::string damage() const;
  /// Restores guard zones and what lies beyond tensors. REQUIRES: Access.
  void mend();

 private:
  friend class Access;
  void protect(bool open);
  struct Note {
    size_t bytes, size;
    bool released;
  };
  const int device_;
  const size_t bytes_;
  unsigned char* begin_ = nullptr;
  size_t reserved_ = 0, top_ = 0, used_ = 0;       // addresses; those ever given out; bytes in use
  std::map<unsigned char*, size_t> taken_, free_;  // taken: what the caller asked for; free: with guard zones
  std::map<unsigned char*, Note> notes_;
};

}  // namespace weft::cuda::host
