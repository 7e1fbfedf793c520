#include "graph/attr_wire.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "graph/wire.h"
#include "weft/truth_values.h"

namespace weft {
namespace {

constexpr int kVarint = 0, kBytes = 2, kFixed32 = 5;
constexpr size_t kSmall = 1024, kLarge = size_t(256) << 10, kBlock = size_t(64) << 10, kAlignment = 64;

float floatOf(const char* at) {
  float v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

/// Zeros on untouched pages, for large tensors such as the initial values of whole layers: memory is only used once they are read.
std::optional<Tensor> lazyZeros(DType dtype, const Shape& shape, size_t bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return std::nullopt;
  return Tensor::borrow(dtype, shape, at, std::shared_ptr<const void>(at, [bytes](void* p) { ::munmap(p, bytes); }));
}

/// The varints of a packed list; false if the bytes are truncated.
template <typename F>
bool eachVarint(std::string_view bytes, F&& take) {
  for (size_t at = 0; at < bytes.size();) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      if (at >= bytes.size() || shift > 63) return false;
      const auto byte = uint8_t(bytes[at++]);
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) break;
    }
    take(value);
  }
  return true;
}

std::optional<Shape> plainShape(std::string_view bytes) {
  Shape out;
  WireReader in(bytes);
  bool unknown = false;
  int64_t product = 1;
  while (const auto f = in.next()) {
    if (f->number == 3 && f->type == kVarint) {
      unknown = f->value != 0;
      continue;
    }
    if (f->number != 2 || f->type != kBytes || out.rank() >= 8) return std::nullopt;
    int64_t size = 0;
    WireReader dim(f->bytes);
    while (const auto d = dim.next()) {
      if (d->number == 1 && d->type == kVarint) size = int64_t(d->value);
      else if (d->number != 2 || d->type != kBytes || !d->bytes.empty()) return std::nullopt;
    }
    if (!dim.ok() || size < -1 || (size > 0 && __builtin_mul_overflow(product, size, &product))) return std::nullopt;
    out.append(size);
  }
  if (!in.ok() || (unknown && out.rank() > 0)) return std::nullopt;
  return unknown ? Shape::unknown() : out;
}

/// Whether all fields have this number and wire type.
bool isListOf(std::string_view bytes, int number, int type) {
  WireReader in(bytes);
  while (const auto f = in.next()) {
    if (f->number != number || f->type != type) return false;
  }
  return in.ok();
}

