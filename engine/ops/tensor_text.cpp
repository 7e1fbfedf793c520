#include "ops/tensor_text.h"

#include <cfloat>
#include <complex>
#include <cstdio>
#include <cstdlib>

namespace weft {
namespace {

/// The shorter of two precisions that reads back as the same number.
std::string floatText(float v) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*g", FLT_DIG, double(v));
  if (std::strtof(text, nullptr) != v) std::snprintf(text, sizeof(text), "%.*g", FLT_DIG + 3, double(v));
  return text;
}

std::string doubleText(double v) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*g", DBL_DIG, v);
  if (std::strtod(text, nullptr) != v) std::snprintf(text, sizeof(text), "%.*g", DBL_DIG + 2, v);
  return text;
}

std::string escaped(const std::string& s) {
  std::string out;
  for (const unsigned char c : s) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '"': out += "\\\""; break;
      case '\'': out += "\\'"; break;
      case '\\': out += "\\\\"; break;
      default:
        if (c >= 0x80 || c < 0x20 || c == 0x7f) {
          char octal[8];
          std::snprintf(octal, sizeof(octal), "\\%03o", c);
          out += octal;
        } else {
          out += char(c);
        }
    }
  }
  return out;
}

std::string elementText(const Tensor& t, int64_t i) {
  switch (t.dtype()) {
    case DType::String: return escaped(t.at<std::string>(i));
    case DType::Double: return doubleText(t.at<double>(i));
    case DType::Float:
    case DType::Half:
    case DType::BFloat16: return floatText(float(t.asDouble(i)));
    case DType::Complex64: {
      const auto c = t.at<std::complex<float>>(i);
      return "(" + floatText(c.real()) + "," + floatText(c.imag()) + ")";
    }
    case DType::Complex128: {
      const auto c = t.at<std::complex<double>>(i);
      return "(" + doubleText(c.real()) + "," + doubleText(c.imag()) + ")";
    }
    case DType::UInt64: return std::to_string(t.at<uint64_t>(i));
    case DType::Resource:
    case DType::Variant: return "<" + dtypeName(t.dtype()) + ">";
    default: return std::to_string(t.asInt(i));
  }
}

/// The elements of dimension `d` from `next` on, with each inner dimension in brackets.
void append(const Tensor& t, int d, int64_t limit, int64_t& next, std::string& out) {
  if (next >= limit) return;
  if (d == t.rank() - 1) {
    for (int64_t i = 0; i < t.dim(d); ++i) {
      if (next >= limit) {
        if (d != 0) out += "...";
        return;
      }
      if (i > 0) out += " ";
      out += elementText(t, next++);
    }
    return;
  }
  for (int64_t i = 0; i < t.dim(d) && next < limit; ++i) {
    out += "[";
    append(t, d + 1, limit, next, out);
    out += "]";
  }
}

}  // namespace

std::string summarizeValue(const Tensor& t, int64_t limit) {
  const int64_t n = t.elements();
  if (limit < 0 || limit > n) limit = n;
  std::string out;
  if (t.rank() == 0 || sizeOf(t.dtype()) == 0) {
    for (int64_t i = 0; i < limit; ++i) out += (i ? " " : "") + elementText(t, i);
  } else {
    int64_t next = 0;
    append(t, 0, limit, next, out);
  }
  if (n > limit) out += "...";
  return out;
}

std::string indexPosition(const Shape& shape, int64_t flat) {
  if (shape.rank() == 0) return "";
  std::string out;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    const int64_t n = shape.dim(d);
    out = std::to_string(flat % n) + (out.empty() ? "" : ",") + out;
    flat /= n;
  }
  return "[" + out + "]";
}

namespace {

constexpr int64_t kManyEmpty = 10000;

void appendNested(const Tensor& t, int d, int64_t edge, int64_t offset, int64_t size, std::string& out) {
  if (d == t.rank()) {
    out += t.dtype() == DType::String ? '"' + elementText(t, offset) + '"' : elementText(t, offset);
    return;
  }
  const int64_t n = t.dim(d), inner = n > 0 ? size / n : 0;
  // There may be 2^63 rows without elements; long lists of them are cut even if all are requested.
  const bool many = size == 0 && n > kManyEmpty;
  if (many && edge < 0) edge = 3;
  const bool cut = edge >= 0 && n > edge && n - edge > edge;
  const std::string between = d == t.rank() - 1 ? " " : std::string(size_t(t.rank() - 1 - d), '\n') + std::string(size_t(d + 1), ' ');
  out += '[';
  for (int64_t i = 0; i < n; ++i) {
    if (i > 0) out += between;
    if (cut && i == edge) {
      out += "...";
      i = n - edge - 1;
      continue;
    }
    appendNested(t, d + 1, edge, offset + i * inner, inner, out);
  }
  out += ']';
}

}  // namespace

std::string summarizeNested(const Tensor& t, int64_t edge) {
  std::string out;
  appendNested(t, 0, edge, 0, t.elements(), out);
  return out;
}

}  // namespace weft
