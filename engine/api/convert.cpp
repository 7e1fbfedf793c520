#include "api/convert.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "graph/builder_impl.h"
#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"

namespace weft::api {
namespace {

std::string numberText(double v) {
  char text[40];
  std::string out(text, std::to_chars(text, text + sizeof text, v).ptr);
  if (out.find_first_of(".en") == out.npos) out += ".0";
  return out;
}

// An element as Python's repr writes it, and the name of its type.
std::pair<std::string, std::string> elementText(const Tensor& t, int64_t i) {
  switch (t.dtype()) {
    case DType::Bool: return {t.at<bool>(i) ? "True" : "False", "bool"};
    case DType::String: return {"'" + t.at<std::string>(i) + "'", "str"};
    case DType::Float:
    case DType::Double: return {numberText(t.asDouble(i)), "float"};
    case DType::Complex64:
    case DType::Complex128: return {numberText(t.asDouble(i)), "complex"};
    default: return {std::to_string(t.asInt(i)), "int"};
  }
}

std::string valuesText(const Tensor& t, int axis, int64_t& at) {
  if (axis == t.rank()) return elementText(t, at++).first;
  std::string out = "[";
  for (int64_t i = 0; i < t.dim(axis); ++i) out += (i ? ", " : "") + valuesText(t, axis + 1, at);
  return out + "]";
}

bool looseFits(DType from, DType to) {
  if (from == to) return true;
  if (to == DType::String || from == DType::String) return false;
  if (to == DType::Bool) return from == DType::Bool;
  if (isComplex(to)) return true;
  if (isComplex(from)) return false;
  if (isFloating(to)) return true;
  if (isFloating(from)) return false;
  return true;
}

template <typename To, typename F>
void fill(const Tensor& from, Tensor& to, F convert) {
  To* out = to.mutableData<To>();
  for (int64_t i = 0; i < from.elements(); ++i) out[i] = convert(i);
}

std::complex<double> complexAt(const Tensor& t, int64_t i) {
  if (t.dtype() == DType::Complex64) return t.at<std::complex<float>>(i);
  if (t.dtype() == DType::Complex128) return t.at<std::complex<double>>(i);
  return t.asDouble(i);
}

Result<Tensor> converted(const Tensor& t, DType to) {
  if (t.dtype() == to) return t;
  WEFT_LET(Tensor out, Tensor::allocate(to, t.shape()));
  const auto integer = [&](int64_t i) { return isFloating(t.dtype()) ? int64_t(t.asDouble(i)) : t.asInt(i); };
  const auto real = [&](int64_t i) { return t.asDouble(i); };
  switch (to) {
    case DType::Float: fill<float>(t, out, [&](int64_t i) { return float(real(i)); }); break;
    case DType::Double: fill<double>(t, out, real); break;
    case DType::Half: fill<HalfBits>(t, out, [&](int64_t i) { return halfFromFloat(float(real(i))); }); break;
    case DType::BFloat16: fill<BFloat16Bits>(t, out, [&](int64_t i) { return bfloat16FromFloat(float(real(i))); }); break;
    case DType::Int8: fill<int8_t>(t, out, [&](int64_t i) { return int8_t(integer(i)); }); break;
    case DType::Int16: fill<int16_t>(t, out, [&](int64_t i) { return int16_t(integer(i)); }); break;
    case DType::Int32: fill<int32_t>(t, out, [&](int64_t i) { return int32_t(integer(i)); }); break;
    case DType::Int64: fill<int64_t>(t, out, integer); break;
    case DType::UInt8: fill<uint8_t>(t, out, [&](int64_t i) { return uint8_t(integer(i)); }); break;
    case DType::UInt16: fill<uint16_t>(t, out, [&](int64_t i) { return uint16_t(integer(i)); }); break;
    case DType::UInt32: fill<uint32_t>(t, out, [&](int64_t i) { return uint32_t(integer(i)); }); break;
    case DType::UInt64: fill<uint64_t>(t, out, [&](int64_t i) { return uint64_t(integer(i)); }); break;
    case DType::Bool: fill<bool>(t, out, [&](int64_t i) { return real(i) != 0; }); break;
    case DType::Complex64: fill<std::complex<float>>(t, out, [&](int64_t i) { return std::complex<float>(complexAt(t, i)); }); break;
    case DType::Complex128: fill<std::complex<double>>(t, out, [&](int64_t i) { return complexAt(t, i); }); break;
    default: return typeError("Incompatible types: ", dtypeName(to), " vs. ", dtypeName(t.dtype()));
  }
  return out;
}

int rankOfKind(DType t) { return t == DType::Bool ? 0 : isInteger(t) ? 1 : isFloating(t) ? 2 : isComplex(t) ? 3 : 4; }

Result<Literal> stacked(const ArgumentList& list) {
  std::vector<Tensor> parts;
  DType type = DType::Invalid;
  for (const Argument& item : list) {
    WEFT_LET(Literal l, asLiteral(item));
    const DType t = l.value.dtype();
    // NumPy's common type, in the subset that lists need: the wider kind, or the wider type of the same kind.
    if (type == DType::Invalid || rankOfKind(t) > rankOfKind(type) || (rankOfKind(t) == rankOfKind(type) && sizeOf(t) > sizeOf(type))) type = t;
    if (!parts.empty() && !(parts[0].shape() == l.value.shape())) {
      return invalidArgument("Argument must be a dense tensor: its rows have different shapes, ", parts[0].shape().toPythonString(), " and ",
                             l.value.shape().toPythonString());
    }
    parts.push_back(std::move(l.value));
  }
  Shape shape{int64_t(list.size())};
  if (parts.empty()) return Literal{Tensor::zeros(DType::Float, shape), true};
  shape.append(parts[0].shape());
  WEFT_LET(Tensor out, Tensor::allocate(type, shape));
  const int64_t each = parts[0].elements();
  for (size_t i = 0; i < parts.size(); ++i) {
    WEFT_LET(const Tensor part, converted(parts[i], type));
    if (type == DType::String) {
      for (int64_t k = 0; k < each; ++k) out.mutableData<std::string>()[int64_t(i) * each + k] = part.at<std::string>(k);
    } else {
      std::copy_n(static_cast<const char*>(part.raw()), part.bytes(), static_cast<char*>(out.mutableRaw()) + i * part.bytes());
    }
  }
  return Literal{std::move(out), true};
}

DType firstTensorType(GraphBuilder& b, const Argument& a) {
  if (const auto* o = std::get_if<Output>(&a)) return b.dtype(*o);
  if (const auto* v = std::get_if<VariablePtr>(&a)) return (*v)->dtype;
  if (const auto* list = std::get_if<std::vector<Output>>(&a)) return list->empty() ? DType::Invalid : b.dtype(list->front());
  if (const auto* list = std::get_if<ArgumentList>(&a)) {
    for (const Argument& item : *list) {
      if (const DType t = firstTensorType(b, item); t != DType::Invalid) return t;
    }
  }
  return DType::Invalid;
}

// Lists that contain tensors become a Pack; other elements become constants named after their positions.
Output packed(GraphBuilder& b, const ArgumentList& list, DType type, std::string_view name) {
  const py::Scope scope(b, name);
  ArgumentList parts;
  for (size_t i = 0; i < list.size(); ++i) {
    const bool isList = std::holds_alternative<ArgumentList>(list[i]) || std::holds_alternative<std::vector<Output>>(list[i]);
    if (isList && holdsTensor(list[i])) {
      parts.emplace_back(packed(b, items(list[i]), type, std::to_string(i)));
    } else if (const auto* o = std::get_if<Output>(&list[i]); o && b.dtype(*o) != type) {
      parts.emplace_back(b.op("Cast", {*o}, {{"DstT", type}}));
    } else {
      parts.push_back(list[i]);
    }
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!holdsTensor(parts[i])) parts[i] = toTensor(b, parts[i], std::to_string(i), type);
  }
  return emit(b, "Pack", {Argument(std::move(parts))}, {{"axis", 0}}, scope.name());
}

Output literalTensor(GraphBuilder& b, const Argument& a, std::string_view name, DType type, DType preferred) {
  auto l = asLiteral(a);
  if (!l.ok()) {
    b.fail(l.error());
    return {};
  }
  if (type == DType::Invalid && preferred != DType::Invalid) {
    if (auto t = literalValue(*l, preferred); t.ok()) return b.constant(std::move(*t), name);
  }
  auto t = literalValue(*l, type);
  if (!t.ok()) {
    b.fail(t.error());
    return {};
  }
  return b.constant(std::move(*t), name);
}

}  // namespace

