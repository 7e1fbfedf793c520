#include "io/slices.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "proto/bundle.pb.h"

namespace weft {
namespace {

/// A length byte, then the number without leading zero bytes, most significant first.
void putOrderedNumber(std::string* out, uint64_t value) {
  char bytes[8];
  int n = 0;
  for (; value; value >>= 8) bytes[n++] = char(value);
  out->push_back(char(n));
  while (n) out->push_back(bytes[--n]);
}

/// 00 and FF are escaped, because 00 01 ends the string.
void putOrderedString(std::string* out, std::string_view text) {
  for (const char c : text) {
    out->push_back(c);
    if (c == '\0') out->push_back('\xff');
    if (c == '\xff') out->push_back('\0');
  }
  out->append(std::string_view("\0\1", 2));
}

/// Two's complement in as few bytes as leave room for a header: as many leading ones as there are bytes, inverted for negative numbers.
void putOrderedSigned(std::string* out, int64_t value) {
  const uint64_t magnitude = value < 0 ? ~uint64_t(value) : uint64_t(value);
  int length = 1;
  while (length < 10 && 7 * length - 1 < 64 && magnitude >> (7 * length - 1)) ++length;
  uint8_t bytes[10];
  for (int i = 0; i < 10; ++i) {
    const int shift = 8 * (9 - i);
    bytes[i] = shift >= 64 ? (value < 0 ? 0xff : 0) : uint8_t(uint64_t(value) >> shift);
  }
  uint8_t* begin = bytes + 10 - length;
  for (int bit = 0; bit < length; ++bit) begin[bit / 8] ^= uint8_t(0x80 >> (bit % 8));
  out->append(reinterpret_cast<const char*>(begin), size_t(length));
}

bool parseNumber(std::string_view text, int64_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::vector<std::string_view> split(std::string_view text, char by, bool skipEmpty) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(by, at), text.size());
    if (end > at || !skipEmpty) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

struct Range {
  int64_t begin, end;
};

Range rangeOf(const Shape& full, const TensorSlice& slice, int d) {
  if (slice.empty() || slice[size_t(d)].isFull()) return {0, full[d]};
  return {slice[size_t(d)].start, slice[size_t(d)].start + slice[size_t(d)].length};
}

}  // namespace

std::string sliceKey(std::string_view name, const TensorSlice& slice) {
  std::string key;
  putOrderedNumber(&key, 0);
  putOrderedString(&key, name);
  putOrderedNumber(&key, slice.size());
  for (const SliceExtent& e : slice) {
    putOrderedSigned(&key, e.isFull() ? 0 : e.start);
    putOrderedSigned(&key, e.isFull() ? -1 : e.length);
  }
  return key;
}

Result<TensorSlice> sliceFromProto(const tensorflow::TensorSliceProto& proto) {
  TensorSlice slice;
  for (const auto& e : proto.extent()) {
    if (e.has_length_case() == tensorflow::TensorSliceProto::Extent::HAS_LENGTH_NOT_SET || e.length() == -1) {
      slice.push_back({});
      continue;
    }
    if (e.start() < 0 || e.length() < 0)
      return dataLoss("a slice has start ", e.start(), " and length ", e.length(), ", expected neither below 0").ofKind("invalid_tensor");
    slice.push_back({e.start(), e.length()});
  }
  return slice;
}

void sliceToProto(const TensorSlice& slice, tensorflow::TensorSliceProto* proto) {
  proto->Clear();
  for (const SliceExtent& e : slice) {
    auto* extent = proto->add_extent();
    if (e.isFull()) continue;
    extent->set_start(e.start);
    extent->set_length(e.length);
  }
}

bool coversAll(const TensorSlice& slice, const Shape& full) {
  for (int d = 0; d < int(slice.size()); ++d)
    if (!slice[size_t(d)].isFull() && (slice[size_t(d)].start != 0 || slice[size_t(d)].length != full[d])) return false;
  return true;
}

bool overlaps(const TensorSlice& a, const TensorSlice& b) {
  for (size_t d = 0; d < std::min(a.size(), b.size()); ++d) {
    if (a[d].isFull() || b[d].isFull()) continue;
    if (a[d].start >= b[d].start + b[d].length || b[d].start >= a[d].start + a[d].length) return false;
  }
  return true;
}

std::string sliceText(const TensorSlice& slice) {
  std::string out;
  for (const SliceExtent& e : slice) {
    if (!out.empty()) out += ':';
    out += e.isFull() ? "-" : concat(e.start, ",", e.length);
  }
  return out;
}

Result<Shape> shapeOfSlice(const Shape& full, const TensorSlice& slice) {
  if (slice.empty()) return full;
  if (full.rank() != int(slice.size())) return internalError("Mismatching ranks: shape = ", full.toString(), ", slice = ", sliceText(slice));
  Shape part;
  for (int d = 0; d < full.rank(); ++d) {
    const SliceExtent& e = slice[size_t(d)];
    if (!e.isFull() && (e.start > full[d] || e.length > full[d] - e.start))
      return internalError("Extent in dimension ", d, " out of bounds: shape = ", full.toString(), ", slice = ", sliceText(slice));
    part.append(e.isFull() ? full[d] : e.length);
  }
  return part;
}

Result<ShapeAndSlice> parseShapeAndSlice(std::string_view text) {
  auto words = split(text, ' ', false);
  if (words.size() < 2) return invalidArgument("Need least two elements in shape_and_slice specification: ", text);
  ShapeAndSlice out;
  for (const std::string_view item : split(words.back(), ':', true)) {
    if (item == "-") {
      out.slice.push_back({});
      continue;
    }
    const auto pair = split(item, ',', true);
    SliceExtent e;
    if (pair.size() != 2 || !parseNumber(pair[0], &e.start) || !parseNumber(pair[1], &e.length))
      return invalidArgument("Expected a pair of numbers or '-' but got '", item, "': string = ", words.back());
    if (e.start < 0 || e.length <= 0)
      return invalidArgument("Expected non-negative start and positive length but got start = ", e.start, ", length = ", e.length, ": string = ", words.back());
    out.slice.push_back(e);
  }
  words.pop_back();
  for (const std::string_view word : words) {
    int64_t dim;
    if (!parseNumber(word, &dim)) return invalidArgument("Non numerical dimension in shape_and_slice: ", text);
    out.full.append(dim);
  }
  WEFT_LET(out.part, shapeOfSlice(out.full, out.slice));
  return out;
}

int64_t copyCommon(const Shape& full, const Tensor& from, const TensorSlice& fromSlice, Tensor& to, const TensorSlice& toSlice) {
  const int rank = full.rank();
  std::vector<int64_t> count(size_t(rank), 0), fromAt(size_t(rank), 0), toAt(size_t(rank), 0);
  int64_t total = 1;
  for (int d = 0; d < rank; ++d) {
    const Range a = rangeOf(full, fromSlice, d), b = rangeOf(full, toSlice, d);
    const int64_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
    if (end <= begin) return 0;
    count[size_t(d)] = end - begin;
    fromAt[size_t(d)] = begin - a.begin;
    toAt[size_t(d)] = begin - b.begin;
    total *= end - begin;
  }
  // Rows of the last dimension are contiguous in both; an odometer runs over the others.
  const int64_t row = rank ? count[size_t(rank - 1)] : 1;
  const size_t width = sizeOf(from.dtype());
  std::vector<int64_t> index(size_t(rank), 0);
  for (int64_t done = 0; done < total; done += row) {
    int64_t source = 0, target = 0;
    for (int d = 0; d < rank; ++d) {
      source = source * from.dim(d) + fromAt[size_t(d)] + index[size_t(d)];
      target = target * to.dim(d) + toAt[size_t(d)] + index[size_t(d)];
    }
    if (width) {
      std::memcpy(static_cast<char*>(to.mutableRaw()) + size_t(target) * width, static_cast<const char*>(from.raw()) + size_t(source) * width,
                  size_t(row) * width);
    } else {
      for (int64_t i = 0; i < row; ++i) to.mutableData<std::string>()[target + i] = from.data<std::string>()[source + i];
    }
    for (int d = rank - 2; d >= 0; --d) {
      if (++index[size_t(d)] < count[size_t(d)]) break;
      index[size_t(d)] = 0;
    }
  }
  return total;
}

}  // namespace weft
