// MATLAB's files of version 5: a header of 128 bytes, then elements, each with a type and a length. Values may be stored in a smaller type than their array's.
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>

#include "base/file_errors.h"
#include "weft/arrays.h"

namespace weft {
namespace {

constexpr size_t kHeader = 128;
constexpr uint64_t kMostBytes = uint64_t(512) << 20;  ///< Of all arrays of a small file: a few megabytes can expand to gigabytes.
constexpr size_t kMostName = 4096, kMostLeftOut = 1000;
constexpr int kMostDepth = 32;  ///< Of structures and cell arrays in each other.
constexpr size_t kMostArrays = 100'000;

enum Type : uint32_t { Int8 = 1, UInt8, Int16, UInt16, Int32, UInt32, Single, Double = 9, Int64 = 12, UInt64, Matrix, Compressed, Utf8, Utf16, Utf32 };
enum Class : uint32_t { Cell = 1, Struct, Object, Char, Sparse, FirstNumber, LastNumber = 15, Function, Opaque };

int widthOf(uint32_t type) {
  switch (type) {
    case Int8:
    case UInt8:
    case Utf8: return 1;
    case Int16:
    case UInt16:
    case Utf16: return 2;
    case Int32:
    case UInt32:
    case Single:
    case Utf32: return 4;
    case Double:
    case Int64:
    case UInt64: return 8;
    default: return 0;
  }
}

struct Element {
  uint32_t type = 0;
  std::string_view data;
};

/// Reads elements one after the other.
class Elements {
 public:
  Elements(std::string_view bytes, bool swapped) : rest_(bytes), swapped_(swapped) {}
  bool atEnd() const { return rest_.empty(); }
  bool swapped() const { return swapped_; }
  uint64_t numberAt(std::string_view data, size_t at, int width) const {
    uint64_t v = 0;
    for (int i = 0; i < width; ++i) v |= uint64_t(uint8_t(data[at + size_t(swapped_ ? width - 1 - i : i)])) << (8 * i);
    return v;
  }
  Result<Element> next() {
    if (rest_.size() < 8) return damaged("truncated", "the head of an element is cut: ", rest_.size(), " bytes are left");
    const auto head = uint32_t(numberAt(rest_, 0, 4));
    if (head >> 16) {  // up to four bytes stand in the head itself
      const uint32_t size = head >> 16;
      if (size > 4) return damaged("malformed", "a small element has ", size, " bytes, expected up to 4");
      const Element out{head & 0xFFFF, rest_.substr(4, size)};
      rest_.remove_prefix(8);
      return out;
    }
    const uint64_t size = numberAt(rest_, 4, 4);
    if (size > rest_.size() - 8) return damaged("truncated", "an element has ", size, " bytes, but ", rest_.size() - 8, " are there");
    const Element out{head, rest_.substr(8, size)};
    const uint64_t padded = head == Compressed ? size : (size + 7) / 8 * 8;
    rest_.remove_prefix(std::min<uint64_t>(8 + padded, rest_.size()));
    return out;
  }
  Result<Element> next(uint32_t type, const char* what) {
    WEFT_LET(const Element out, next());
    // Other programs write numbers without a sign, and names in UTF-8.
    const bool same = out.type == type || (type == Int32 && out.type == UInt32) || (type == Int8 && (out.type == UInt8 || out.type == Utf8));
    if (!same) return damaged("malformed", "the element of ", what, " has type ", out.type, ", expected ", type);
    return out;
  }

