#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft {

/// One field of a serialised message, as it lies in the bytes.
struct WireField {
  int number = 0;
  int type = 0;            ///< 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes
  uint64_t value = 0;      ///< varint only
  std::string_view bytes;  ///< content of a length-delimited field
  std::string_view whole;  ///< the field with its tag
};

/// Iterates over the fields of a serialized message without parsing their contents.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : all_(bytes), rest_(bytes) {}

  /// The next field; nullopt at the end or if the bytes are malformed (then ok() is false).
  std::optional<WireField> next() {
    if (rest_.empty() || !ok_) return std::nullopt;
    const char* begin = rest_.data();
    WireField f;
    uint64_t tag = 0;
    if (!varint(&tag) || (tag >> 3) == 0 || (tag >> 3) > 0x1fffffff) return bad();
    f.number = int(tag >> 3);
    f.type = int(tag & 7);
    if (f.type == 0) {
      if (!varint(&f.value)) return bad();
    } else if (f.type == 1 || f.type == 5) {
      const size_t n = f.type == 1 ? 8 : 4;
      if (rest_.size() < n) return bad();
      rest_.remove_prefix(n);
    } else if (f.type == 2) {
      uint64_t n = 0;
      if (!varint(&n)) return bad();
      cut_ = n > rest_.size();
      if (cut_) return bad();
      f.bytes = rest_.substr(0, size_t(n));
      rest_.remove_prefix(size_t(n));
    } else {
      return bad();
    }
    f.whole = std::string_view(begin, size_t(rest_.data() - begin));
    return f;
  }
  bool ok() const { return ok_; }
  bool atEnd() const { return ok_ && rest_.empty(); }
  bool cut() const { return cut_ || (!ok_ && rest_.empty()); }  ///< Whether a field extends beyond the end.
  size_t position() const { return all_.size() - rest_.size(); }

 private:
  bool varint(uint64_t* out) {
    *out = 0;
    for (int shift = 0; shift < 70 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      *out |= uint64_t(byte & 0x7f) << (shift < 64 ? shift : 63);
      if (!(byte & 0x80)) return true;
    }
    return false;
  }
  std::optional<WireField> bad() {
    ok_ = false;
    return std::nullopt;
  }

  std::string_view all_, rest_;
  bool ok_ = true, cut_ = false;
};

}  // namespace weft
