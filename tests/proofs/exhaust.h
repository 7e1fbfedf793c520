#pragma once

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <QByteArray>
#include <QString>

#include "weft/builder.h"
#include "weft/passes.h"
#include "weft/session.h"

/// All of something small, with a rewrite and without any.
namespace exhaust {

using namespace weft;
using Feeds = std::vector<std::pair<std::string, Tensor>>;

/// WEFT_EXHAUST_LONG=1: everything, not only the part that fits into a few seconds.
inline bool isLong() { return qEnvironmentVariableIntValue("WEFT_EXHAUST_LONG") > 0; }

/// All shapes of at most `rank` dimensions of 0 to `dim`.
inline std::vector<Shape> shapesUpTo(int rank, int64_t dim) {
  std::vector<Shape> all{Shape()};
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].rank() == rank) continue;
    for (int64_t d = 0; d <= dim; ++d) {
      std::vector<int64_t> dims = all[i].toVector();
      dims.push_back(d);
      all.push_back(Shape(dims));
    }
  }
  return all;
}

/// NaN, infinities, zeros, the largest and the smallest, a denormal, one and others.
inline std::vector<double> specials(DType type) {
  if (type == DType::Bool) return {0, 1};
  if (isFloating(type)) {
    const double largest = type == DType::Half ? 65504 : type == DType::Double ? std::numeric_limits<double>::max() : double(std::numeric_limits<float>::max());
    const double least = type == DType::Half ? 6.2e-5 : type == DType::Double ? std::numeric_limits<double>::min() : double(std::numeric_limits<float>::min());
    return {std::nan(""), HUGE_VAL, -HUGE_VAL, 0.0, -0.0, largest, -largest, least, least / 4, 1, -1, 0.3, -7.5};
  }
  const bool isUnsigned = type == DType::UInt8 || type == DType::UInt16;
  const int bits = int(sizeOf(type)) * 8;
  std::vector<double> out{0, 1, 2, 7};
  if (!isUnsigned) out.insert(out.end(), {-1, -7, -std::ldexp(1, bits - 1)});
  out.push_back(std::ldexp(1, bits - (isUnsigned ? 0 : 1)) - (bits > 32 ? 1024 : 1));
  return out;
}

inline Tensor filled(DType type, const Shape& shape, const std::function<double(int64_t)>& at) {
  Tensor t = Tensor::zeros(type, shape);
  for (int64_t i = 0; i < t.elements(); ++i) {
    const double v = at(i);
    switch (type) {
      case DType::Float: t.mutableData<float>()[i] = float(v); break;
      case DType::Double: t.mutableData<double>()[i] = v; break;
      case DType::Int8: t.mutableData<int8_t>()[i] = int8_t(v); break;
      case DType::Int16: t.mutableData<int16_t>()[i] = int16_t(v); break;
      case DType::Int32: t.mutableData<int32_t>()[i] = int32_t(v); break;
      case DType::Int64: t.mutableData<int64_t>()[i] = int64_t(v); break;
      case DType::UInt8: t.mutableData<uint8_t>()[i] = uint8_t(v); break;
      case DType::UInt16: t.mutableData<uint16_t>()[i] = uint16_t(v); break;
      case DType::Bool: t.mutableData<bool>()[i] = v != 0; break;
      default: qFatal("no values of type %d", int(type));
    }
  }
  return t;
}

/// Different whole numbers: which element went where can be seen.
inline Tensor counted(DType type, const Shape& shape, int first) {
  return filled(type, shape, [&](int64_t i) { return type == DType::Bool ? double((i + first) % 3 == 0) : double((first + i * 7) % 61 - 20); });
}
/// Every special value meets every other, if `b` is asked for in another `turn`.
inline Tensor specialsOf(DType type, const Shape& shape, int turn) {
  const std::vector<double> s = specials(type);
  return filled(type, shape, [&](int64_t i) { return s[size_t(turn ? i / int64_t(s.size()) : i) % s.size()]; });
}

enum class Same { Bits, NaNsAlike };  ///< NaNsAlike: which bits a NaN has does not matter, nor the sign of a zero.

/// The result of a run, or why it failed.
struct Outcome {
  Code code = Code::Ok;
  std::string error;
  std::vector<Tensor> values;
  std::string plan;
};