 private:
  std::string_view rest_;
  bool swapped_;
};

Result<std::string> inflated(std::string_view packed, uint64_t most) {
  std::string out;
  z_stream z{};
  if (inflateInit(&z) != Z_OK) return resourceExhausted("inflateInit() failed");
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  z.avail_in = uInt(packed.size());
  int code = Z_OK;
  while (code == Z_OK) {
    const size_t had = out.size();
    if (had >= most) break;
    out.resize(std::min<uint64_t>(most, std::max<uint64_t>(had * 2, packed.size() * 4 + 1024)));
    z.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    z.avail_out = uInt(out.size() - had);
    code = inflate(&z, Z_NO_FLUSH);
    out.resize(out.size() - z.avail_out);
    if (code == Z_OK && z.avail_in == 0 && z.avail_out) break;  // it needs more than there is
  }
  inflateEnd(&z);
  if (code == Z_STREAM_END) return out;
  if (out.size() >= most) return damaged("too_large", "a compressed element expands beyond ", most, " bytes");
  return damaged("malformed", "a compressed element does not inflate");
}

/// The type of a class of numbers.
DType typeOf(uint32_t kind) {
  static constexpr DType kTypes[] = {DType::Double, DType::Float, DType::Int8,   DType::UInt8, DType::Int16,
                                     DType::UInt16, DType::Int32, DType::UInt32, DType::Int64, DType::UInt64};
  return kTypes[kind - FirstNumber];
}

/// The type of elements that holds such numbers unchanged; 0: none.
uint32_t storedAs(DType type) {
  static constexpr uint32_t kStored[] = {Double, Single, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64};
  for (uint32_t kind = FirstNumber; kind <= LastNumber; ++kind)
    if (typeOf(kind) == type) return kStored[kind - FirstNumber];
  return 0;
}

/// Element `i` of values stored as `type`, as a double and as an integer: one of the two is exact.
struct Value {
  double real = 0;
  uint64_t whole = 0;
};
Value valueAt(const Elements& e, const Element& from, size_t i) {
  const int width = widthOf(from.type);
  const uint64_t bits = e.numberAt(from.data, i * size_t(width), width);
  const auto isSigned = [&](auto v) { return Value{double(v), uint64_t(int64_t(v))}; };
  switch (from.type) {
    case Int8: return isSigned(int8_t(bits));
    case Int16: return isSigned(int16_t(bits));
    case Int32: return isSigned(int32_t(bits));
    case Int64: return isSigned(int64_t(bits));
    case Single: {
      const float f = std::bit_cast<float>(uint32_t(bits));
      return {double(f), uint64_t(int64_t(std::clamp(std::isnan(f) ? 0.0f : f, -9e18f, 9e18f)))};
    }
    case Double: {
      const double f = std::bit_cast<double>(bits);
      return {f, uint64_t(int64_t(std::clamp(std::isnan(f) ? 0.0 : f, -9e18, 9e18)))};
    }
    default: return {double(bits), bits};
  }
}

template <typename T>
void store(Tensor& out, int64_t at, const Value& v) {
  if constexpr (std::is_floating_point_v<T>) out.mutableData<T>()[at] = T(v.real);
  else out.mutableData<T>()[at] = T(v.whole);
}
using Store = void (*)(Tensor&, int64_t, const Value&);
Store storeOf(DType type) {
  switch (type) {
    case DType::Float: return store<float>;
    case DType::Double: return store<double>;
    case DType::Int8: return store<int8_t>;
    case DType::UInt8: return store<uint8_t>;
    case DType::Int16: return store<int16_t>;
    case DType::UInt16: return store<uint16_t>;
    case DType::Int32: return store<int32_t>;
    case DType::UInt32: return store<uint32_t>;
    case DType::Int64: return store<int64_t>;
    case DType::UInt64: return store<uint64_t>;
    default: return [](Tensor& out, int64_t at, const Value& v) { out.mutableData<bool>()[at] = v.whole != 0; };
  }
}

/// Calls `visit(row-major position, column-major position)` for each element.
template <typename Visit>
void transposed(const Shape& shape, Visit visit) {
  const int rank = shape.rank();
  const int64_t n = shape.elements();
  std::vector<int64_t> index(size_t(rank), 0), stride(size_t(rank), 1);
  for (int k = 1; k < rank; ++k) stride[size_t(k)] = stride[size_t(k - 1)] * shape.dim(k - 1);
  int64_t from = 0;
  for (int64_t to = 0; to < n; ++to) {
    visit(to, from);
    for (int k = rank - 1; k >= 0; --k) {
      from += stride[size_t(k)];
      if (++index[size_t(k)] < shape.dim(k)) break;
      from -= stride[size_t(k)] * shape.dim(k);
      index[size_t(k)] = 0;
    }
  }
}

void putUtf8(std::string& out, uint32_t c) {
  if (c < 0x80) out += char(c);
  else if (c < 0x800) out += {char(0xC0 | c >> 6), char(0x80 | (c & 63))};
  else if (c < 0x10000) out += {char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
  else out += {char(0xF0 | c >> 18), char(0x80 | (c >> 12 & 63)), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
}

class MatReader {
 public:
  MatReader(std::vector<NamedTensor>& out, std::vector<std::string>& leftOut, uint64_t most) : out_(out), leftOut_(leftOut), left_(most) {}

  /// A matrix element. `name`: of a member of a structure or cell array; empty: its own.
  Status read(std::string_view data, bool swapped, const std::string& name, int depth) {
    Elements e(data, swapped);
    if (data.empty()) return put(name, Tensor::allocate(DType::Double, Shape{0, 0}));
    if (depth > kMostDepth) return damaged("too_large", name, " is nested more than ", kMostDepth, " deep");
    WEFT_LET(const Element flags, e.next(UInt32, "an array's flags"));
    if (flags.data.size() != 8) return damaged("malformed", "an array's flags have ", flags.data.size(), " bytes, expected 8");
    const auto word = uint32_t(e.numberAt(flags.data, 0, 4));
    const uint32_t kind = word & 0xFF;
    const bool isComplex = word >> 11 & 1, isLogical = word >> 9 & 1;
    if (kind == Opaque) {
      WEFT_LET(const Element own, e.next(Int8, "an object's name"));
      return leaveOut(name.empty() ? std::string(own.data.substr(0, kMostName)) : name, " (an object)");
    }
    WEFT_LET(const Element dims, e.next(Int32, "an array's dimensions"));
    Shape shape;
    if (dims.data.size() / 4 > 254) return damaged("malformed", "an array of ", dims.data.size() / 4, " dimensions");
    for (size_t i = 0; i < dims.data.size() / 4; ++i) shape.append(int64_t(int32_t(e.numberAt(dims.data, 4 * i, 4))));
    for (const int64_t d : shape.dims())
      if (d < 0) return damaged("invalid_tensor", "a dimension is ", d);
    if (shape.elements() < 0) return damaged("invalid_tensor", "shape ", shape.toString(), " has more than 2^63 elements");
    WEFT_LET(const Element own, e.next(Int8, "an array's name"));
    if (own.data.size() > kMostName) return damaged("malformed", "an array's name has ", own.data.size(), " letters, over the limit of ", kMostName);
    // What MATLAB keeps for itself has no name.
    if (name.empty() && own.data.empty()) return {};
    const std::string key = name.empty() ? std::string(own.data) : name;
    if (kind >= FirstNumber && kind <= LastNumber) return numbers(e, key, shape, isLogical ? DType::Bool : typeOf(kind), isComplex, depth > 0);
    if (kind == Sparse) return sparse(e, key, shape, isLogical ? DType::Bool : DType::Double, isComplex);
    if (kind == Char) return texts(e, key, shape);
    if (kind == Cell) return members(e, key, shape, {}, depth);
    if (kind == Struct) return structure(e, key, shape, depth);
    return leaveOut(key, kind == Object ? " (an object)" : kind == Function ? " (a function)" : " (of an unknown class)");
  }

 private:
  Status put(const std::string& name, Result<Tensor> tensor) {
    WEFT_TRY(tensor.status());
    WEFT_TRY(spend(name.size(), 1));
    if (out_.size() >= kMostArrays) return damaged("too_large", "more than ", kMostArrays, " arrays");
    out_.emplace_back(name, std::move(*tensor));
    return {};
  }
  Status leaveOut(const std::string& name, const std::string& why) {
    if (leftOut_.size() < kMostLeftOut) leftOut_.push_back(name + why);
    else if (leftOut_.size() == kMostLeftOut) leftOut_.push_back(concat("more than ", kMostLeftOut, " variables: the rest"));
    return {};
  }
  /// All arrays, texts and names together stay within bounds.
  Status spend(uint64_t count, uint64_t width) {
    if (count > left_ / width) return damaged("too_large", "its arrays and names need more memory than a file of this size may take");
    left_ -= count * width;
    return {};
  }
  Result<Tensor> room(DType type, const Shape& shape) {
    WEFT_TRY(spend(uint64_t(shape.elements()), type == DType::String ? sizeof(std::string) : sizeOf(type)));
    return Tensor::allocate(type, shape);
  }
  static Status checkLength(const std::string& name, const Element& values, int64_t n) {
    const int width = widthOf(values.type);
    if (!width) return damaged("malformed", "the values of ", name, " have type ", values.type, ", expected numbers");
    if (values.data.size() / size_t(width) != uint64_t(n))
      return damaged("malformed", name, " has ", values.data.size() / size_t(width), " values, but its shape says ", n);
    return {};
  }

  Status numbers(Elements& e, const std::string& name, const Shape& shape, DType type, bool isComplex, bool isMember) {
    WEFT_LET(const Element real, e.next());
    if (real.data.empty() && shape.elements() > 0 && isMember) return leaveOut(name, " (its values are missing)");
    WEFT_TRY(checkLength(name, real, shape.elements()));
    if (isComplex) {
      WEFT_LET(const Element imaginary, e.next());
      WEFT_TRY(checkLength(name, imaginary, shape.elements()));
      const bool single = type == DType::Float;
      WEFT_LET(Tensor out, room(single ? DType::Complex64 : DType::Complex128, shape));
      transposed(shape, [&](int64_t to, int64_t from) {
        const double re = valueAt(e, real, size_t(from)).real, im = valueAt(e, imaginary, size_t(from)).real;
        if (single) out.mutableData<std::complex<float>>()[to] = {float(re), float(im)};
        else out.mutableData<std::complex<double>>()[to] = {re, im};
      });
      return put(name, std::move(out));
    }
    WEFT_LET(Tensor out, room(type, shape));
    // As they stand, where they need neither another type nor another order.
    const int large = int(std::count_if(shape.dims().begin(), shape.dims().end(), [](int64_t d) { return d > 1; }));
    if (large <= 1 && !e.swapped() && storedAs(type) == real.type) {
      if (out.bytes()) std::memcpy(out.mutableRaw(), real.data.data(), out.bytes());
      return put(name, std::move(out));
    }
    const Store store = storeOf(type);
    transposed(shape, [&](int64_t to, int64_t from) { store(out, to, valueAt(e, real, size_t(from))); });
    return put(name, std::move(out));
  }

  Status sparse(Elements& e, const std::string& name, const Shape& shape, DType type, bool isComplex) {
    if (isComplex) {
      return leaveOut(name, " (a sparse matrix of complex numbers)");
    }
    if (shape.rank() != 2) return damaged("invalid_tensor", "the sparse matrix ", name, " has shape ", shape.toString());
    WEFT_LET(const Element rows, e.next(Int32, "a sparse matrix's rows"));
    WEFT_LET(const Element starts, e.next(Int32, "a sparse matrix's columns"));
    WEFT_LET(Element values, e.next());
    const int64_t columns = shape.dim(1);
    if (int64_t(starts.data.size() / 4) != columns + 1)
      return damaged("malformed", name, " has ", starts.data.size() / 4, " starts of columns, expected ", columns + 1);
    const auto n = int64_t(e.numberAt(starts.data, size_t(columns) * 4, 4));
    // MATLAB writes truth values as bytes, but calls them float64.
    if (type == DType::Bool && int64_t(values.data.size()) == n) values.type = UInt8;
    const auto width = int64_t(widthOf(values.type));
    if (n > int64_t(rows.data.size() / 4) || !width || n > int64_t(values.data.size()) / width)
      return damaged("malformed", name, " has ", n, " values by its columns, more than there are");
    WEFT_LET(Tensor indices, room(DType::Int64, Shape{n, 2}));
    WEFT_LET(Tensor out, room(type, Shape{n}));
    const Store store = storeOf(type);
    std::vector<std::pair<std::pair<int64_t, int64_t>, int64_t>> order;  // (row, column) and the position in the file
    order.reserve(size_t(n));
    for (int64_t c = 0; c < columns; ++c) {
      const auto first = int64_t(e.numberAt(starts.data, size_t(c) * 4, 4)), end = int64_t(e.numberAt(starts.data, size_t(c) * 4 + 4, 4));
      if (first > end || end > n) return damaged("malformed", "column ", c, " of ", name, " goes from value ", first, " to ", end, " of ", n);
      for (int64_t i = first; i < end; ++i) {
        const auto row = int64_t(e.numberAt(rows.data, size_t(i) * 4, 4));
        if (row >= shape.dim(0)) return damaged("out_of_range", "a value of ", name, " is in row ", row, " of ", shape.dim(0));
        order.push_back({{row, c}, i});
      }
    }
    if (int64_t(order.size()) != n) return damaged("malformed", "the columns of ", name, " have ", order.size(), " values, expected ", n);
    std::sort(order.begin(), order.end());
    for (int64_t i = 0; i < n; ++i) {
      const auto& [at, from] = order[size_t(i)];
      indices.mutableData<int64_t>()[2 * i] = at.first;
      indices.mutableData<int64_t>()[2 * i + 1] = at.second;
      store(out, i, valueAt(e, values, size_t(from)));
    }
    WEFT_TRY(put(name + "/indices", std::move(indices)));
    WEFT_TRY(put(name + "/values", std::move(out)));
    return put(name + "/dense_shape", Tensor::vector(std::vector<int64_t>{shape.dim(0), columns}));
  }

  /// Each row is a text; one row alone is a scalar.
  Status texts(Elements& e, const std::string& name, const Shape& shape) {
    WEFT_LET(const Element letters, e.next());
    const int width = widthOf(letters.type);
    if (!width) return damaged("malformed", "the letters of ", name, " have type ", letters.type);
    if (shape.rank() != 2) {
      return leaveOut(name, concat(" (texts of shape ", shape.toString(), ")"));
    }
    const int64_t rows = shape.dim(0), length = shape.dim(1);
    if (letters.data.empty() && shape.elements() > 0) return leaveOut(name, " (its letters are missing)");
    if (rows == 0 && length == 0) return put(name, Tensor::scalar(std::string()));
    if (letters.type == Utf8 && rows == 1) return put(name, Tensor::scalar(std::string(letters.data)));
    WEFT_TRY(checkLength(name, letters, shape.elements()));
    WEFT_LET(Tensor out, room(DType::String, rows == 1 ? Shape{} : Shape{rows}));
    for (int64_t r = 0; r < rows; ++r) {
      std::string& text = out.mutableData<std::string>()[r];
      for (int64_t c = 0; c < length; ++c) {
        auto code = uint32_t(valueAt(e, letters, size_t(c * rows + r)).whole);
        if (code >= 0xD800 && code < 0xDC00 && c + 1 < length) {  // the first half of a letter
          const auto low = uint32_t(valueAt(e, letters, size_t((c + 1) * rows + r)).whole);
          if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), ++c;
        }
        putUtf8(text, code > 0x10FFFF ? 0xFFFD : code);
      }
    }
    return put(name, std::move(out));
  }

  Status structure(Elements& e, const std::string& name, const Shape& shape, int depth) {
    WEFT_LET(const Element length, e.next(Int32, "a field name's length"));
    WEFT_LET(const Element names, e.next(Int8, "the fields' names"));
    const auto size = length.data.size() >= 4 ? int64_t(int32_t(e.numberAt(length.data, 0, 4))) : 0;
    if (size < 1 || size > int64_t(kMostName))
      return damaged("malformed", "the fields' names of ", name, " have ", size, " letters, expected 1 to ", kMostName);
    std::vector<std::string> fields;
    for (size_t at = 0; at + size_t(size) <= names.data.size(); at += size_t(size)) {
      const std::string_view field = names.data.substr(at, size_t(size));
      fields.emplace_back(field.substr(0, field.find('\0')));
    }
    if (fields.empty()) return leaveOut(name, " (a structure without fields)");
    return members(e, name, shape, fields, depth);
  }

  /// The members of a cell array, or of each structure of an array.
  Status members(Elements& e, const std::string& name, const Shape& shape, const std::vector<std::string>& fields, int depth) {
    const int64_t n = shape.elements();
    if (n == 0) return leaveOut(name, fields.empty() ? " (an empty cell array)" : " (an empty structure)");
    for (int64_t i = 0; i < n; ++i) {
      std::string one = name;
      if (fields.empty()) one += concat("{", i + 1, "}");
      else if (n > 1) one += concat("(", i + 1, ")");
      for (size_t f = 0; f < std::max<size_t>(fields.size(), 1); ++f) {
        WEFT_LET(const Element member, e.next(Matrix, "a member"));
        WEFT_TRY(read(member.data, e.swapped(), fields.empty() ? one : one + "." + fields[f], depth + 1));
      }
    }
    return {};
  }

  std::vector<NamedTensor>& out_;
  std::vector<std::string>& leftOut_;
  uint64_t left_;  // bytes that may still be taken
};

}  // namespace

Result<std::vector<NamedTensor>> decodeMat(std::string_view bytes, std::vector<std::string>* leftOut) {
  if (bytes.starts_with("MATLAB 7.")) return unimplemented("a MATLAB 7.3 file (HDF5), which is not read: save it with -v7").ofKind("unsupported");
  if (bytes.size() < kHeader) return damaged("truncated", "the header of a MATLAB file has 128 bytes, but ", bytes.size(), " are there");
  const std::string_view order = bytes.substr(126, 2);
  if (order != "IM" && order != "MI") return damaged("unrecognized", "the header of a MATLAB file does not end in IM or MI; version 4 is not supported");
  std::vector<NamedTensor> out;
  std::vector<std::string> ignored;
  const uint64_t most = std::max<uint64_t>(kMostBytes, 4 * uint64_t(bytes.size()));
  MatReader reader(out, leftOut ? *leftOut : ignored, most);
  Elements e(bytes.substr(kHeader), order == "MI");
  uint64_t left = most;
  while (!e.atEnd()) {
    WEFT_LET(const Element element, e.next());
    if (element.type != Compressed) {
      if (element.type == Matrix) WEFT_TRY(reader.read(element.data, e.swapped(), {}, 0));
      continue;
    }
    WEFT_LET(const std::string plain, inflated(element.data, left));
    left -= plain.size();
    Elements inside(plain, e.swapped());
    WEFT_LET(const Element matrix, inside.next(Matrix, "a compressed array"));
    WEFT_TRY(reader.read(matrix.data, e.swapped(), {}, 0));
  }
  return out;
}

}  // namespace weft
