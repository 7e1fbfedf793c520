#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/file_errors.h"
#include "weft/arrays.h"
#include "weft/truth_values.h"

namespace weft {
namespace {

/// Reader for the header, a Python literal of a dict: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::optional<std::string> string() {
    space();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string out(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }
  std::string_view word() {
    space();
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(uint8_t(text_[at_])) || text_[at_] == '-')) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  bool atBracket() {
    space();
    return at_ < text_.size() && text_[at_] == '[';
  }

 private:
  void space() {
    while (at_ < text_.size() && std::isspace(uint8_t(text_[at_]))) ++at_;
  }
  std::string_view text_;
  size_t at_ = 0;
};

struct TypeRow {
  const char* code;
  DType dtype;
};
constexpr TypeRow kTypes[] = {{"b1", DType::Bool},  {"i1", DType::Int8},   {"i2", DType::Int16},     {"i4", DType::Int32},      {"i8", DType::Int64},
                              {"u1", DType::UInt8}, {"u2", DType::UInt16}, {"u4", DType::UInt32},    {"u8", DType::UInt64},     {"f2", DType::Half},
                              {"f4", DType::Float}, {"f8", DType::Double}, {"c8", DType::Complex64}, {"c16", DType::Complex128}};

Status setType(const std::string& descr, ArrayInfo* info) {
  if (descr.size() < 2) return unreadable("malformed", "dtype '", descr, "' of a .npy file is none of NumPy's");
  std::string code = descr;
  if (std::strchr("<>|=", descr[0])) {
    info->bigEndian = descr[0] == '>';
    code = descr.substr(1);
  }
  for (const TypeRow& row : kTypes) {
    if (code != row.code) continue;
    info->dtype = dtypeName(row.dtype);
    info->itemBytes = sizeOf(row.dtype);
    return {};
  }
  size_t length = 0;
  const auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), length);
  if ((code[0] == 'S' || code[0] == 'U') && error == std::errc() && end == code.data() + code.size() && length < size_t(1) << 32) {
    info->dtype = code[0] == 'S' ? "string" : "unicode";
    info->itemBytes = code[0] == 'S' ? length : 4 * length;
    return {};
  }
  if (code[0] == 'O') return unreadable("unsupported", "the array holds pickled Python objects, which are never loaded");
  return unreadable("unsupported", "dtype '", descr, "' of a .npy file has no counterpart here");
}

void putUtf8(uint32_t c, std::string* out) {
  if (c < 0x80) {
    out->push_back(char(c));
  } else if (c < 0x800) {
    out->push_back(char(0xc0 | c >> 6));
    out->push_back(char(0x80 | (c & 0x3f)));
  } else if (c < 0x10000) {
    out->push_back(char(0xe0 | c >> 12));
    out->push_back(char(0x80 | (c >> 6 & 0x3f)));
    out->push_back(char(0x80 | (c & 0x3f)));
  } else {
    out->push_back(char(0xf0 | (c >> 18 & 7)));
    out->push_back(char(0x80 | (c >> 12 & 0x3f)));
    out->push_back(char(0x80 | (c >> 6 & 0x3f)));
    out->push_back(char(0x80 | (c & 0x3f)));
  }
}

/// Copies element `i` in file order to element target(i) in row-major order.
std::vector<int64_t> rowMajorTargets(const Shape& shape) {
  const int64_t n = shape.elements();
  const int rank = shape.rank();
  std::vector<int64_t> strides(size_t(rank), 1), index(size_t(rank), 0), out(size_t(n), 0);
  for (int d = rank - 2; d >= 0; --d) strides[size_t(d)] = strides[size_t(d + 1)] * shape[d + 1];
  int64_t target = 0;
  for (int64_t i = 0; i < n; ++i) {
    out[size_t(i)] = target;
    for (int d = 0; d < rank; ++d) {  // the first dimension runs fastest
      target += strides[size_t(d)];
      if (++index[size_t(d)] < shape[d]) break;
      target -= strides[size_t(d)] * shape[d];
      index[size_t(d)] = 0;
    }
  }
  return out;
}

}  // namespace

