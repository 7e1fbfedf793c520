#include "cli/selftest/compare.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "cli/selftest/wire.h"

namespace weft::cli {
namespace {

std::string positionOf(int64_t flat, const Shape& shape) {
  std::vector<int64_t> at(size_t(shape.rank()), 0);
  for (int i = shape.rank() - 1; i >= 0; --i) {
    at[size_t(i)] = flat % shape.dim(i);
    flat /= shape.dim(i);
  }
  return Shape(at).toString();
}

std::string number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", v);
  return text;
}
std::string number(const std::complex<double>& v) { return "(" + number(v.real()) + ", " + number(v.imag()) + ")"; }

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool same(const std::complex<double>& a, const std::complex<double>& b) { return same(a.real(), b.real()) && same(a.imag(), b.imag()); }

double magnitude(double v) { return std::fabs(v); }
double magnitude(const std::complex<double>& v) { return std::abs(v); }

/// Element-wise comparison through `at(tensor, i)`.
template <typename At>
std::string closeness(const Tensor& got, const Tensor& want, const Tolerance& tolerance, bool upToSign, At&& at) {
  int64_t bad = 0, worst = -1;
  double worstDistance = -1;
  for (int64_t i = 0; i < want.elements(); ++i) {
    auto g = at(got, i), w = at(want, i);
    if (upToSign) {
      g = decltype(g)(magnitude(g));
      w = decltype(w)(magnitude(w));
    }
    if (same(g, w)) continue;
    const double distance = magnitude(g - w);
    if (distance <= tolerance.absolute + tolerance.relative * magnitude(w)) continue;
    ++bad;
    const double rank = std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
    if (rank > worstDistance) {
      worstDistance = rank;
      worst = i;
    }
  }
  if (!bad) return {};
  return concat(bad, " of ", want.elements(), " values differ, at ", positionOf(worst, want.shape()), " ", number(at(got, worst)), ", want ",
                number(at(want, worst)));
}

std::string stringDifference(const Tensor& got, const Tensor& want) {
  for (int64_t i = 0; i < want.elements(); ++i)
    if (got.data<std::string>()[i] != want.data<std::string>()[i])
      return concat("string at ", positionOf(i, want.shape()), " is '", got.data<std::string>()[i].substr(0, 60), "', want '",
                    want.data<std::string>()[i].substr(0, 60), "'");
  return {};
}

/// One value of a Summary.
struct SummaryValue {
  std::string tag;
  int kind = 0;  ///< Its field number in Summary.Value: 2 scalar, 4 image, 5 histogram, 6 audio, 8 tensor, 9 metadata.
  std::vector<double> numbers;
  std::vector<uint64_t> imageHead;  ///< height, width, colorspace
  std::string bytes;
};

void appendDoubles(const WireField& f, std::vector<double>& out) {
  if (f.type == 1) out.push_back(f.asDouble());
  for (size_t i = 0; f.type == 2 && i + 8 <= f.bytes.size(); i += 8) {
    double v = 0;
    f.bytes.copy(reinterpret_cast<char*>(&v), 8, i);
    out.push_back(v);
  }
}

Result<std::vector<double>> histogramNumbers(std::string_view message) {
  WEFT_LET(const auto fields, parseWire(message));
  std::vector<double> head(5, 0.0), limits, counts;
  for (const WireField& f : fields) {
    if (f.number >= 1 && f.number <= 5 && f.type == 1) head[size_t(f.number - 1)] = f.asDouble();
    if (f.number == 6) appendDoubles(f, limits);
    if (f.number == 7) appendDoubles(f, counts);
  }
  head.insert(head.end(), limits.begin(), limits.end());
  head.insert(head.end(), counts.begin(), counts.end());
  return head;
}

Result<std::vector<SummaryValue>> summaryValues(std::string_view message) {
  std::vector<SummaryValue> out;
  WEFT_LET(const auto top, parseWire(message));
  for (const WireField& value : top) {
    if (value.number != 1) continue;
    WEFT_LET(const auto fields, parseWire(value.bytes));
    std::string tag;
    for (const WireField& f : fields)
      if (f.number == 1) tag = f.bytes;
    for (const WireField& f : fields) {
      SummaryValue v;
      v.tag = tag;
      v.kind = f.number;
      if (f.number == 2) {
        v.numbers = {f.asFloat()};
      } else if (f.number == 5) {
        WEFT_LET(v.numbers, histogramNumbers(f.bytes));
      } else if (f.number == 4) {
        WEFT_LET(const auto image, parseWire(f.bytes));
        v.imageHead.assign(3, 0);
        for (const WireField& i : image) {
          if (i.number >= 1 && i.number <= 3) v.imageHead[size_t(i.number - 1)] = i.value;
          if (i.number == 4) v.bytes = i.bytes;
        }
      } else if (f.number == 6 || f.number == 8 || f.number == 9) {
        v.bytes = f.bytes;
      } else {
        continue;
      }
      out.push_back(std::move(v));
    }
  }
  return out;
}

std::string valueDifference(const SummaryValue& g, const SummaryValue& w, const Tolerance& tolerance, int pixelTolerance) {
  if (w.kind == 2 || w.kind == 5) {
    const Tolerance loose{std::max(tolerance.relative, 1e-5), tolerance.absolute};
    return differenceOf(Tensor::vector(g.numbers), Tensor::vector(w.numbers), loose);
  }
  if (w.kind == 4) {
    if (g.imageHead != w.imageHead) return "image of another size";
    return pngDifference(g.bytes, w.bytes, pixelTolerance);
  }
  return g.bytes == w.bytes ? "" : "bytes differ";
}

}  // namespace

