#include "base/temporary_file.h"

#include <atomic>
#include <random>

namespace weft {

std::string temporarySuffix() {
  static std::atomic<uint64_t> counter{std::random_device{}()};
  return concat(".tempstate", (uint64_t(std::random_device{}()) << 32) + counter++);
}

}  // namespace weft
