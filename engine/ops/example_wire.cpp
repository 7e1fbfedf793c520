#include "ops/example_wire.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace weft {
namespace {

constexpr uint8_t varintTag(int field) { return uint8_t(field << 3); }
constexpr uint8_t lengthTag(int field) { return uint8_t(field << 3 | 2); }
constexpr uint8_t fixed32Tag(int field) { return uint8_t(field << 3 | 5); }

/// A cursor over protobuf's wire format.
class Wire {
 public:
  explicit Wire(std::string_view text) : rest_(text) {}
  bool atEnd() const { return rest_.empty(); }
  bool peek(uint8_t tag) const { return !rest_.empty() && uint8_t(rest_[0]) == tag; }
  bool take(uint8_t tag) {
    if (!peek(tag)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool varint(uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (rest_.empty()) return false;
      const auto byte = uint8_t(rest_[0]);
      rest_.remove_prefix(1);
      if (shift < 64) *value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool fixed32(uint32_t* value) {
    if (rest_.size() < 4) return false;
    std::memcpy(value, rest_.data(), 4);
    rest_.remove_prefix(4);
    return true;
  }
  /// Reads a string; fails if it is incomplete.
  bool text(std::string_view* out) {
    uint64_t n = 0;
    if (!varint(&n)) return false;
    n = uint32_t(n);
    if (n > rest_.size()) return false;
    *out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return true;
  }
  /// Reads a message; one that claims to be longer than the remaining bytes ends with them.
  bool message(Wire* out) {
    uint64_t n = 0;
    if (!varint(&n)) return false;
    const size_t size = std::min<size_t>(uint32_t(n), rest_.size());
    *out = Wire(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return true;
  }
  /// Skips an unknown field; groups are refused.
  bool skipField() {
    uint64_t tag = 0, value = 0;
    uint32_t word = 0;
    Wire inner{{}};
    if (!varint(&tag)) return false;
    switch (tag & 7) {
      case 0: return varint(&value);
      case 1: return fixed32(&word) && fixed32(&word);
      case 2: return message(&inner);
      case 5: return fixed32(&word);
      default: return false;
    }
  }

 private:
  std::string_view rest_;
};

/// A map entry: key in field 1, then the value's message in field 2.
bool readEntry(Wire& in, std::string_view* key, std::string_view* value) {
  Wire entry{{}};
  return in.message(&entry) && entry.take(lengthTag(1)) && entry.text(key) && entry.take(lengthTag(2)) && entry.text(value) && entry.atEnd();
}

bool readFeatures(Wire& in, std::vector<WireFeature>* out) {
  Wire features{{}};
  if (!in.message(&features)) return false;
  while (!features.atEnd()) {
    WireFeature f;
    if (!features.take(lengthTag(1)) || !readEntry(features, &f.name, &f.body)) return false;
    out->push_back(f);
  }
  return true;
}

bool readLists(Wire& in, std::vector<WireList>* out) {
  Wire lists{{}};
  if (!in.message(&lists)) return false;
  while (!lists.atEnd()) {
    WireList list;
    std::string_view body;
    if (!lists.take(lengthTag(1)) || !readEntry(lists, &list.name, &body)) return false;
    Wire steps(body);
    while (!steps.atEnd()) {
      std::string_view step;
      if (!steps.take(lengthTag(1)) || !steps.text(&step)) return false;
      list.steps.push_back(step);
    }
    out->push_back(std::move(list));
  }
  return true;
}

bool readBytes(Wire& list, std::vector<std::string>* out) {
  while (!list.atEnd()) {
    std::string_view bytes;
    if (!list.take(lengthTag(1)) || !list.text(&bytes)) return false;
    out->emplace_back(bytes);
  }
  return true;
}

/// Reads packed numbers, or one number per tag; anything after packed numbers is ignored.
template <typename F>
bool readNumbers(Wire& list, uint8_t tag, F&& one) {
  if (list.atEnd()) return true;
  if (list.take(lengthTag(1))) {
    Wire packed{{}};
    if (!list.message(&packed)) return false;
    while (!packed.atEnd()) {
      if (!one(packed)) return false;
    }
    return true;
  }
  while (!list.atEnd()) {
    if (!list.take(tag) || !one(list)) return false;
  }
  return true;
}

}  // namespace

bool readExample(std::string_view text, std::vector<WireFeature>* features) {
  Wire in(text);
  while (!in.atEnd()) {
    if (in.take(lengthTag(1)) ? !readFeatures(in, features) : !in.skipField()) return false;
  }
  return true;
}

bool readSequenceExample(std::string_view text, std::vector<WireFeature>* context, std::vector<WireList>* lists) {
  Wire in(text);
  while (!in.atEnd()) {
    if (in.take(lengthTag(1))) {
      if (!readFeatures(in, context)) return false;
    } else if (in.take(lengthTag(2))) {
      if (!readLists(in, lists)) return false;
    } else if (!in.skipField()) {
      return false;
    }
  }
  return true;
}

Result<DType> takeKind(std::string_view* body) {
  if (body->empty()) return DType::Invalid;
  const auto tag = uint8_t((*body)[0]);
  body->remove_prefix(1);
  switch (tag) {
    case lengthTag(1): return DType::String;
    case lengthTag(2): return DType::Float;
    case lengthTag(3): return DType::Int64;
    default: return invalidArgument("Unsupported datatype.");
  }
}

bool readValues(std::string_view body, DType type, FeatureValues* out) {
  Wire in(body), list{{}};
  if (!in.message(&list)) return false;
  switch (type) {
    case DType::String: return readBytes(list, &out->bytes);
    case DType::Float:
      return readNumbers(list, fixed32Tag(1), [&](Wire& w) {
        uint32_t bits = 0;
        if (!w.fixed32(&bits)) return false;
        out->floats.push_back(std::bit_cast<float>(bits));
        return true;
      });
    default:
      return readNumbers(list, varintTag(1), [&](Wire& w) {
        uint64_t value = 0;
        if (!w.varint(&value)) return false;
        out->ints.push_back(int64_t(value));
        return true;
      });
  }
}

void FeatureValues::clear() {
  bytes.clear();
  floats.clear();
  ints.clear();
}

void FeatureValues::store(Tensor& to, int64_t at) const {
  switch (to.dtype()) {
    case DType::String: std::copy(bytes.begin(), bytes.end(), to.mutableData<std::string>() + at); break;
    case DType::Float: std::copy(floats.begin(), floats.end(), to.mutableData<float>() + at); break;
    default: std::copy(ints.begin(), ints.end(), to.mutableData<int64_t>() + at);
  }
}

const char* valuesWord(DType type) { return type == DType::String ? "bytes" : type == DType::Float ? "float" : "int64"; }

}  // namespace weft
