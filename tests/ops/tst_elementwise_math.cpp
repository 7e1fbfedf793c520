#include <QTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "device/cpu/convert.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"

using namespace weft;
using namespace weft::cpu;

// Makes its message only if the check fails.
#define CHECK_ELEMENT(condition, message) \
  if (!(condition)) QFAIL(qPrintable(message))

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

template <typename T>
constexpr DType kTypeOf = DType::Invalid;
template <>
constexpr DType kTypeOf<float> = DType::Float;
template <>
constexpr DType kTypeOf<double> = DType::Double;
template <>
constexpr DType kTypeOf<Half> = DType::Half;
template <>
constexpr DType kTypeOf<BFloat16> = DType::BFloat16;
template <>
constexpr DType kTypeOf<int8_t> = DType::Int8;
template <>
constexpr DType kTypeOf<uint8_t> = DType::UInt8;
template <>
constexpr DType kTypeOf<int16_t> = DType::Int16;
template <>
constexpr DType kTypeOf<uint16_t> = DType::UInt16;
template <>
constexpr DType kTypeOf<int32_t> = DType::Int32;
template <>
constexpr DType kTypeOf<int64_t> = DType::Int64;

template <typename T, typename R = T>
std::vector<R> apply(const char* op, const std::vector<T>& x) {
  const ElementwiseEntry* e = findElementwise(op, kTypeOf<T>);
  if (!e) qFatal("%s has no entry", op);
  std::vector<R> out(x.size());
  const void* in[] = {x.data()};
  const bool scalar[] = {false};
  e->fn(in, scalar, out.data(), long(x.size()));
  return out;
}

template <typename T>
std::vector<T> apply2(const char* op, const std::vector<T>& x, const std::vector<T>& y) {
  const ElementwiseEntry* e = findElementwise(op, kTypeOf<T>);
  if (!e) qFatal("%s has no entry", op);
  std::vector<T> out(std::max(x.size(), y.size()));
  const void* in[] = {x.data(), y.data()};
  const bool scalar[] = {x.size() == 1, y.size() == 1};
  e->fn(in, scalar, out.data(), long(out.size()));
  return out;
}

/// Distance in units of the last place of T; signs of zeros and infinities must agree.
template <typename T, typename Exact>
double ulps(T got, Exact exact) {
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : 1e30;
  if (std::signbit(got) != std::signbit(exact)) return 1e30;
  const T nearest = T(exact);
  if (got == nearest) return 0;
  if (std::isinf(got) || std::isinf(nearest)) return 1e30;
  int exponent = 0;
  std::frexp(exact, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  return double(std::abs(Exact(got) - exact) / std::ldexp(Exact(1), exponent - std::numeric_limits<T>::digits));
}

/// Bits at random, numbers near 1, and special values.
template <typename T>
std::vector<T> wildNumbers(size_t n, uint32_t seed) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  std::mt19937_64 random(seed);
  std::vector<T> out = {T(0),    T(-0.0), T(1),    T(-1),    T(kInf), T(-kInf), T(kNan), T(0.5),   T(-0.5), T(1e10), T(-1e10), T(88.8), T(-88.8),
                        T(-104), T(710),  T(-746), T(1e-30), T(2.5),  T(-2.5),  T(3e38), T(-3e38), T(9),    T(28),   T(-28),   T(20)};
  for (const T limit : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), std::numeric_limits<T>::denorm_min()})
    out.push_back(limit), out.push_back(-limit);
  while (out.size() < n) {
    const uint64_t bits = random();
    switch (bits % 4) {
      case 0: out.push_back(std::bit_cast<T>(Bits(random()))); break;
      case 1: out.push_back(T(std::uniform_real_distribution<double>(-1, 1)(random))); break;
      case 2: out.push_back(T(std::uniform_real_distribution<double>(-30, 30)(random))); break;
      default: out.push_back(T(std::uniform_real_distribution<double>(0.9, 1.1)(random)));
    }
  }
  return out;
}

using Exact = long double;
struct Function {
  const char* op;
  Exact (*exact)(Exact);
  double bound;  ///< in ulps
};