Literal literal(Tensor value) { return {std::move(value), true}; }

std::string tensorText(GraphBuilder& b, Output o) {
  if (const auto slices = slicesOf(b, o)) {
    return "IndexedSlices(indices=" + tensorText(b, slices->indices) + ", values=" + tensorText(b, slices->values) +
           (slices->denseShape.valid() ? ", dense_shape=" + tensorText(b, slices->denseShape) : std::string()) + ")";
  }
  const Shape s = b.shape(o);
  return "Tensor(\"" + b.graph().tensorName(o) + "\"" + (s.hasRank() ? ", shape=" + s.toPythonString() : std::string()) +
         ", dtype=" + dtypeName(b.nodeAt(o.node).outputTypes.at(size_t(o.index))) + ")";
}

bool isNone(const Argument& a) { return std::holds_alternative<std::monostate>(a); }

bool holdsTensor(const Argument& a) {
  if (std::holds_alternative<Output>(a) || std::holds_alternative<VariablePtr>(a)) return true;
  if (const auto* list = std::get_if<std::vector<Output>>(&a)) return !list->empty();
  const auto* list = std::get_if<ArgumentList>(&a);
  return list && std::any_of(list->begin(), list->end(), holdsTensor);
}

Result<Literal> asLiteral(const Argument& a) {
  if (const auto* l = std::get_if<Literal>(&a)) return *l;
  if (const auto* v = std::get_if<int64_t>(&a)) return literal(Tensor::scalar(*v));
  if (const auto* v = std::get_if<double>(&a)) return literal(Tensor::scalar(*v));
  if (const auto* v = std::get_if<bool>(&a)) return literal(Tensor::scalar(*v));
  if (const auto* v = std::get_if<std::string>(&a)) return literal(Tensor::scalar(*v));
  if (const auto* v = std::get_if<std::vector<int64_t>>(&a)) return v->empty() ? literal(Tensor::zeros(DType::Float, {0})) : literal(Tensor::vector(*v));
  if (const auto* v = std::get_if<ArgumentList>(&a)) return stacked(*v);
  if (std::holds_alternative<std::vector<Output>>(a)) return literal(Tensor::zeros(DType::Float, {0}));
  if (const auto* s = std::get_if<Shape>(&a)) {
    if (!s->isFullyKnown()) return invalidArgument("Cannot convert a partially known TensorShape to a Tensor: ", s->toPythonString());
    // A shape without dimensions is an int32 list too.
    return s->rank() == 0 ? Literal{Tensor::zeros(DType::Int32, {0}), false} : literal(Tensor::vector(s->toVector()));
  }
  if (isNone(a)) return invalidArgument("None values not supported.");
  return typeError("Failed to convert object to Tensor. Consider casting elements to a supported type.");
}

