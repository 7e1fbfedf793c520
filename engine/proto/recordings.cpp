#include "proto/recordings.h"

#include <algorithm>
#include <cctype>

namespace weft {
namespace {

/// Takes a number of up to ten bytes.
bool takeVarint(std::string_view& bytes, uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 70 && !bytes.empty(); shift += 7) {
    const auto byte = uint8_t(bytes.front());
    bytes.remove_prefix(1);
    *value |= uint64_t(byte & 0x7f) << (shift < 64 ? shift : 63);
    if (!(byte & 0x80)) return true;
  }
  return false;
}

bool takeByte(std::string_view& bytes, char byte) {
  if (!bytes.starts_with(byte)) return false;
  bytes.remove_prefix(1);
  return true;
}

/// A field with the pair of numbers that names a type of values.
bool takeValueType(std::string_view& bytes, char fieldTag) {
  uint64_t length = 0, number = 0;
  if (!takeByte(bytes, fieldTag) || !takeVarint(bytes, &length) || length < 2 || length > 22 || bytes.size() < length) return false;
  std::string_view type = bytes.substr(0, size_t(length));
  bytes.remove_prefix(size_t(length));
  bool any = false;
  for (const char tag : {'\x08', '\x10'})
    if (takeByte(type, tag)) {
      if (!takeVarint(type, &number)) return false;
      any = true;
    }
  return any && type.empty();
}

}  // namespace

bool beginsXSpace(std::string_view bytes) {
  uint64_t length = 0, number = 0;
  if (!takeByte(bytes, '\x0A') || !takeVarint(bytes, &length) || length < 3) return false;
  if (takeByte(bytes, '\x08') && !takeVarint(bytes, &number)) return false;
  uint64_t letters = 0;
  if (!takeByte(bytes, '\x12') || !takeVarint(bytes, &letters) || letters == 0 || letters > 4096 || letters >= length) return false;
  const std::string_view name = bytes.substr(0, size_t(letters));
  // A node without a name begins with its op, which is one word.
  const auto isWord = [](char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '>' || c == '.' || c == '/' || c == '-'; };
  if (!name.empty() && name[0] != '/' && std::all_of(name.begin(), name.end(), isWord)) return false;
  return !name.empty() && std::none_of(name.begin(), name.end(), [](char c) { return uint8_t(c) < 0x20 || c == 0x7f; });
}

bool beginsPprof(std::string_view bytes) {
  // Go's programs write the period, its type and its length, before the types of values.
  if (bytes.starts_with('\x5A')) {
    if (!takeValueType(bytes, '\x5A')) return false;
    uint64_t period = 0;
    if (takeByte(bytes, '\x60') && !takeVarint(bytes, &period)) return false;
  }
  return takeValueType(bytes, '\x0A');
}

}  // namespace weft
