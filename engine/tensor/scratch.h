#pragma once

#include "tensor/allocator.h"

namespace weft {

/// Checks whether the tensor allocator has room for `count` items of `each` bytes that will be allocated elsewhere. For sizes that come from values in the
/// graph. Small sizes are not checked. RESOURCE_EXHAUSTED names the size and the limit.
inline Status reserveScratch(int64_t count, size_t each) {
  constexpr size_t kSmall = size_t(1) << 24;
  size_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(size_t(count), each, &bytes)) return resourceExhausted("OOM: ", count, " times ", each, " bytes");
  if (bytes <= kSmall) return {};
  const auto room = hostAllocator().allocate(bytes);
  return room.ok() ? Status() : Status(room.error());
}

}  // namespace weft