const Function kFunctions[] = {
    {"Sin", [](Exact x) { return std::sin(x); }, 4},
    {"Cos", [](Exact x) { return std::cos(x); }, 4},
    {"Tan", [](Exact x) { return std::tan(x); }, 4},
    {"Asin", [](Exact x) { return std::asin(x); }, 4},
    {"Acos", [](Exact x) { return std::acos(x); }, 4},
    {"Atan", [](Exact x) { return std::atan(x); }, 4},
    {"Sinh", [](Exact x) { return std::sinh(x); }, 4},
    {"Cosh", [](Exact x) { return std::cosh(x); }, 4},
    {"Asinh", [](Exact x) { return std::asinh(x); }, 4},
    {"Acosh", [](Exact x) { return std::acosh(x); }, 4},
    {"Atanh", [](Exact x) { return std::atanh(x); }, 4},
    {"Erf", [](Exact x) { return std::erf(x); }, 4},
    {"Erfc", [](Exact x) { return std::erfc(x); }, 4},
    {"Rint", [](Exact x) { return std::nearbyint(x); }, 0},
    {"Round",
     [](Exact x) {
       const Exact r = std::nearbyint(x);
       return r == 0 ? Exact(0) : r;
     },
     0},
    {"Softsign", [](Exact x) { return std::isinf(x) ? Exact(kNan) : x / (std::abs(x) + 1); }, 2},
    {"Elu", [](Exact x) { return x < 0 ? std::expm1(x) : x; }, 4},
    // TensorFlow's definition: e^x where that is below the precision of 1 + e^x (times e^2).
    {"Softplus", [](Exact x) { return x > 100 ? x : std::log1p(std::exp(x)); }, 12},
};
const Function kDoubleFunctions[] = {
    {"Exp", [](Exact x) { return std::exp(x); }, 4},     {"Log", [](Exact x) { return std::log(x); }, 4},   {"Log1p", [](Exact x) { return std::log1p(x); }, 4},
    {"Expm1", [](Exact x) { return std::expm1(x); }, 4}, {"Tanh", [](Exact x) { return std::tanh(x); }, 4}, {"Floor", [](Exact x) { return std::floor(x); }, 0},
    {"Ceil", [](Exact x) { return std::ceil(x); }, 0},   {"Sqrt", [](Exact x) { return std::sqrt(x); }, 1}, {"Abs", [](Exact x) { return std::abs(x); }, 0},
};

/// By recurrence to numbers above 30, the asymptotic series, and reflection.
Exact digamma(Exact x) {
  if (std::isnan(x)) return x;
  const Exact pi = std::acos(Exact(-1));
  if (x <= 0) {
    if (std::floor(x) == x) return kInf;
    const Exact part = x - std::nearbyint(x);
    return digamma(1 - x) - (std::abs(part) == 0.5L ? 0 : pi / std::tan(pi * part));
  }
  Exact sum = 0;
  for (; x < 30; x += 1) sum += 1 / x;
  const Exact z = 1 / (x * x);
  return std::log(x) - 0.5L / x - z * (1.0L / 12 - z * (1.0L / 120 - z * (1.0L / 252 - z * (1.0L / 240 - z / 132)))) - sum;
}

template <typename T>
void compareWithExact(const Function& f, uint32_t seed) {
  const auto x = wildNumbers<T>(8000, seed);
  const auto got = apply<T>(f.op, x);
  for (size_t i = 0; i < x.size(); ++i) {
    const Exact exact = f.exact(Exact(x[i]));
    const double error = ulps<T>(got[i], exact);
    CHECK_ELEMENT(error <= f.bound,
                  QString("%1(%2) = %3, exactly %4: %5 ulps").arg(f.op).arg(double(x[i]), 0, 'g', 17).arg(double(got[i])).arg(double(exact)).arg(error));
  }
}