Result<Tensor> literalValue(const Literal& l, DType type) {
  const Tensor& t = l.value;
  if (type == DType::Invalid) {
    if (!l.loose) return t;
    if (t.dtype() == DType::Double) return converted(t, DType::Float);
    if (t.dtype() != DType::Int64) return t;
    for (int64_t i = 0; i < t.elements(); ++i) {
      if (t.at<int64_t>(i) != int32_t(t.at<int64_t>(i))) return t;
    }
    return converted(t, DType::Int32);
  }
  if (t.elements() == 0) return Tensor::zeros(type, t.shape());
  if (l.loose && !looseFits(t.dtype(), type)) {
    const auto [text, kind] = elementText(t, 0);
    return typeError("Expected ", dtypeName(type), ", got ", text, " of type '", kind, "' instead.");
  }
  if ((t.dtype() == DType::String) != (type == DType::String)) return typeError("Incompatible types: ", dtypeName(type), " vs. ", dtypeName(t.dtype()));
  return converted(t, type);
}

std::optional<Tensor> knownValue(GraphBuilder& b, const Argument& a) {
  if (const auto* o = std::get_if<Output>(&a)) return b.constantValue(*o);
  if (holdsTensor(a) || isNone(a)) return std::nullopt;
  auto l = asLiteral(a);
  if (!l.ok()) return std::nullopt;
  auto t = literalValue(*l);
  return t.ok() ? std::optional(std::move(*t)) : std::nullopt;
}

