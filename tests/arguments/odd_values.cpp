#include "odd_values.h"

#include <array>
#include <limits>
#include <vector>

namespace weft::arguments {
namespace {

constexpr int64_t kMax32 = std::numeric_limits<int32_t>::max(), kMax64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kMostElements = 1 << 16;

template <typename T>
void fillFrom(const Tensor& like, Tensor& out, T (*convert)(const Tensor&, int64_t)) {
  T* to = out.mutableData<T>();
  const int64_t n = like.elements();
  for (int64_t i = 0; i < out.elements(); ++i) to[i] = n > 0 ? convert(like, i % n) : T();
}

template <typename T>
T integerAt(const Tensor& t, int64_t i) {
  return t.dtype() == DType::String ? T(i) : T(t.asInt(i));
}
template <typename T>
T numberAt(const Tensor& t, int64_t i) {
  return t.dtype() == DType::String ? T(i) : T(t.asDouble(i));
}
std::string textAt(const Tensor& t, int64_t i) { return t.dtype() == DType::String ? t.data<std::string>()[i] : std::to_string(t.asInt(i)); }

/// Puts one number into element `i`, as the type takes it.
void put(Tensor& t, int64_t i, int64_t integer, double number) {
  switch (t.dtype()) {
    case DType::Float: t.mutableData<float>()[i] = float(number); break;
    case DType::Double: t.mutableData<double>()[i] = number; break;
    case DType::Half: t.mutableData<HalfBits>()[i] = halfFromFloat(float(number)); break;
    case DType::BFloat16: t.mutableData<BFloat16Bits>()[i] = bfloat16FromFloat(float(number)); break;
    case DType::Complex64: t.mutableData<std::complex<float>>()[i] = {float(number), float(integer)}; break;
    case DType::Complex128: t.mutableData<std::complex<double>>()[i] = {number, double(integer)}; break;
    case DType::Bool: t.mutableData<bool>()[i] = integer & 1; break;
    default:
      for (size_t b = 0; b < sizeOf(t.dtype()); ++b) static_cast<char*>(t.mutableRaw())[size_t(i) * sizeOf(t.dtype()) + b] = char(uint64_t(integer) >> (8 * b));
  }
}

Node plainNode(const std::string& op, const std::string& name, AttrMap attrs, DType output) {
  Node node;
  node.name = name;
  node.op = op;
  node.record = OpRegistry::instance().find(op);
  node.attrs = std::move(attrs);
  if (node.record) (void)resolveSignature(*node.record, node.attrs);
  node.outputTypes = {output};
  node.outputShapes = {Shape::unknown()};
  return node;
}

}  // namespace

uint64_t Dice::next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

int64_t oddInteger(Dice& dice, int64_t around) {
  const auto near = uint64_t(around);  // which may be the largest there is
  const std::array<int64_t, 30> values{0,
                                       0,
                                       -1,
                                       -1,
                                       1,
                                       2,
                                       3,
                                       7,
                                       -2,
                                       -7,
                                       int64_t(near + 1),
                                       int64_t(near - 1),
                                       int64_t(-near),
                                       int64_t(near * 2),
                                       100,
                                       255,
                                       1000,
                                       65536,
                                       kMax32,
                                       kMax32 - 1,
                                       kMax32 + 1,
                                       -kMax32 - 1,
                                       int64_t(1) << 30,
                                       int64_t(1) << 33,
                                       int64_t(1) << 40,
                                       int64_t(1) << 62,
                                       kMax64,
                                       kMax64 - 1,
                                       -kMax64 - 1,
                                       int64_t(3037000500)};
  return dice.pick(values);
}

double oddNumber(Dice& dice) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::array<double, 22> values{0,     -0.0, 1,     -1,    0.5,          2,      -3,  1e-45, 1e-310, 1e10,         -1e10,
                                      65504, 3e38, -3e38, 1e300, 2147483648.0, 9.3e18, inf, -inf,  -inf,   std::nan(""), std::nan("")};
  return dice.pick(values);
}

