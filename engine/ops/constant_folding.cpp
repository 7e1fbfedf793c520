#include "ops/constant_folding.h"

#include <algorithm>
#include <functional>

namespace weft {
namespace {

constexpr int64_t kMostElements = 4096;  // shapes and index lists are small; what is larger is no shape
constexpr int kDeepest = 200;

bool isInt(DType t) { return t == DType::Int32 || t == DType::Int64 || t == DType::Bool; }

// Small integer tensors are computed as vectors of int64_t.
struct Ints {
  std::vector<int64_t> v;
  Shape shape;
  DType dtype = DType::Int32;
};

std::optional<Ints> intsOf(const Tensor& t) {
  if (!isInt(t.dtype()) || t.elements() > kMostElements) return std::nullopt;
  Ints out{{}, t.shape(), t.dtype()};
  out.v.reserve(size_t(t.elements()));
  for (int64_t i = 0; i < t.elements(); ++i) out.v.push_back(t.asInt(i));
  return out;
}

std::optional<Tensor> tensorOf(const Ints& ints) {
  if (ints.shape.elements() != int64_t(ints.v.size())) return std::nullopt;
  Tensor t = Tensor::zeros(ints.dtype, ints.shape);
  for (size_t i = 0; i < ints.v.size(); ++i) {
    if (ints.dtype == DType::Int32) t.mutableData<int32_t>()[i] = int32_t(ints.v[i]);
    else if (ints.dtype == DType::Int64) t.mutableData<int64_t>()[i] = ints.v[i];
    else t.mutableData<bool>()[i] = ints.v[i] != 0;
  }
  return t;
}

int64_t floorDiv(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

using Binary = std::optional<int64_t> (*)(int64_t, int64_t);
Binary binaryOf(const std::string& op) {
  static const std::map<std::string, Binary> kOps = {
      {"Add", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a + b; }},
      {"AddV2", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a + b; }},
      {"Sub", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a - b; }},
      {"Mul", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a * b; }},
      {"Maximum", [](int64_t a, int64_t b) -> std::optional<int64_t> { return std::max(a, b); }},
      {"Minimum", [](int64_t a, int64_t b) -> std::optional<int64_t> { return std::min(a, b); }},
      {"FloorDiv", [](int64_t a, int64_t b) -> std::optional<int64_t> { return b ? std::optional(floorDiv(a, b)) : std::nullopt; }},
      {"RealDiv", [](int64_t a, int64_t b) -> std::optional<int64_t> { return b ? std::optional(a / b) : std::nullopt; }},
      {"Div", [](int64_t a, int64_t b) -> std::optional<int64_t> { return b ? std::optional(a / b) : std::nullopt; }},
      {"TruncateDiv", [](int64_t a, int64_t b) -> std::optional<int64_t> { return b ? std::optional(a / b) : std::nullopt; }},
      {"FloorMod", [](int64_t a, int64_t b) -> std::optional<int64_t> { return b ? std::optional(a - floorDiv(a, b) * b) : std::nullopt; }},
      {"Equal", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a == b; }},
      {"NotEqual", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a != b; }},
      {"Less", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a < b; }},
      {"LessEqual", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a <= b; }},
      {"Greater", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a > b; }},
      {"GreaterEqual", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a >= b; }},
      {"LogicalAnd", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a && b; }},
      {"LogicalOr", [](int64_t a, int64_t b) -> std::optional<int64_t> { return a || b; }},
  };
  const auto it = kOps.find(op);
  return it == kOps.end() ? nullptr : it->second;
}

// Scalars and equal shapes only: shape arithmetic needs no more.
std::optional<Ints> applied(Binary f, const Ints& a, const Ints& b, DType type) {
  const bool scalarA = a.v.size() == 1 && a.shape.rank() == 0, scalarB = b.v.size() == 1 && b.shape.rank() == 0;
  const bool oneA = a.v.size() == 1 && a.shape.rank() <= b.shape.rank(), oneB = b.v.size() == 1 && b.shape.rank() <= a.shape.rank();
  if (!(a.shape == b.shape) && !scalarA && !scalarB && !oneA && !oneB) return std::nullopt;
  const bool spreadA = scalarA || (oneA && !(a.shape == b.shape)), spreadB = scalarB || (oneB && !(a.shape == b.shape));
  Ints out{{}, spreadA && !(spreadB && a.shape.rank() > b.shape.rank()) ? b.shape : a.shape, type};
  const size_t n = size_t(out.shape.elements());
  for (size_t i = 0; i < n; ++i) {
    const auto r = f(a.v[spreadA ? 0 : i], b.v[spreadB ? 0 : i]);
    if (!r) return std::nullopt;
    out.v.push_back(*r);
  }
  return out;
}