ArgumentList items(const Argument& a) {
  if (const auto* list = std::get_if<ArgumentList>(&a)) return *list;
  if (const auto* list = std::get_if<std::vector<Output>>(&a)) return {list->begin(), list->end()};
  if (const auto* list = std::get_if<std::vector<int64_t>>(&a)) return {list->begin(), list->end()};
  if (const auto* l = std::get_if<Literal>(&a); l && l->value.rank() > 0) {
    ArgumentList out;
    Shape row = l->value.shape().slice(1);
    for (int64_t i = 0; i < l->value.dim(0); ++i) out.emplace_back(Literal{l->value.rows(i, i + 1).reshaped(row), l->loose});
    return out;
  }
  if (isNone(a)) return {};
  return {a};
}

DType typeOf(GraphBuilder& b, const Argument& a) {
  if (const DType t = firstTensorType(b, a); t != DType::Invalid) return t;
  auto l = asLiteral(a);
  if (!l.ok()) return DType::Invalid;
  auto t = literalValue(*l);
  return t.ok() ? t->dtype() : DType::Invalid;
}

Output toTensor(GraphBuilder& b, const Argument& a, std::string_view name, DType type, DType preferred) {
  if (!b.ok()) return {};
  Output o;
  if (const auto* given = std::get_if<Output>(&a)) {
    o = isSlices(*given) ? densified(b, *given, name.empty() ? "Const" : name) : *given;
    if (!o.valid()) {
      b.fail(invalidArgument("None values not supported."));
      return {};
    }
  } else if (const auto* v = std::get_if<VariablePtr>(&a)) {
    o = read(b, **v);
  } else if (holdsTensor(a)) {
    const DType found = firstTensorType(b, a);
    return packed(b, items(a), type == DType::Invalid ? found : type, name.empty() ? "packed" : name);
  } else {
    return literalTensor(b, a, name.empty() ? "Const" : name, type, preferred);
  }
  if (type != DType::Invalid && b.ok() && b.dtype(o) != type) {
    b.fail(
        invalidArgument("Tensor conversion requested dtype ", dtypeName(type), " for Tensor with dtype ", dtypeName(b.dtype(o)), ": '", tensorText(b, o), "'"));
    return {};
  }
  return o;
}

std::vector<Output> toTensors(GraphBuilder& b, const Argument& list, std::string_view name, DType type, DType preferred) {
  std::vector<Output> out;
  int i = 0;
  for (const Argument& item : items(list)) out.push_back(toTensor(b, item, std::string(name) + "_" + std::to_string(i++), type, preferred));
  return out;
}

Output binary(GraphBuilder& b, std::string_view scope, std::string_view op, const Argument& x, const Argument& y) {
  // An operator of a variable itself (on the left, or on the right of a number) reads it before the operator's scope is entered.
  if (const auto* v = std::get_if<VariablePtr>(&x)) return binary(b, scope, op, read(b, **v), y);
  if (const auto* v = std::get_if<VariablePtr>(&y); v && !holdsTensor(x)) return binary(b, scope, op, x, read(b, **v));
  const py::Scope inside(b, scope);
  if (holdsTensor(x)) {
    const Output left = toTensor(b, x, "x");
    const Output right = holdsTensor(y) ? toTensor(b, y, "y") : toTensor(b, y, "y", DType::Invalid, b.dtype(left));
    return b.ok() ? emit(b, op, {left, right}, {}, inside.name()) : Output{};
  }
  const Output right = toTensor(b, y, "y");
  const Output left = toTensor(b, x, "x", b.dtype(right));
  return b.ok() ? emit(b, op, {left, right}, {}, inside.name()) : Output{};
}

Output emit(GraphBuilder& b, std::string_view op, const ArgumentList& inputs, AttrMap attrs, std::string_view name) {
  return {emitNode(b, op, inputs, std::move(attrs), name), 0};
}

std::vector<Output> emitAll(GraphBuilder& b, std::string_view op, const ArgumentList& inputs, AttrMap attrs, std::string_view name) {
  return b.outputsOf(emitNode(b, op, inputs, std::move(attrs), name));
}

}  // namespace weft::api