std::string oddText(Dice& dice, const std::string& around) {
  switch (dice.below(14)) {
    case 0: return "";
    case 1: return std::string(1, '\0');
    case 2: return std::string(100'000, 'a');
    case 3: return "%s%n%d";
    case 4: return "\xff\xfe\x80\xc0";
    case 5: return "1e999";
    case 6: return "-99999999999999999999";
    case 7: return around.substr(0, around.size() / 2);
    case 8: return around + around;
    case 9: return around + std::string("\0x", 2);
    case 10: return "no/such\nname";
    case 11: {
      std::string garbage(size_t(dice.below(64)), ' ');
      for (char& c : garbage) c = char(dice.next());
      return garbage;
    }
    default: {
      std::string damaged = around;
      for (int k = dice.below(3); k >= 0 && !damaged.empty(); --k) damaged[size_t(dice.below(int(damaged.size())))] = char(dice.next());
      return damaged;
    }
  }
}

DType oddType(Dice& dice) {
  const std::array<DType, 25> types{DType::Float,     DType::Double,  DType::Int32,   DType::UInt8,      DType::Int16,  DType::Int8,     DType::String,
                                    DType::Complex64, DType::Int64,   DType::Bool,    DType::QInt8,      DType::QUInt8, DType::QInt32,   DType::BFloat16,
                                    DType::QInt16,    DType::QUInt16, DType::UInt16,  DType::Complex128, DType::Half,   DType::Resource, DType::Variant,
                                    DType::UInt32,    DType::UInt64,  DType::Invalid, DType(101)};
  return dice.pick(types);
}

Shape oddShape(Dice& dice, const Shape& around) {
  std::vector<int64_t> dims = around.toVector();
  const int at = dice.below(int(dims.size()));
  switch (dice.below(16)) {
    case 0: return Shape();
    case 1: return Shape({0});
    case 2: return Shape({1});
    case 3: return Shape({2, 0, 3});
    case 4: return Shape({0, int64_t(1) << 40});
    case 5: return Shape({1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    case 6: return Shape({2, 3});
    case 7: dims.insert(dims.begin(), 1); break;
    case 8: dims.push_back(1); break;
    case 9: dims.push_back(2); break;
    case 10: dims.assign(dims.size(), 0); break;
    case 11: dims.assign(dims.size(), 1); break;
    case 12:
      if (!dims.empty()) dims.erase(dims.begin() + at);
      break;
    case 13:
      if (!dims.empty()) dims[size_t(at)] = 0;
      break;
    case 14:
      if (!dims.empty()) dims[size_t(at)] += 1;
      break;
    default:
      if (!dims.empty()) dims[size_t(at)] = std::max<int64_t>(dims[size_t(at)] - 1, 0);
  }
  const Shape out(dims);
  return out.elements() < 0 || out.elements() > kMostElements ? Shape({1}) : out;
}

Shape oddDeclaredShape(Dice& dice, const Shape& around) {
  switch (dice.below(8)) {
    case 0: return Shape::unknown();
    case 1: return Shape({-1});
    case 2: return Shape({int64_t(1) << 40, int64_t(1) << 40});
    case 3: return Shape({0, int64_t(1) << 62, 8});
    case 4: return Shape({kMax64});
    case 5: {
      std::vector<int64_t> dims = around.hasRank() ? around.toVector() : std::vector<int64_t>{1};
      if (!dims.empty()) dims[size_t(dice.below(int(dims.size())))] = oddInteger(dice, dims[0]);
      return Shape(dims);
    }
    default: return oddShape(dice, around.hasRank() ? around : Shape({2}));
  }
}

Tensor reshapedLike(const Tensor& like, DType type, const Shape& shape) {
  if (type == DType::Resource || type == DType::Variant || !isKnown(type) || like.dtype() == DType::Resource || like.dtype() == DType::Variant) return {};
  auto made = Tensor::allocate(type, shape);
  if (!made.ok()) return {};
  Tensor out = std::move(*made);
  if (like.dtype() == type && like.elements() == out.elements()) return like.reshaped(shape);
  switch (type) {
    case DType::String: fillFrom<std::string>(like, out, textAt); break;
    case DType::Float: fillFrom<float>(like, out, numberAt<float>); break;
    case DType::Double: fillFrom<double>(like, out, numberAt<double>); break;
    case DType::Int32: fillFrom<int32_t>(like, out, integerAt<int32_t>); break;
    case DType::Int64: fillFrom<int64_t>(like, out, integerAt<int64_t>); break;
    default:
      for (int64_t i = 0; i < out.elements(); ++i) {
        const int64_t n = like.elements();
        put(out, i, n ? integerAt<int64_t>(like, i % n) : 0, n ? numberAt<double>(like, i % n) : 0);
      }
  }
  return out;
}

Tensor withOddElements(Dice& dice, const Tensor& like) {
  const int64_t n = like.elements();
  if (n <= 0 || like.dtype() == DType::Resource || like.dtype() == DType::Variant) return like;
  auto copy = like.clone();
  if (!copy.ok()) return like;
  Tensor out = std::move(*copy);
  if (dice.oneIn(6)) {  // all equal
    const int64_t integer = oddInteger(dice, like.dtype() == DType::String ? 0 : like.asInt(0));
    const double number = oddNumber(dice);
    const std::string text = like.dtype() == DType::String ? oddText(dice, like.data<std::string>()[0]) : "";
    for (int64_t i = 0; i < n; ++i) {
      if (like.dtype() == DType::String) out.mutableData<std::string>()[i] = text.size() > 1000 && n > 100 ? "" : text;
      else put(out, i, integer, number);
    }
    return out;
  }
  for (int k = dice.below(3); k >= 0; --k) {
    const int64_t i = dice.below(int(std::min<int64_t>(n, kMax32)));
    if (like.dtype() == DType::String) {
      out.mutableData<std::string>()[i] = oddText(dice, like.data<std::string>()[i]);
    } else {
      put(out, i, oddInteger(dice, like.asInt(i)), oddNumber(dice));
    }
  }
  return out;
}

Node producerOf(DType type, bool reference, const std::string& name) {
  if (reference) return plainNode("VariableV2", name, {{"dtype", type}, {"shape", Shape({2})}}, refType(type));
  if (type == DType::Resource) return plainNode("VarHandleOp", name, {{"dtype", DType::Float}, {"shape", Shape({2})}}, type);
  if (type == DType::Variant) return plainNode("Placeholder", name, {{"dtype", type}, {"shape", Shape::unknown()}}, type);
  auto value = Tensor::allocate(isKnown(type) ? type : DType::Float, Shape({2}));
  Tensor tensor = std::move(*value);
  for (int64_t i = 0; i < 2; ++i) {
    if (type == DType::String) tensor.mutableData<std::string>()[i] = "ab";
    else put(tensor, i, i + 1, 1.5);
  }
  return plainNode("Const", name, {{"dtype", tensor.dtype()}, {"value", tensor}}, tensor.dtype());
}

Node oddHandle(Dice& dice, DType type, const std::string& name) {
  if (type == DType::Variant) return plainNode("Placeholder", name, {{"dtype", type}, {"shape", Shape::unknown()}}, type);
  switch (dice.below(9)) {
    case 0: return plainNode("VarHandleOp", name, {{"dtype", oddType(dice)}, {"shape", oddShape(dice, Shape({2}))}}, type);
    case 1: return plainNode("FIFOQueueV2", name, {{"component_types", std::vector<DType>{DType::Float}}}, type);
    case 2: return plainNode("HashTableV2", name, {{"key_dtype", DType::String}, {"value_dtype", DType::Int64}}, type);
    case 3:
      return plainNode(
          "Iterator", name,
          {{"shared_name", "i"}, {"container", ""}, {"output_types", std::vector<DType>{DType::Float}}, {"output_shapes", std::vector<Shape>{Shape({2})}}},
          type);
    case 4: return plainNode("TFRecordReaderV2", name, {}, type);
    case 5: return plainNode("StackV2", name, {{"elem_type", DType::Float}}, type);
    case 6: return plainNode("MutableDenseHashTableV2", name, {{"key_dtype", DType::Int64}, {"value_dtype", DType::Int64}}, type);
    case 7: return plainNode("BoostedTreesEnsembleResourceHandleOp", name, {}, type);
    default: return plainNode("Placeholder", name, {{"dtype", type}, {"shape", Shape::unknown()}}, type);
  }
}

}  // namespace weft::arguments
