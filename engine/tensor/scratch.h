#pragma once

#include "tensor/allocator.h"

namespace weft {

/// Asks the allocator of tensors whether there is room for `count` things of `each` bytes that somebody else will hold, whose number a value of the graph says.
/// Small ones are not asked for. RESOURCE_EXHAUSTED names the size and the limit.
inline Status reserveScratch(int64_t count, size_t each) {
  constexpr size_t kSmall = size_t(1) << 24;
  size_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(size_t(count), each, &bytes)) return resourceExhausted("OOM: ", count, " times ", each, " bytes");
  if (bytes <= kSmall) return {};
  const auto room = hostAllocator().allocate(bytes);
  return room.ok() ? Status() : Status(room.error());
}

}  // namespace weft