/// The same bits, or NaN both.
template <typename T>
bool sameValues(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    const auto x = Compute<T>(a[i]), y = Compute<T>(b[i]);
    if (std::memcmp(&x, &y, sizeof x) != 0 && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

template <typename T>
void expectNoDependenceOnPosition(const char* op) {
  const ElementwiseEntry* e = findElementwise(op, kTypeOf<T>);
  QVERIFY2(e, op);
  std::vector<T> x;
  for (const auto v : wildNumbers<std::conditional_t<std::is_same_v<T, double>, double, float>>(1203, 5)) x.push_back(T(v));
  const std::vector<T> y(x.rbegin(), x.rend());
  const bool vectors[] = {false, false};
  std::vector<T> whole(x.size()), single(x.size());
  const void* in[] = {x.data(), y.data()};
  e->fn(in, vectors, whole.data(), long(x.size()));
  for (size_t i = 0; i < x.size(); ++i) {
    const void* one[] = {x.data() + i, y.data() + i};
    e->fn(one, vectors, single.data() + i, 1);
  }
  QVERIFY2(sameValues(whole, single), op);
  std::vector<T> replaced = x;
  const void* same[] = {replaced.data(), y.data()};
  e->fn(same, vectors, replaced.data(), long(x.size()));
  QVERIFY2(sameValues(whole, replaced), op);
}

template <typename T>
void expectExactRemainders() {
  auto x = wildNumbers<T>(60000, 6);
  auto y = wildNumbers<T>(60000, 7);
  std::shuffle(y.begin(), y.end(), std::mt19937(8));
  for (size_t i = 30000; i < x.size(); ++i) {  // blocks without special values
    x[i] = T(int(i * 7919 % 20011) - 10000) / 7;
    y[i] = T(int(i * 104729 % 2003) - 1001) / 3 + T(0.01);
    if (i % 5 == 0) x[i] = y[i] * T(int(i % 999) - 500);  // multiples, and numbers next to them
    if (i % 10 == 0) x[i] = std::nextafter(x[i], T(0));
  }
  const auto remainders = apply2<T>("TruncateMod", x, y), floored = apply2<T>("FloorMod", x, y), scalar = apply2<T>("Mod", x, {T(0.3)});
  for (size_t i = 0; i < x.size(); ++i) {
    const T r = std::fmod(x[i], y[i]), f = r != 0 && (r < 0) != (y[i] < 0) ? r + y[i] : r, s = std::fmod(x[i], T(0.3));
    const auto what = [&] { return QString("%1 mod %2").arg(double(x[i]), 0, 'g', 17).arg(double(y[i]), 0, 'g', 17); };
    CHECK_ELEMENT(ulps<T>(remainders[i], r) == 0, what());
    CHECK_ELEMENT(ulps<T>(floored[i], f) == 0, what());
    CHECK_ELEMENT(ulps<T>(scalar[i], s) == 0, what());
  }
}

template <typename T>
std::vector<T> allOf16Bits() {
  std::vector<T> out(65536);
  for (uint32_t i = 0; i < 65536; ++i) out[i].bits = uint16_t(i);
  return out;
}

template <typename T>
void expectRoundedFloats(const char* op) {
  const auto x = allOf16Bits<T>();
  std::vector<float> wide;
  for (const T v : x) wide.push_back(float(v));
  const auto got = apply<T>(op, x);
  const auto want = apply<float>(op, wide);
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(want[i])) {
      QVERIFY2(std::isnan(float(got[i])), op);
    } else {
      CHECK_ELEMENT(got[i].bits == T(want[i]).bits, QString("%1 of %2: %3, wanted %4").arg(op).arg(wide[i]).arg(float(got[i])).arg(want[i]));
    }
  }
}

template <typename T>
void expectConversionsOf() {
  const auto all = allOf16Bits<T>();
  std::vector<float> wide(all.size());
  findConversion(kTypeOf<T>, DType::Float)(all.data(), wide.data(), int64_t(all.size()), false);
  for (size_t i = 0; i < all.size(); ++i)
    QVERIFY(std::isnan(wide[i]) ? std::isnan(float(all[i])) : std::bit_cast<uint32_t>(wide[i]) == std::bit_cast<uint32_t>(float(all[i])));
  auto numbers = wildNumbers<float>(100003, 11);
  for (uint32_t i = 0; i < 65535; ++i) {  // ties between neighbours, and the numbers next to them
    const float tie = (wide[i] + wide[i + 1]) / 2;
    for (const float v : {tie, std::nextafter(tie, 0.0f), std::nextafter(tie, 1e38f)}) numbers.push_back(v);
  }
  std::vector<T> narrow(numbers.size());
  findConversion(DType::Float, kTypeOf<T>)(numbers.data(), narrow.data(), int64_t(numbers.size()), false);
  for (size_t i = 0; i < numbers.size(); ++i) QCOMPARE(narrow[i].bits, T(numbers[i]).bits);
}