std::string differenceOf(const Tensor& got, const Tensor& want, const Tolerance& tolerance, bool integersToo, bool upToSign) {
  if (got.dtype() != want.dtype()) return concat("dtype ", dtypeName(got.dtype()), ", want ", dtypeName(want.dtype()));
  if (!(got.shape() == want.shape())) return concat("shape ", got.shape().toString(), ", want ", want.shape().toString());
  if (want.dtype() == DType::String) return stringDifference(got, want);
  if (isComplex(want.dtype()))
    return closeness(got, want, tolerance, upToSign, [](const Tensor& t, int64_t i) {
      return t.dtype() == DType::Complex64 ? std::complex<double>(t.at<std::complex<float>>(i)) : t.at<std::complex<double>>(i);
    });
  if (isFloating(want.dtype()) || integersToo) return closeness(got, want, tolerance, upToSign, [](const Tensor& t, int64_t i) { return t.asDouble(i); });
  for (int64_t i = 0; i < want.elements(); ++i)
    if (got.asInt(i) != want.asInt(i)) return concat("value at ", positionOf(i, want.shape()), " is ", got.asInt(i), ", want ", want.asInt(i));
  return {};
}

std::string summaryDifference(const std::string& got, const std::string& want, const Tolerance& tolerance, int pixelTolerance) {
  const auto g = summaryValues(got), w = summaryValues(want);
  if (!g.ok()) return "not a readable Summary: " + g.error().message;
  if (!w.ok()) return "the wanted Summary cannot be read: " + w.error().message;
  if (g->size() != w->size()) return concat(g->size(), " summary values, want ", w->size());
  for (size_t i = 0; i < w->size(); ++i) {
    const SummaryValue &a = (*g)[i], &b = (*w)[i];
    if (a.tag != b.tag || a.kind != b.kind)
      return concat("summary value ", i, " is '", a.tag, "' (field ", a.kind, "), want '", b.tag, "' (field ", b.kind, ")");
    if (const std::string d = valueDifference(a, b, tolerance, pixelTolerance); !d.empty()) return concat("summary value '", b.tag, "': ", d);
  }
  return {};
}

}  // namespace weft::cli