// One index per dimension of a StridedSlice on a vector: [begin:end:stride], or one element if it shrinks.
std::optional<std::vector<int64_t>> slicedPositions(const Node& n, int64_t size, const Ints& begin, const Ints& end, const Ints& stride, bool* shrinks) {
  if (begin.v.size() != 1 || end.v.size() != 1 || stride.v.size() != 1 || stride.v[0] == 0) return std::nullopt;
  if (n.attrs.integer("ellipsis_mask") || n.attrs.integer("new_axis_mask")) return std::nullopt;
  const int64_t step = stride.v[0];
  *shrinks = n.attrs.integer("shrink_axis_mask") & 1;
  int64_t b = begin.v[0] < 0 ? begin.v[0] + size : begin.v[0];
  if (*shrinks) {
    if (b < 0 || b >= size) return std::nullopt;
    return std::vector<int64_t>{b};
  }
  int64_t e = end.v[0] < 0 ? end.v[0] + size : end.v[0];
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  b = n.attrs.integer("begin_mask") & 1 ? (step > 0 ? low : high) : std::clamp(b, low, high);
  e = n.attrs.integer("end_mask") & 1 ? (step > 0 ? high : low) : std::clamp(e, low, high);
  std::vector<int64_t> out;
  for (int64_t i = b; step > 0 ? i < e : i > e; i += step) out.push_back(i);
  return out;
}

Tensor shapeTensor(const Shape& s, DType type) { return *tensorOf(Ints{s.toVector(), Shape{s.rank()}, type}); }

}  // namespace

const Tensor* ConstantFolder::value(Output o) {
  hopeless_.clear();
  return fold(o, 0);
}

const Tensor* ConstantFolder::fold(Output o, int depth) {
  const Node* n = graph_.node(o.node);
  if (!n || depth > kDeepest) return nullptr;
  if (n->op == "Const") {
    const Attr* a = n->attrs.find("value");
    return a ? a->get<Tensor>() : nullptr;
  }
  if (const auto it = known_.find(o); it != known_.end()) return &it->second;
  if (hopeless_.contains(o)) return nullptr;
  std::optional<Tensor> t = compute(*n, o.index, depth);
  if (!t || !t->hasValue()) {
    hopeless_.insert(o);
    return nullptr;
  }
  return &known_.emplace(o, std::move(*t)).first->second;
}

