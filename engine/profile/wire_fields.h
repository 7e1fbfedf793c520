#pragma once

#include <cstdint>
#include <string_view>

#include "graph/wire.h"

namespace weft {

/// Calls take(number, bytes, whole) for the length-delimited fields of a message that may be truncated: a field whose bytes end too early is reported last, with the
/// bytes that are present and `whole` false. Returns whether the message was complete.
template <typename F>
bool eachField(std::string_view bytes, F&& take) {
  while (!bytes.empty()) {
    WireReader in(bytes);
    const auto f = in.next();
    if (f) {
      if (f->type == 2) take(f->number, f->bytes, true);
      bytes.remove_prefix(f->whole.size());
      continue;
    }
    size_t at = 0;
    uint64_t tag = 0, length = 0;
    const auto varint = [&](uint64_t* v) {
      for (int shift = 0; at < bytes.size() && shift < 64; shift += 7) {
        const auto byte = uint8_t(bytes[at++]);
        *v |= uint64_t(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
      }
      return false;
    };
    if (varint(&tag) && (tag & 7) == 2 && varint(&length) && length > bytes.size() - at) take(int(tag >> 3), bytes.substr(at), false);
    return false;
  }
  return true;
}

}  // namespace weft