inline Outcome outcomeOf(const Graph& graph, const Feeds& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& disabled,
                         const std::vector<std::string>& before = {}, const std::vector<std::string>& targets = {},
                         const std::vector<std::string>& after = {}) {
  Outcome out;
  SessionOptions options;
  options.disabledPasses = disabled;
  options.threads = 1;
  auto session = Session::create(graph, options);
  const auto failed = [&](const Error& e) {
    out.code = e.code;
    out.error = e.toString();
    return out;
  };
  if (!session.ok()) return failed(session.error());
  for (const std::string& target : before) {
    const auto done = (*session)->run({}, {}, {target});
    if (!done.ok()) return failed(done.error());
  }
  std::vector<std::string> names;
  std::vector<Tensor> values;
  for (const auto& [name, value] : feeds) names.push_back(name), values.push_back(value);
  auto run = (*session)->prepare(names, fetches, targets);
  if (!run.ok()) return failed(run.error());
  for (int step = 0; step < 2; ++step) {  // recorded, and laid out in an arena
    auto got = run->run(values);
    if (!got.ok()) return failed(got.error());
    out.values = std::move(*got);
  }
  out.plan = run->explain();
  if (!after.empty()) {
    auto left = (*session)->run({}, after);
    if (!left.ok()) return failed(left.error());
    out.values.insert(out.values.end(), left->begin(), left->end());
  }
  return out;
}

/// All passes except these and constant_folding, which supplies their shapes.
inline std::vector<std::string> allBut(const std::vector<std::string>& on) {
  std::vector<std::string> off;
  for (const std::string& name : passNames())
    if (name != "constant_folding" && std::find(on.begin(), on.end(), name) == on.end()) off.push_back(name);
  return off;
}

inline bool sameValues(const Tensor& a, const Tensor& b, Same how) {
  if (a.dtype() != b.dtype() || !(a.shape() == b.shape())) return false;
  if (a.elements() == 0 || std::memcmp(a.raw(), b.raw(), a.bytes()) == 0) return true;
  if (!isFloating(a.dtype())) return false;
  for (int64_t i = 0; i < a.elements(); ++i) {
    const size_t size = sizeOf(a.dtype());
    if (std::memcmp(static_cast<const char*>(a.raw()) + size_t(i) * size, static_cast<const char*>(b.raw()) + size_t(i) * size, size) == 0) continue;
    const double x = a.asDouble(i), y = b.asDouble(i);
    if (std::isnan(x) && std::isnan(y)) continue;  // x86 propagates the first operand's payload; operand order is unspecified
    if (how == Same::NaNsAlike && x == y) continue;
    return false;
  }
  return true;
}

/// Counts the cases and keeps the first differences.
class Tally {
 public:
  /// Runs the same graph without any rewrite and with `on` only; `what` is for the message. `before` runs first, `after` is fetched in a separate run. Returns
  /// whether `on` changed the plan.
  bool compare(const std::function<std::string()>& what, const Graph& graph, const Feeds& feeds, const std::vector<std::string>& fetches,
               const std::vector<std::string>& on, Same how = Same::Bits, const std::vector<std::string>& before = {},
               const std::vector<std::string>& targets = {}, const std::vector<std::string>& after = {}) {
    ++tried;
    const Outcome want = outcomeOf(graph, feeds, fetches, {"all"}, before, targets, after),
                  got = outcomeOf(graph, feeds, fetches, allBut(on), before, targets, after);
    failed += want.code != Code::Ok;
    bool same = want.code == got.code && want.values.size() == got.values.size();
    for (size_t k = 0; same && k < want.values.size(); ++k) same = sameValues(want.values[k], got.values[k], how);
    if (!same) {
      if (different++ < 12) {
        first += QString::fromStdString(what()) + QStringLiteral(": ") + text(got) + QStringLiteral(", without rewrites: ") + text(want) + QStringLiteral("\n");
      }
    }
    bool changed = false;
    for (const std::string& name : on) changed |= got.plan.find(name + ": ") != std::string::npos;
    rewritten += changed;
    return changed;
  }

  int64_t tried = 0, rewritten = 0, failed = 0, different = 0;
  QString first;

  QByteArray report(const char* name) const {
    return QStringLiteral("%1: %2 graphs, %3 rewritten, %4 refused by both or one, %5 different\n%6")
        .arg(QString::fromLatin1(name))
        .arg(tried)
        .arg(rewritten)
        .arg(failed)
        .arg(different)
        .arg(first)
        .toUtf8();
  }

 private:
  static QString text(const Outcome& o) {
    if (o.code != Code::Ok) return QString::fromStdString(o.error.substr(0, 160));
    QString out;
    for (const Tensor& t : o.values) {
      out += QString::fromStdString(t.shape().toString()) + QStringLiteral("{");
      for (int64_t i = 0; i < std::min<int64_t>(t.elements(), 12); ++i) out += (i ? QStringLiteral(" ") : QString()) + QString::number(t.asDouble(i));
      out += QStringLiteral("} ");
    }
    return out;
  }
};

/// Every graph was the same, and the rewrite met its pattern at least `least` times: a proof of nothing fails.
#define VERIFY_SAME(tally, name, least)                                       \
  do {                                                                        \
    qInfo("%s", (tally).report(name).trimmed().constData());                  \
    QVERIFY2((tally).different == 0, (tally).report(name).constData());       \
    QVERIFY2((tally).rewritten >= (least), (tally).report(name).constData()); \
  } while (false)

}  // namespace exhaust