std::optional<Tensor> ConstantFolder::compute(const Node& n, int index, int depth) {
  const auto shapeOf = [&](int i) -> const Shape& { return graph_.shape(n.inputs[i]); };
  const auto outType = [&] { return index < int(n.outputTypes.size()) ? baseType(n.outputTypes[index]) : DType::Int32; };
  const auto ints = [&](int i) -> std::optional<Ints> {
    const Tensor* t = fold(n.inputs[i], depth + 1);
    return t ? intsOf(*t) : std::nullopt;
  };
  const std::string& op = n.op;
  if (n.inputs.empty() || n.outputTypes.empty()) return std::nullopt;

  if (op == "Shape") {
    const Shape& s = shapeOf(index);
    return s.isFullyKnown() ? std::optional(shapeTensor(s, outType())) : std::nullopt;
  }
  if (op == "Rank") return shapeOf(0).hasRank() ? std::optional(Tensor::scalar(int32_t(shapeOf(0).rank()))) : std::nullopt;
  if (op == "Size") {
    return shapeOf(0).elements() >= 0 ? tensorOf(Ints{{shapeOf(0).elements()}, {}, outType()}) : std::nullopt;
  }
  if (op == "Identity" || op == "StopGradient" || op == "PreventGradient" || op == "Snapshot") {
    const Tensor* t = fold(n.inputs[0], depth + 1);
    return t ? std::optional(*t) : std::nullopt;
  }
  if (op == "Cast") {
    const Tensor* t = fold(n.inputs[0], depth + 1);
    if (!t || !isInt(outType()) || !isNumeric(t->dtype()) || isComplex(t->dtype()) || t->elements() > kMostElements) {
      if (!t || t->dtype() != DType::Bool) return std::nullopt;
    }
    Ints out{{}, t->shape(), outType()};
    for (int64_t i = 0; i < t->elements(); ++i) {
      const double d = isFloating(t->dtype()) ? t->asDouble(i) : 0;
      out.v.push_back(isFloating(t->dtype()) ? int64_t(d) : t->asInt(i));
    }
    return tensorOf(out);
  }
  if (!isInt(outType())) return std::nullopt;  // from here on integers only
  if (const Binary f = binaryOf(op); f && n.inputs.size() == 2) {
    const auto a = ints(0), b = a ? ints(1) : std::nullopt;
    if (!a || !b) return std::nullopt;
    const auto out = applied(f, *a, *b, outType());
    return out ? tensorOf(*out) : std::nullopt;
  }
  if (op == "Neg" || op == "LogicalNot" || op == "OnesLike" || op == "ZerosLike" || op == "Abs") {
    auto a = ints(0);
    if (!a) return std::nullopt;
    for (int64_t& v : a->v) v = op == "Neg" ? -v : op == "LogicalNot" ? !v : op == "OnesLike" ? 1 : op == "Abs" ? std::abs(v) : 0;
    return tensorOf(*a);
  }
  if (op == "Reshape" || op == "ExpandDims" || op == "Squeeze") {
    auto a = ints(0);
    if (!a || !graph_.shape({n.id, 0}).isFullyKnown()) return std::nullopt;
    a->shape = graph_.shape({n.id, 0});
    return tensorOf(*a);
  }
  if (op == "Pack") {
    if (n.attrs.integer("axis") != 0) return std::nullopt;
    Ints out{{}, {}, outType()};
    for (int i = 0; i < int(n.inputs.size()); ++i) {
      const auto a = ints(i);
      if (!a) return std::nullopt;
      out.shape = a->shape;
      out.v.insert(out.v.end(), a->v.begin(), a->v.end());
    }
    Shape shape{int64_t(n.inputs.size())};
    shape.append(out.shape);
    out.shape = shape;
    return tensorOf(out);
  }
  if (op == "ConcatV2" || op == "Concat") {
    const int last = int(n.inputs.size()) - 1, axisAt = op == "Concat" ? 0 : last;
    const auto axis = ints(axisAt);
    if (!axis || axis->v.size() != 1) return std::nullopt;
    Ints out{{}, {}, outType()};
    for (int i = axisAt == 0 ? 1 : 0; i <= (axisAt == 0 ? last : last - 1); ++i) {
      const auto a = ints(i);
      if (!a || a->shape.rank() != 1) return std::nullopt;
      out.v.insert(out.v.end(), a->v.begin(), a->v.end());
    }
    out.shape = Shape{int64_t(out.v.size())};
    return tensorOf(out);
  }
  if (op == "StridedSlice" || op == "Slice") {
    const auto a = ints(0);
    if (!a || a->shape.rank() != 1) return std::nullopt;
    const auto begin = ints(1), end = begin ? ints(2) : std::nullopt;
    if (!begin || !end) return std::nullopt;
    Ints out{{}, {}, outType()};
    if (op == "Slice") {
      const int64_t b = begin->v.at(0), size = end->v.at(0) < 0 ? int64_t(a->v.size()) - b : end->v[0];
      if (b < 0 || size < 0 || b + size > int64_t(a->v.size())) return std::nullopt;
      out.v.assign(a->v.begin() + b, a->v.begin() + b + size);
      out.shape = Shape{size};
      return tensorOf(out);
    }
    const auto stride = ints(3);
    if (!stride) return std::nullopt;
    bool shrinks = false;
    const auto positions = slicedPositions(n, int64_t(a->v.size()), *begin, *end, *stride, &shrinks);
    if (!positions) return std::nullopt;
    for (int64_t p : *positions) out.v.push_back(a->v[size_t(p)]);
    out.shape = shrinks ? Shape{} : Shape{int64_t(out.v.size())};
    return tensorOf(out);
  }
  if (op == "Range") {
    const auto a = ints(0), b = a ? ints(1) : std::nullopt, d = b ? ints(2) : std::nullopt;
    if (!d || d->v[0] == 0) return std::nullopt;
    Ints out{{}, {}, outType()};
    for (int64_t i = a->v[0]; d->v[0] > 0 ? i < b->v[0] : i > b->v[0]; i += d->v[0]) {
      if (int64_t(out.v.size()) >= kMostElements) return std::nullopt;
      out.v.push_back(i);
    }
    out.shape = Shape{int64_t(out.v.size())};
    return tensorOf(out);
  }
  if (op == "Fill") {
    const auto dims = ints(0), v = dims ? ints(1) : std::nullopt;
    if (!v) return std::nullopt;
    const Shape shape(dims->v);
    if (shape.elements() < 0 || shape.elements() > kMostElements) return std::nullopt;
    return tensorOf(Ints{std::vector<int64_t>(size_t(shape.elements()), v->v[0]), shape, outType()});
  }
  if (op == "Prod" || op == "Sum" || op == "Max" || op == "Min" || op == "All" || op == "Any") {
    const auto a = ints(0), axes = a ? ints(1) : std::nullopt;
    if (!axes || a->shape.rank() > 1) return std::nullopt;
    if (a->shape.rank() == 0 || axes->v.empty()) return tensorOf(*a);
    if (a->v.empty() && (op == "Max" || op == "Min")) return std::nullopt;
    int64_t r = op == "Prod" || op == "All" ? 1 : op == "Max" || op == "Min" ? a->v[0] : 0;
    for (int64_t x : a->v) {
      r = op == "Prod" ? r * x : op == "Sum" ? r + x : op == "Max" ? std::max(r, x) : op == "Min" ? std::min(r, x) : op == "All" ? (r && x) : (r || x);
    }
    return tensorOf(Ints{{r}, n.attrs.flag("keep_dims") ? Shape{1} : Shape{}, outType()});
  }
  if (op == "Select") {
    const auto c = ints(0), a = c ? ints(1) : std::nullopt, b = a ? ints(2) : std::nullopt;
    if (!b || (c->v.size() != 1 && c->v.size() != a->v.size())) return std::nullopt;
    Ints out{{}, a->shape, outType()};
    for (size_t i = 0; i < a->v.size(); ++i) out.v.push_back(c->v[c->v.size() == 1 ? 0 : i] ? a->v[i] : b->v[i]);
    return tensorOf(out);
  }
  if (op == "GatherV2" || op == "Gather") {
    const auto a = ints(0), at = a ? ints(1) : std::nullopt;
    if (!at || a->shape.rank() != 1) return std::nullopt;
    Ints out{{}, at->shape, outType()};
    for (int64_t i : at->v) {
      if (i < 0 || i >= int64_t(a->v.size())) return std::nullopt;
      out.v.push_back(a->v[size_t(i)]);
    }
    return tensorOf(out);
  }
  if (op == "DynamicStitch") {
    const int half = int(n.inputs.size()) / 2;
    std::vector<int64_t> out;
    for (int i = 0; i < half; ++i) {
      const auto at = ints(i), v = at ? ints(half + i) : std::nullopt;
      if (!v || v->v.size() != at->v.size()) return std::nullopt;
      for (size_t k = 0; k < at->v.size(); ++k) {
        if (at->v[k] < 0 || at->v[k] >= kMostElements) return std::nullopt;
        if (int64_t(out.size()) <= at->v[k]) out.resize(size_t(at->v[k]) + 1, 0);
        out[size_t(at->v[k])] = v->v[k];
      }
    }
    return tensorOf(Ints{out, Shape{int64_t(out.size())}, outType()});
  }
  if (op == "ListDiff") {
    const auto a = ints(0), b = a ? ints(1) : std::nullopt;
    if (!b) return std::nullopt;
    Ints out{{}, {}, outType()};
    for (size_t i = 0; i < a->v.size(); ++i) {
      if (std::find(b->v.begin(), b->v.end(), a->v[i]) == b->v.end()) out.v.push_back(index == 0 ? a->v[i] : int64_t(i));
    }
    out.shape = Shape{int64_t(out.v.size())};
    return tensorOf(out);
  }
  if (op == "InvertPermutation") {
    const auto a = ints(0);
    if (!a) return std::nullopt;
    Ints out{std::vector<int64_t>(a->v.size()), a->shape, outType()};
    for (size_t i = 0; i < a->v.size(); ++i) {
      if (a->v[i] < 0 || a->v[i] >= int64_t(a->v.size())) return std::nullopt;
      out.v[size_t(a->v[i])] = int64_t(i);
    }
    return tensorOf(out);
  }
  if (op == "ConcatOffset") {
    const auto axis = ints(0);
    if (!axis || axis->v.size() != 1) return std::nullopt;
    int64_t sum = 0;
    Ints out;
    for (int i = 0; i <= index; ++i) {
      const auto s = ints(1 + i);
      if (!s) return std::nullopt;
      const int64_t k = axis->v[0] < 0 ? axis->v[0] + int64_t(s->v.size()) : axis->v[0];
      if (k < 0 || k >= int64_t(s->v.size())) return std::nullopt;
      out = Ints{std::vector<int64_t>(s->v.size(), 0), s->shape, DType::Int32};
      out.v[size_t(k)] = sum;
      sum += s->v[size_t(k)];
    }
    return tensorOf(out);
  }
  if (op == "BroadcastGradientArgs" || op == "BroadcastArgs") {
    const auto a = ints(0), b = a ? ints(1) : std::nullopt;
    if (!b || op == "BroadcastArgs") return std::nullopt;
    const int rank = int(std::max(a->v.size(), b->v.size()));
    Ints out{{}, {}, outType()};
    for (int i = 0; i < rank; ++i) {
      const int ai = i - (rank - int(a->v.size())), bi = i - (rank - int(b->v.size()));
      const int64_t da = ai < 0 ? 1 : a->v[size_t(ai)], db = bi < 0 ? 1 : b->v[size_t(bi)];
      if (da == 1 && db == 1) out.v.push_back(i);
      else if ((index == 0 && da == 1) || (index == 1 && db == 1)) out.v.push_back(i);
    }
    out.shape = Shape{int64_t(out.v.size())};
    return tensorOf(out);
  }
  return std::nullopt;
}