Result<ArrayInfo> npyInfo(std::string_view bytes) {
  if (bytes.size() < 6 || bytes.substr(0, 6) != "\x93NUMPY") return unreadable("unrecognized", "a .npy file begins with \\x93NUMPY");
  if (bytes.size() < 12) return unreadable("truncated", "the header of a .npy file is cut at byte ", bytes.size());
  const int major = uint8_t(bytes[6]);
  if (major < 1 || major > 3) return unreadable("unsupported_version", "version ", major, " of the .npy format, expected 1 to 3");
  const size_t start = major == 1 ? 10 : 12;
  const size_t length = major == 1 ? uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8
                                   : uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8 | size_t(uint8_t(bytes[10])) << 16 | size_t(uint8_t(bytes[11])) << 24;
  if (length > bytes.size() - start) return unreadable("truncated", "the header of ", length, " bytes is cut: ", bytes.size() - start, " are there");
  ArrayInfo info;
  info.dataOffset = start + length;
  Literal in(bytes.substr(start, length));
  bool descr = false, order = false, shape = false;
  if (!in.take('{')) return unreadable("malformed", "the header of a .npy file is no dict");
  while (!in.take('}')) {
    const auto key = in.string();
    if (!key || !in.take(':')) return unreadable("malformed", "the header of a .npy file is no dict with string keys");
    if (*key == "descr") {
      if (in.atBracket()) return unreadable("unsupported", "arrays of structures are not read");
      const auto value = in.string();
      if (!value) return unreadable("malformed", "descr of a .npy file is no string");
      WEFT_TRY(setType(*value, &info));
      descr = true;
    } else if (*key == "fortran_order") {
      const auto value = in.word();
      if (value != "True" && value != "False") return unreadable("malformed", "fortran_order of a .npy file is '", value, "', expected True or False");
      info.fortranOrder = value == "True";
      order = true;
    } else if (*key == "shape") {
      if (!in.take('(')) return unreadable("malformed", "shape of a .npy file is no tuple");
      while (!in.take(')')) {
        const auto value = in.word();
        int64_t dim = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), dim);
        if (value.empty() || (error == std::errc() && end != value.data() + value.size() && *end != 'L') || (error == std::errc() && dim < 0))
          return unreadable("malformed", "size '", value, "' in the shape of a .npy file");
        if (error == std::errc::result_out_of_range) return unreadable("invalid_tensor", "size ", value, " in the shape of a .npy file is over 2^63");
        if (info.shape.rank() >= Shape::kMaxRank) return unreadable("invalid_tensor", "the array has more than ", Shape::kMaxRank, " dimensions");
        info.shape.append(dim);
        in.take(',');
      }
      shape = true;
    } else {
      return unreadable("malformed", "key '", *key, "' in the header of a .npy file");
    }
    in.take(',');
  }
  if (!descr || !order || !shape) return unreadable("malformed", "the header of a .npy file lacks ", !descr ? "descr" : !order ? "fortran_order" : "shape");
  const int64_t n = info.shape.elements();
  if (n < 0) return unreadable("invalid_tensor", "shape ", info.shape.toString(), " has more than 2^63 elements");
  const size_t have = bytes.size() - info.dataOffset;
  if (info.itemBytes && uint64_t(n) > have / info.itemBytes)
    return unreadable(uint64_t(n) > (uint64_t(1) << 50) ? "invalid_tensor" : "truncated", "shape ", info.shape.toString(), " of ", info.dtype, " needs ", n,
                      " x ", info.itemBytes, " bytes, but ", have, " are there");
  return info;
}

