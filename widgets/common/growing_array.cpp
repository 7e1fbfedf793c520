#include "common/growing_array.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace weft::widgets {
namespace {

constexpr std::size_t kLeast = 256, kMost = ~std::size_t{0} / 4;

#ifdef __linux__

constexpr std::size_t kPages = std::size_t{1} << 18;  // bytes from which on a block has its own pages

bool ownPages(std::size_t capacity) { return capacity >= kPages; }

void* grow(void* old, std::size_t had, std::size_t wanted) {
  if (!ownPages(wanted)) return std::realloc(old, wanted);
  if (ownPages(had)) {
    void* moved = ::mremap(old, had, wanted, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? nullptr : moved;
  }
  void* fresh = ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) return nullptr;
  if (had > 0) std::memcpy(fresh, old, had);
  std::free(old);
  return fresh;
}

void drop(void* data, std::size_t capacity) {
  if (ownPages(capacity)) ::munmap(data, capacity);
  else std::free(data);
}

#else

void* grow(void* old, std::size_t, std::size_t wanted) { return std::realloc(old, wanted); }
void drop(void* data, std::size_t) { std::free(data); }

#endif

}  // namespace

void GrowingBytes::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  if (bytes > kMost) throw std::bad_alloc();
  std::size_t wanted = std::max(kLeast, capacity_);
  while (wanted < bytes) wanted *= 2;  // untouched pages take no memory
  void* grown = grow(data_, capacity_, wanted);
  if (!grown) throw std::bad_alloc();
  data_ = grown;
  capacity_ = wanted;
}

void GrowingBytes::release() {
  drop(data_, capacity_);
  data_ = nullptr;
  capacity_ = 0;
}

}  // namespace weft::widgets