/// Quotients and remainders of integers as C computes them in 128 bits.
template <typename T>
void expectDivisions(const std::vector<T>& x, const std::vector<T>& y) {
  const auto truncated = apply2<T>("TruncateDiv", x, y), floored = apply2<T>("FloorDiv", x, y), divided = apply2<T>("Div", x, y);
  const auto remainders = apply2<T>("TruncateMod", x, y), mods = apply2<T>("Mod", x, y), floorMods = apply2<T>("FloorMod", x, y);
  for (size_t i = 0; i < truncated.size(); ++i) {
    const __int128 a = x[x.size() == 1 ? 0 : i], b = y[y.size() == 1 ? 0 : i], q = a / b, r = a % b;
    const bool down = r != 0 && (r < 0) != (b < 0);
    const bool right = truncated[i] == T(q) && divided[i] == T(q) && floored[i] == T(q - down) && remainders[i] == T(r) && mods[i] == T(r) &&
                       floorMods[i] == T(down ? r + b : r);
    CHECK_ELEMENT(right, QString("%1 / %2").arg(qint64(a)).arg(qint64(b)));
  }
}

template <typename T>
void expectDivisionsOfRandomNumbers() {
  std::mt19937_64 random(3);
  constexpr T kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  std::vector<T> special = {kLow, kHigh, T(kLow + 1), T(kHigh - 1), T(1), T(2), T(3), T(7), T(100)};
  if constexpr (std::is_signed_v<T>) special.insert(special.end(), {T(-1), T(-2), T(-3), T(-7)});
  if constexpr (sizeof(T) == 8) special.insert(special.end(), {T(1) << 51, (T(1) << 51) - 1, -(T(1) << 51), -(T(1) << 51) - 1, T(1) << 53, (T(1) << 50) + 1});
  std::vector<T> x, y;
  for (const T a : special) {
    for (const T b : special) {
      if (b != 0) x.push_back(a), y.push_back(b);
    }
  }
  for (int i = 0; i < 30000; ++i) {
    const int shift = int(random() % (8 * sizeof(T)));  // of all magnitudes
    const T b = T(T(random()) >> (random() % (8 * sizeof(T))));
    x.push_back(i % 3 ? T(T(random()) >> shift) : T(uint64_t(b) * (random() % 1000)));  // multiples too
    y.push_back(b == 0 ? T(1) : b);
  }
  expectDivisions(x, y);
  for (const T b : {special[4], special[7], special[0] ? special[0] : T(5), special.back()}) expectDivisions(x, {b});
  for (const T a : special) expectDivisions({a}, y);
}

}  // namespace

/// Vectorised element-wise functions at special values, against the C library's scalar functions in long double. (Accuracy of ordinary values: engine/device/cpu/MATH.md.)
class ElementwiseMathTest : public QObject {
  Q_OBJECT

 private slots:
  void functionsAreWithinSomeUlpsOfTheExactValues() {
    for (const Function& f : kFunctions) {
      compareWithExact<float>(f, 1);
      compareWithExact<double>(f, 2);
    }
    for (const Function& f : kDoubleFunctions) compareWithExact<double>(f, 3);
  }

  void gammaFunctionsAreWithinSomeUlpsOfTheExactValues() {
    compareWithExact<float>({"Lgamma", [](Exact x) { return std::lgamma(x); }, 4}, 4);
    compareWithExact<float>({"Digamma", digamma, 4}, 5);
    // In double, relative errors grow near the zeros: absolute ones stay small.
    std::vector<double> x;
    for (int i = 1; i < 20000; ++i) x.push_back(i * 0.00213 - 9.5011);
    const auto got = apply<double>("Digamma", x);
    for (size_t i = 0; i < x.size(); ++i) {
      const Exact exact = digamma(x[i]);
      CHECK_ELEMENT(std::abs(got[i] - exact) <= 1e-14L * std::max(Exact(1), std::abs(exact)) * (x[i] < 0 ? 100 : 1),
                    QString("digamma(%1) = %2").arg(x[i]).arg(got[i]));
    }
    QCOMPARE(apply<double>("Digamma", {0.0, -0.0, -1.0, -kInf, kInf}), (std::vector<double>{kInf, kInf, kInf, kInf, kInf}));
    QCOMPARE(apply<float>("Lgamma", {0.0f, 1.0f, 2.0f, -3.0f, float(-kInf), float(kInf), 4e37f}),
             (std::vector<float>{float(kInf), 0.0f, 0.0f, float(kInf), float(kInf), float(kInf), float(kInf)}));
  }