Result<Tensor> decodeNpy(std::string_view bytes) {
  WEFT_LET(const ArrayInfo info, npyInfo(bytes));
  const bool text = info.dtype == "string" || info.dtype == "unicode";
  const DType dtype = text ? DType::String : dtypeFromName(info.dtype);
  WEFT_LET(Tensor tensor, Tensor::allocate(dtype, info.shape));
  const int64_t n = tensor.elements();
  const char* source = bytes.data() + info.dataOffset;
  std::vector<int64_t> targets;
  if (info.fortranOrder && info.shape.rank() > 1) targets = rowMajorTargets(info.shape);
  if (text) {
    for (int64_t i = 0; i < n; ++i) {
      std::string& out = tensor.mutableData<std::string>()[targets.empty() ? i : targets[size_t(i)]];
      const char* item = source + size_t(i) * info.itemBytes;
      if (info.dtype == "string") {
        size_t length = info.itemBytes;
        while (length && item[length - 1] == '\0') --length;
        out.assign(item, length);
      } else {
        size_t length = info.itemBytes / 4;
        const auto unit = [&](size_t k) {
          uint32_t c;
          std::memcpy(&c, item + 4 * k, 4);
          return info.bigEndian ? __builtin_bswap32(c) : c;
        };
        while (length && unit(length - 1) == 0) --length;
        for (size_t k = 0; k < length; ++k) putUtf8(unit(k), &out);
      }
    }
    return tensor;
  }
  auto* out = static_cast<char*>(tensor.mutableRaw());
  const size_t width = info.itemBytes;
  if (targets.empty()) {
    std::memcpy(out, source, size_t(n) * width);
  } else {
    for (int64_t i = 0; i < n; ++i) std::memcpy(out + size_t(targets[size_t(i)]) * width, source + size_t(i) * width, width);
  }
  const size_t unit = isComplex(dtype) ? width / 2 : width;
  if (info.bigEndian && unit > 1)
    for (size_t at = 0; at < size_t(n) * width; at += unit) std::reverse(out + at, out + at + unit);
  makeTruthValues(tensor);
  return tensor;
}

Result<Tensor> loadNpy(const std::string& path, FileSystem* files) {
  WEFT_LET(const std::string bytes, (files ? *files : posixFileSystem()).readAll(path, uint64_t(64) << 30));
  auto tensor = decodeNpy(bytes);
  if (!tensor.ok()) tensor.error().inFile(path);
  return tensor;
}

Result<std::string> encodeNpy(const Tensor& tensor) {
  std::string descr;
  size_t width = sizeOf(tensor.dtype());
  if (tensor.dtype() == DType::String) {
    width = 1;
    for (const std::string& s : tensor.flat<std::string>()) width = std::max(width, s.size());
    descr = concat("|S", width);
  }
  for (const TypeRow& row : kTypes)
    if (row.dtype == tensor.dtype()) descr = std::string(width == 1 ? "|" : "<") + row.code;
  if (descr.empty()) return unimplemented("NumPy has no ", dtypeName(tensor.dtype()));
  std::string shape;
  for (const int64_t d : tensor.shape().dims()) shape += concat(shape.empty() ? "" : " ", d, ",");
  if (tensor.rank() > 1) shape.pop_back();
  std::string header = concat("{'descr': '", descr, "', 'fortran_order': False, 'shape': (", shape, "), }");
  // Values begin at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out.push_back(char(header.size()));
  out.push_back(char(header.size() >> 8));
  out += header;
  if (tensor.dtype() != DType::String) return out.append(static_cast<const char*>(tensor.raw()), tensor.bytes());
  for (const std::string& s : tensor.flat<std::string>()) {
    out += s;
    out.append(width - s.size(), '\0');
  }
  return out;
}

Status saveNpy(const std::string& path, const Tensor& tensor, FileSystem* files) {
  WEFT_LET(const std::string bytes, encodeNpy(tensor));
  return (files ? *files : posixFileSystem()).writeAtomically(path, bytes);
}

}  // namespace weft