Shape ConstantFolder::asShape(Output o) {
  hopeless_.clear();
  return asShape(o, 0);
}

// Follows TensorFlow's rules exactly, so that static shapes (and what graph builders derive from them) come out the same.
Shape ConstantFolder::asShape(Output o, int depth) {
  const Node* n = graph_.node(o.node);
  if (!n || depth > kDeepest || o.index >= int(n->outputShapes.size())) return Shape::unknown();
  const Shape& own = n->outputShapes[o.index];
  if (own.hasRank() && own.rank() > 1) return Shape::unknown();
  if (own.hasRank() && own.rank() == 0) {
    return Shape::unknown();
  }
  if (n->op == "Cast") return asShape(n->inputs[0], depth + 1);
  if (n->op == "Shape") return graph_.shape(n->inputs[o.index]);
  if (n->op == "Pack" && n->attrs.integer("axis") == 0) {
    Shape out;
    for (Output in : n->inputs) {
      const Tensor* t = fold(in, depth + 1);
      const bool known = t && t->elements() == 1 && isInt(t->dtype());
      if (!graph_.shape(in).isScalar() && !known) return Shape::unknown();
      out.append(known ? std::max<int64_t>(t->asInt(0), Shape::kUnknownDim) : Shape::kUnknownDim);
    }
    return out;
  }
  if (n->op == "ConcatV2" || n->op == "Concat") {
    Shape out;
    const bool old = n->op == "Concat";
    for (size_t i = old ? 1 : 0; i + (old ? 0 : 1) < n->inputs.size(); ++i) {
      const Shape part = asShape(n->inputs[i], depth + 1);
      if (!part.hasRank()) return Shape::unknown();
      out.append(part);
    }
    return out;
  }
  if (n->op == "StridedSlice") {
    const Shape from = asShape(n->inputs[0], depth + 1);
    bool shrinks = false;
    if (from.hasRank()) {
      const Tensor *b = fold(n->inputs[1], depth + 1), *e = fold(n->inputs[2], depth + 1), *s = fold(n->inputs[3], depth + 1);
      const auto bi = b ? intsOf(*b) : std::nullopt, ei = e ? intsOf(*e) : std::nullopt, si = s ? intsOf(*s) : std::nullopt;
      if (bi && ei && si) {
        const auto positions = slicedPositions(*n, from.rank(), *bi, *ei, *si, &shrinks);
        if (positions && !shrinks) {
          Shape out;
          for (int64_t p : *positions) out.append(from.dim(int(p)));
          return out;
        }
      }
    }
  }
  if (const Tensor* t = fold(o, depth + 1); t && t->rank() == 1 && isInt(t->dtype())) {
    Shape out;
    for (int64_t i = 0; i < t->elements(); ++i) out.append(std::max<int64_t>(t->asInt(i), Shape::kUnknownDim));
    return out;
  }
  return own.hasRank() && own.dim(0) >= 0 && own.dim(0) <= Shape::kMaxRank ? Shape::unknownOfRank(int(own.dim(0))) : Shape::unknown();
}

ShapeContext::ConstantLookup ConstantFolder::constantsOf(const Node& node) {
  return [this, &node](int i) { return value(node.inputs[i]); };
}

ShapeContext::Lookups ConstantFolder::lookupsOf(const Node& node) {
  return {[this, &node](int i) { return asShape(node.inputs[i]); }, [this, &node](int i) { return findHandleData(graph_, node.inputs[i]); }};
}

}  // namespace weft