std::optional<Attr> plainList(std::string_view bytes) {
  WireReader in(bytes);
  const auto first = in.next();
  if (!first) return bytes.empty() ? std::optional<Attr>(EmptyListAttr{}) : std::nullopt;
  if (first->type != kBytes || !isListOf(bytes, first->number, kBytes)) return std::nullopt;
  WireReader all(bytes);
  switch (first->number) {
    case 2: {
      std::vector<std::string> out;
      while (const auto f = all.next()) out.emplace_back(f->bytes);
      return Attr(std::move(out));
    }
    case 3: {
      std::vector<int64_t> out;
      if (!eachVarint(first->bytes, [&](uint64_t v) { out.push_back(int64_t(v)); }) || first->whole.size() != bytes.size() || out.empty()) return std::nullopt;
      return Attr(std::move(out));
    }
    case 6: {
      std::vector<DType> out;
      if (!eachVarint(first->bytes, [&](uint64_t v) { out.push_back(static_cast<DType>(int32_t(v))); }) || first->whole.size() != bytes.size() || out.empty())
        return std::nullopt;
      return Attr(std::move(out));
    }
    case 7: {
      std::vector<Shape> out;
      while (const auto f = all.next()) {
        auto shape = plainShape(f->bytes);
        if (!shape) return std::nullopt;
        out.push_back(std::move(*shape));
      }
      return Attr(std::move(out));
    }
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Tensor> AttrWireReader::allocate(DType dtype, const Shape& shape, size_t bytes) {
  if (bytes > kSmall) {
    auto own = Tensor::allocate(dtype, shape);
    return own.ok() ? std::optional(std::move(*own)) : std::nullopt;
  }
  if (!block_.hasValue() || used_ + bytes > kBlock) {
    auto block = Tensor::allocate(DType::UInt8, {int64_t(kBlock)});
    if (!block.ok()) return std::nullopt;
    block_ = std::move(*block);
    used_ = 0;
  }
  Tensor out(dtype, shape, block_.buffer(), static_cast<char*>(block_.mutableRaw()) + used_);
  used_ += (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  return out;
}

std::optional<Tensor> AttrWireReader::tensor(std::string_view bytes) {
  DType dtype = DType::Invalid;
  Shape shape;
  std::string_view content, values;
  int valueField = 0;
  WireReader in(bytes);
  while (const auto f = in.next()) {
    if (f->number == 1 && f->type == kVarint) {
      dtype = static_cast<DType>(int32_t(f->value));
    } else if (f->number == 2 && f->type == kBytes) {
      auto s = plainShape(f->bytes);
      if (!s) return std::nullopt;
      shape = std::move(*s);
    } else if (f->number == 4 && f->type == kBytes) {
      content = f->bytes;
    } else if ((f->number == 5 || f->number == 7) && f->type == kBytes && valueField == 0) {
      values = f->bytes;
      valueField = f->number;
    } else {
      return std::nullopt;
    }
  }
  if (!in.ok() || !isKnown(dtype) || isRef(dtype) || sizeOf(dtype) == 0 || dtype == DType::Resource || dtype == DType::Variant || dtype == DType::String ||
      !shape.isFullyKnown()) {
    return std::nullopt;
  }
  const int64_t n = shape.elements();
  const size_t width = sizeOf(dtype);
  if (n < 0 || uint64_t(n) > (uint64_t(1) << 40)) return std::nullopt;
  const size_t size = size_t(n) * width;
  if (!content.empty()) {
    if (content.size() != size) return std::nullopt;
    auto out = allocate(dtype, shape, size);
    if (out) {
      std::memcpy(out->mutableRaw(), content.data(), size);
      makeTruthValues(*out);
    }
    return out;
  }
  // The last value fills what is missing.
  if (n == 0) return std::nullopt;
  const bool zeros = std::all_of(values.begin(), values.end(), [](char c) { return c == 0; });
  if (zeros && size >= kLarge && size < (size_t(1) << 30) && ((valueField == 5 && dtype == DType::Float) || (valueField == 7 && dtype == DType::Int32))) {
    return values.empty() || (valueField == 5 && values.size() % 4 != 0) ? std::nullopt : lazyZeros(dtype, shape, size);
  }
  if (n > 65536) return std::nullopt;
  if (valueField == 5 && dtype == DType::Float && !values.empty() && values.size() % 4 == 0) {
    auto out = allocate(dtype, shape, size);
    if (!out) return std::nullopt;
    const int64_t given = std::min<int64_t>(int64_t(values.size() / 4), n);
    for (int64_t i = 0; i < n; ++i) out->mutableData<float>()[i] = floatOf(values.data() + 4 * std::min(i, given - 1));
    return out;
  }
  if (valueField == 7 && dtype == DType::Int32 && !values.empty()) {
    auto out = allocate(dtype, shape, size);
    if (!out) return std::nullopt;
    int32_t* to = out->mutableData<int32_t>();
    int64_t given = 0;
    const bool whole = eachVarint(values, [&](uint64_t v) {
      if (given < n) to[given++] = int32_t(v);
    });
    if (!whole || given == 0) return std::nullopt;
    std::fill(to + given, to + n, to[given - 1]);
    return out;
  }
  return std::nullopt;
}

std::optional<Attr> AttrWireReader::read(std::string_view bytes) {
  WireReader in(bytes);
  const auto f = in.next();
  if (!f) return bytes.empty() ? std::optional<Attr>(Attr()) : std::nullopt;
  if (f->whole.size() != bytes.size()) return std::nullopt;
  switch (f->number) {
    case 1: return f->type == kBytes ? plainList(f->bytes) : std::nullopt;
    case 2: return f->type == kBytes ? std::optional<Attr>(std::string(f->bytes)) : std::nullopt;
    case 3: return f->type == kVarint ? std::optional<Attr>(int64_t(f->value)) : std::nullopt;
    case 4: return f->type == kFixed32 ? std::optional<Attr>(floatOf(f->whole.data() + f->whole.size() - 4)) : std::nullopt;
    case 5: return f->type == kVarint ? std::optional<Attr>(f->value != 0) : std::nullopt;
    case 6: return f->type == kVarint ? std::optional<Attr>(static_cast<DType>(int32_t(f->value))) : std::nullopt;
    case 7: {
      if (f->type != kBytes) return std::nullopt;
      auto shape = plainShape(f->bytes);
      return shape ? std::optional<Attr>(std::move(*shape)) : std::nullopt;
    }
    case 8: {
      if (f->type != kBytes) return std::nullopt;
      auto value = tensor(f->bytes);
      return value ? std::optional<Attr>(std::move(*value)) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

}  // namespace weft