  void powersAndAnglesOfSpecialValues() {
    const auto head = [](auto v) {
      v.resize(40);
      return v;
    };
    const auto check = [&](auto zero) {
      using T = decltype(zero);
      const auto values = head(wildNumbers<T>(40, 4));
      std::vector<T> x, y;
      for (const T a : values) {
        for (const T b : values) x.push_back(a), y.push_back(b);
      }
      const auto powers = apply2<T>("Pow", x, y), angles = apply2<T>("Atan2", x, y);
      for (size_t i = 0; i < x.size(); ++i) {
        const Exact p = std::pow(Exact(x[i]), Exact(y[i])), a = std::atan2(Exact(x[i]), Exact(y[i]));
        CHECK_ELEMENT(ulps<T>(powers[i], p) <= 2, QString("%1 ^ %2 = %3").arg(double(x[i])).arg(double(y[i])).arg(double(powers[i])));
        CHECK_ELEMENT(ulps<T>(angles[i], a) <= 4, QString("atan2(%1, %2) = %3").arg(double(x[i])).arg(double(y[i])).arg(double(angles[i])));
      }
    };
    check(0.0f);
    check(0.0);
  }

  void anElementsValueDoesNotDependOnItsPosition() {
    for (const Function& f : kFunctions) {
      expectNoDependenceOnPosition<float>(f.op);
      expectNoDependenceOnPosition<double>(f.op);
      expectNoDependenceOnPosition<Half>(f.op);
      expectNoDependenceOnPosition<BFloat16>(f.op);
    }
    for (const Function& f : kDoubleFunctions) expectNoDependenceOnPosition<double>(f.op);
    for (const char* op : {"Lgamma", "Digamma"}) expectNoDependenceOnPosition<float>(op);
    for (const char* op : {"Pow", "Atan2", "Xlogy", "FloorDiv", "FloorMod", "Mod", "EluGrad", "SeluGrad", "SoftplusGrad", "SoftsignGrad", "Add", "RealDiv"}) {
      expectNoDependenceOnPosition<float>(op);
      expectNoDependenceOnPosition<double>(op);
      expectNoDependenceOnPosition<Half>(op);
      expectNoDependenceOnPosition<BFloat16>(op);
    }
  }

  void remaindersAreExact() {
    expectExactRemainders<float>();
    expectExactRemainders<double>();
  }

  void functionsOf16BitFloatsAreRoundedFunctionsOfFloat() {
    for (const char* op : {"Neg", "Abs", "Exp", "Log", "Tanh", "Sigmoid", "Erf", "Atan", "Sqrt", "Floor", "Round", "Sign", "Relu", "Softplus", "Lgamma"}) {
      expectRoundedFloats<Half>(op);
      expectRoundedFloats<BFloat16>(op);
    }
    expectRoundedFloats<Half>("Digamma");
  }

  void quotientsOf16BitFloatsAreRoundedBeforeTheyAreRoundedDown() {
    const auto halves = apply2<Half>("FloorDiv", {Half(-6e-8f), Half(7), Half(-7), Half(1)}, {Half(1000), Half(2), Half(2), Half(0)});
    QCOMPARE(halves[0].bits, uint16_t(0x8000));
    QCOMPARE(float(halves[1]), 3.0f);
    QCOMPARE(float(halves[2]), -4.0f);
    QVERIFY(std::isinf(float(halves[3])));
  }

  void conversionsOf16BitFloatsRoundToNearestEven() {
    expectConversionsOf<Half>();
    expectConversionsOf<BFloat16>();
  }

  void integersAreDividedExactly() {
    expectDivisionsOfRandomNumbers<int8_t>();
    expectDivisionsOfRandomNumbers<uint8_t>();
    expectDivisionsOfRandomNumbers<int16_t>();
    expectDivisionsOfRandomNumbers<uint16_t>();
    expectDivisionsOfRandomNumbers<int32_t>();
    expectDivisionsOfRandomNumbers<int64_t>();
  }

  void smallIntegersWrap() {
    std::vector<uint16_t> x = {65535, 65535, 0, 300}, y = {65535, 1, 1, 300};
    QCOMPARE(apply2<uint16_t>("Mul", x, y), (std::vector<uint16_t>{1, 65535, 0, 24464}));
    QCOMPARE(apply2<uint16_t>("Add", x, y), (std::vector<uint16_t>{65534, 0, 1, 600}));
    QCOMPARE(apply2<uint16_t>("SquaredDifference", x, y), (std::vector<uint16_t>{0, 4, 1, 0}));
    QCOMPARE(apply2<int8_t>("Mul", {-128, 100}, {-1, 3}), (std::vector<int8_t>{-128, 44}));
    QCOMPARE(apply2<int8_t>("Maximum", {-128, 100}, {-1, 3}), (std::vector<int8_t>{-1, 100}));
  }
};

QTEST_APPLESS_MAIN(ElementwiseMathTest)
#include "tst_elementwise_math.moc"
