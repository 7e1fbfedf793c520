#include "graph/constant_folding.h"

#include <algorithm>
#include <cmath>

#include "graph/small_ints.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

/// Checked access to a node's operands. Files may be wrong about a node's inputs; anything missing counts as unknown.
class Operands {
 public:
  using Lookup = std::function<const Tensor*(Output)>;
  Operands(const Graph& graph, const Node& node, int index, Lookup lookup) : node(node), index(index), graph_(graph), lookup_(std::move(lookup)) {}

  int count() const { return int(node.inputs.size()); }
  const Tensor* tensor(int i) const { return i >= 0 && i < count() ? lookup_(node.inputs[size_t(i)]) : nullptr; }
  std::optional<SmallInts> ints(int i) const {
    const Tensor* t = tensor(i);
    return t ? SmallInts::of(*t) : std::nullopt;
  }
  Shape shape(int i) const { return i >= 0 && i < count() ? shapeOf(graph_, node.inputs[size_t(i)]) : Shape::unknown(); }
  Shape ownShape() const { return shapeOf(graph_, {node.id, index}); }
  DType type() const { return index >= 0 && index < int(node.outputTypes.size()) ? baseType(node.outputTypes[size_t(index)]) : DType::Invalid; }

  static Shape shapeOf(const Graph& graph, Output o) {
    const Node* n = graph.node(o.node);
    return n && o.index >= 0 && o.index < int(n->outputShapes.size()) ? n->outputShapes[size_t(o.index)] : Shape::unknown();
  }

  const Node& node;
  const int index;

 private:
  const Graph& graph_;
  Lookup lookup_;
};

using Ints = std::optional<SmallInts>;
using Rule = Ints (*)(const Operands&);

// One index per dimension of a StridedSlice on a vector: [begin:end:stride], or one element if it shrinks.
std::optional<std::vector<int64_t>> slicedPositions(const Node& n, int64_t size, const SmallInts& begin, const SmallInts& end, const SmallInts& stride,
                                                    bool* shrinks) {
  const auto first = begin.only(), last = end.only(), step = stride.only();
  if (!first || !last || !step || *step == 0 || size > SmallInts::kMostElements) return std::nullopt;
  if (n.attrs.integer("ellipsis_mask") || n.attrs.integer("new_axis_mask")) return std::nullopt;
  *shrinks = n.attrs.integer("shrink_axis_mask") & 1;
  int64_t b = *first < 0 ? *first + size : *first;
  if (*shrinks) {
    if (b < 0 || b >= size) return std::nullopt;
    return std::vector<int64_t>{b};
  }
  int64_t e = *last < 0 ? *last + size : *last;
  const int64_t low = *step > 0 ? 0 : -1, high = *step > 0 ? size : size - 1;
  b = n.attrs.integer("begin_mask") & 1 ? (*step > 0 ? low : high) : std::clamp(b, low, high);
  e = n.attrs.integer("end_mask") & 1 ? (*step > 0 ? high : low) : std::clamp(e, low, high);
  const int64_t stepped = std::clamp(*step, -size - 1, size + 1);  // larger steps leave the vector just as well
  std::vector<int64_t> out;
  for (int64_t i = b; stepped > 0 ? i < e : i > e; i += stepped) out.push_back(i);
  return out;
}

Ints shapeOfInput(const Operands& in) {
  const Shape s = in.shape(in.index);
  return s.isFullyKnown() ? SmallInts::vector(s.toVector()) : std::nullopt;
}

Ints rankOfInput(const Operands& in) { return in.shape(0).hasRank() ? SmallInts::scalar(in.shape(0).rank()) : std::nullopt; }

Ints sizeOfInput(const Operands& in) {
  const int64_t n = in.shape(0).elements();
  return n >= 0 ? SmallInts::scalar(n) : std::nullopt;
}

Ints cast(const Operands& in) {
  const Tensor* t = in.tensor(0);
  if (!t || !isFloating(t->dtype())) return t ? SmallInts::of(*t) : std::nullopt;
  if (t->elements() > SmallInts::kMostElements) return std::nullopt;
  std::vector<int64_t> out;
  for (int64_t i = 0; i < t->elements(); ++i) {
    const double d = t->asDouble(i);
    if (!(std::abs(d) < 2147483648.0)) return std::nullopt;  // the conversion of other values depends on the processor
    out.push_back(in.type() == DType::Bool ? d != 0 : int64_t(d));
  }
  return SmallInts::make(std::move(out), t->shape());
}

Ints arithmetic(const SmallOp& op, const Operands& in) {
  const Ints a = in.ints(0), b = a && !op.unary ? in.ints(1) : std::nullopt;
  if (op.unary) return a ? applied(op.unary, *a) : std::nullopt;
  if (op.binary) return b ? applied(op.binary, *a, *b) : std::nullopt;
  return b ? reduced(op, *a, *b, in.node.attrs.flag("keep_dims")) : std::nullopt;
}

Ints reshaped(const Operands& in) {
  const Ints a = in.ints(0);
  return a ? SmallInts::make({a->begin(), a->end()}, in.ownShape()) : std::nullopt;
}

Ints pack(const Operands& in) {
  if (in.node.attrs.integer("axis") != 0) return std::nullopt;
  std::vector<int64_t> out;
  Shape shape{int64_t(in.count())};
  for (int i = 0; i < in.count(); ++i) {
    const Ints a = in.ints(i);
    if (!a || !(a->shape() == in.shape(0))) return std::nullopt;
    if (i == 0) shape.append(a->shape());
    out.insert(out.end(), a->begin(), a->end());
  }
  return SmallInts::make(std::move(out), std::move(shape));
}

/// `axis`: the input that is no part of the result.
Ints joined(const Operands& in, int axis) {
  const Ints along = in.ints(axis);
  if (!along || !along->only()) return std::nullopt;
  std::vector<int64_t> out;
  for (int i = 0; i < in.count(); ++i) {
    if (i == axis) continue;
    const Ints a = in.ints(i);
    if (!a || a->rank() != 1 || out.size() > size_t(SmallInts::kMostElements)) return std::nullopt;
    out.insert(out.end(), a->begin(), a->end());
  }
  return SmallInts::vector(std::move(out));
}

Ints concat(const Operands& in) { return joined(in, 0); }
Ints concatV2(const Operands& in) { return joined(in, in.count() - 1); }

Ints slice(const Operands& in) {
  const Ints a = in.ints(0), begin = a ? in.ints(1) : std::nullopt, size = begin ? in.ints(2) : std::nullopt;
  return size ? sliced(*a, *begin, *size) : std::nullopt;
}

Ints stridedSlice(const Operands& in) {
  const Ints a = in.ints(0);
  if (!a || a->rank() != 1) return std::nullopt;
  const Ints begin = in.ints(1), end = begin ? in.ints(2) : std::nullopt, stride = end ? in.ints(3) : std::nullopt;
  if (!stride) return std::nullopt;
  bool shrinks = false;
  const auto positions = slicedPositions(in.node, a->size(), *begin, *end, *stride, &shrinks);
  if (!positions) return std::nullopt;
  std::vector<int64_t> out;
  for (const int64_t p : *positions) {
    const auto v = a->at(p);
    if (!v) return std::nullopt;
    out.push_back(*v);
  }
  return shrinks ? SmallInts::make(std::move(out), Shape{}) : SmallInts::vector(std::move(out));
}

Ints range(const Operands& in) {
  const Ints a = in.ints(0), b = a ? in.ints(1) : std::nullopt, d = b ? in.ints(2) : std::nullopt;
  return d ? rangeOf(*a, *b, *d) : std::nullopt;
}

Ints fill(const Operands& in) {
  const Ints dims = in.ints(0), value = dims ? in.ints(1) : std::nullopt;
  if (!value || !value->only() || dims->rank() != 1) return std::nullopt;
  Shape shape(std::vector<int64_t>(dims->begin(), dims->end()));
  const int64_t n = shape.elements();
  if (n < 0 || n > SmallInts::kMostElements) return std::nullopt;
  return SmallInts::make(std::vector<int64_t>(size_t(n), *value->only()), std::move(shape));
}

Ints select(const Operands& in) {
  const Ints c = in.ints(0), a = c ? in.ints(1) : std::nullopt, b = a ? in.ints(2) : std::nullopt;
  if (!b) return std::nullopt;
  std::vector<int64_t> out;
  for (int64_t i = 0; i < a->size(); ++i) {
    const auto which = c->spread(i), value = which ? (*which ? a->at(i) : b->at(i)) : std::nullopt;
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return SmallInts::make(std::move(out), a->shape());
}

Ints gather(const Operands& in) {
  const Ints a = in.ints(0), at = a ? in.ints(1) : std::nullopt;
  if (!at || a->rank() != 1) return std::nullopt;
  std::vector<int64_t> out;
  for (const int64_t i : *at) {
    const auto v = a->at(i);
    if (!v) return std::nullopt;
    out.push_back(*v);
  }
  return SmallInts::make(std::move(out), at->shape());
}

Ints dynamicStitch(const Operands& in) {
  const int half = in.count() / 2;
  std::vector<int64_t> out;
  for (int i = 0; i < half; ++i) {
    const Ints at = in.ints(i), values = at ? in.ints(half + i) : std::nullopt;
    if (!values || values->size() != at->size()) return std::nullopt;
    for (int64_t k = 0; k < at->size(); ++k) {
      const auto to = at->at(k), value = values->at(k);
      if (!to || !value || *to < 0 || *to >= SmallInts::kMostElements) return std::nullopt;
      if (int64_t(out.size()) <= *to) out.resize(size_t(*to) + 1, 0);
      out[size_t(*to)] = *value;
    }
  }
  return SmallInts::vector(std::move(out));
}

Ints listDiff(const Operands& in) {
  const Ints a = in.ints(0), b = a ? in.ints(1) : std::nullopt;
  if (!b || in.tensor(0)->dtype() == DType::Bool) return std::nullopt;  // there is no kernel for bool
  std::vector<int64_t> out;
  int64_t i = 0;
  for (const int64_t v : *a) {
    if (!b->contains(v)) out.push_back(in.index == 0 ? v : i);
    ++i;
  }
  return SmallInts::vector(std::move(out));
}

Ints invertPermutation(const Operands& in) {
  const Ints a = in.ints(0);
  return a ? inverse(*a) : std::nullopt;
}

Ints concatOffset(const Operands& in) {
  const Ints axis = in.ints(0);
  if (!axis || !axis->only()) return std::nullopt;
  int64_t sum = 0;
  for (int i = 0; i <= in.index; ++i) {
    const Ints s = in.ints(1 + i);
    if (!s) return std::nullopt;
    const int64_t k = *axis->only() < 0 ? *axis->only() + s->size() : *axis->only();
    const auto size = s->at(k), next = size ? smallSum(sum, *size) : std::nullopt;
    if (!next) return std::nullopt;
    if (i == in.index) {
      std::vector<int64_t> out(size_t(s->size()), 0);
      out[size_t(k)] = sum;
      return SmallInts::make(std::move(out), s->shape());
    }
    sum = *next;
  }
  return std::nullopt;
}

/// As the kernel: equal shapes have no axes to sum over, not even those of length 1; incompatible shapes have no value.
Ints broadcastGradientArgs(const Operands& in) {
  const Ints a = in.ints(0), b = a ? in.ints(1) : std::nullopt;
  if (!b) return std::nullopt;
  if (std::equal(a->begin(), a->end(), b->begin(), b->end())) return SmallInts::vector({});
  const int64_t rank = std::max(a->size(), b->size());
  std::vector<int64_t> out;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t da = a->at(i - (rank - a->size())).value_or(1), db = b->at(i - (rank - b->size())).value_or(1);
    if (da != db && da != 1 && db != 1) return std::nullopt;
    if ((in.index == 0 ? da : db) == 1) out.push_back(i);
  }
  return SmallInts::vector(std::move(out));
}

/// The elements of vector input `i`, as far as they are known.
using PartOf = std::function<Shape(int)>;
/// A vector whose elements are known in part, as a shape; nullopt where only the value can tell.
using ShapeRule = std::optional<Shape> (*)(const Operands&, const PartOf&);

std::optional<Shape> inputShape(const Operands& in, const PartOf&) { return in.shape(in.index); }

std::optional<Shape> packed(const Operands& in, const PartOf&) {
  if (in.node.attrs.integer("axis") != 0) return std::nullopt;
  Shape out;
  for (int i = 0; i < in.count(); ++i) {
    const Ints t = in.ints(i);
    const auto known = t ? t->only() : std::nullopt;
    if (!in.shape(i).isScalar() && !known) return Shape::unknown();
    out.append(std::max(known.value_or(Shape::kUnknownDim), Shape::kUnknownDim));
  }
  return out;
}

Shape joinedParts(const Operands& in, const PartOf& part, int axis) {
  Shape out;
  for (int i = 0; i < in.count(); ++i) {
    if (i == axis) continue;
    const Shape more = part(i);
    if (!more.hasRank() || out.rank() + more.rank() > Shape::kMaxRank) return Shape::unknown();
    out.append(more);
  }
  return out;
}
std::optional<Shape> concatParts(const Operands& in, const PartOf& part) { return joinedParts(in, part, 0); }
std::optional<Shape> concatV2Parts(const Operands& in, const PartOf& part) { return joinedParts(in, part, in.count() - 1); }

std::optional<Shape> slicedParts(const Operands& in, const PartOf& part) {
  const Shape from = part(0);
  if (!from.hasRank()) return std::nullopt;
  const Ints begin = in.ints(1), end = in.ints(2), stride = in.ints(3);
  if (!begin || !end || !stride) return std::nullopt;
  bool shrinks = false;
  const auto positions = slicedPositions(in.node, from.rank(), *begin, *end, *stride, &shrinks);
  if (!positions || shrinks) return std::nullopt;
  Shape out;
  for (const int64_t p : *positions) out.append(from.dim(int(p)));
  return out;
}

struct Folding {
  Rule value;
  ShapeRule shape = nullptr;
};

/// What is folded by a rule of its own; small_ints.cpp has arithmetic. Null for other ops.
const Folding* foldingOf(const std::string& op) {
  static const std::map<std::string, Folding, std::less<>> kFoldings = {
      {"Shape", {shapeOfInput, inputShape}},
      {"ShapeN", {nullptr, inputShape}},
      {"Rank", {rankOfInput}},
      {"Size", {sizeOfInput}},
      {"Cast", {cast}},
      {"Reshape", {reshaped}},
      {"ExpandDims", {reshaped}},
      {"Squeeze", {reshaped}},
      {"Pack", {pack, packed}},
      {"ConcatV2", {concatV2, concatV2Parts}},
      {"Concat", {concat, concatParts}},
      {"Slice", {slice}},
      {"StridedSlice", {stridedSlice, slicedParts}},
      {"Range", {range}},
      {"Fill", {fill}},
      {"Select", {select}},
      {"GatherV2", {gather}},
      {"Gather", {gather}},
      {"DynamicStitch", {dynamicStitch}},
      {"ListDiff", {listDiff}},
      {"InvertPermutation", {invertPermutation}},
      {"ConcatOffset", {concatOffset}},
      {"BroadcastGradientArgs", {broadcastGradientArgs}},
  };
  const auto it = kFoldings.find(op);
  return it == kFoldings.end() ? nullptr : &it->second;
}

/// Whether the value that goes in comes out; not of what TensorFlow never folds (GuaranteeConst).
bool passesOn(const Node& n) { return (roleOf(n) == OpRole::Identity || roleOf(n) == OpRole::Copy) && !any(effectsOf(n) & ~Effect::Check); }

}  // namespace

const Tensor* ConstantFolder::value(Output o) {
  unfoldable_.clear();
  return fold(o, 0);
}

const Tensor* ConstantFolder::fold(Output o, int depth) {
  const Node* n = graph_.node(o.node);
  if (!n || depth > kDeepestFolding || o.index < 0 || o.index >= int(n->outputTypes.size())) return nullptr;
  if (isConstant(*n)) {
    const Attr* a = n->attrs.find("value");
    const Tensor* t = a ? a->get<Tensor>() : nullptr;
    // A file may declare another type than the value's; readers rely on the declared one.
    return t && t->hasValue() && t->dtype() == baseType(n->outputTypes[size_t(o.index)]) ? t : nullptr;
  }
  if (const auto it = known_.find(o); it != known_.end()) return &it->second;
  if (unfoldable_.contains(o)) return nullptr;
  std::optional<Tensor> t = compute(*n, o.index, depth);
  if (!t || !t->hasValue() || !agrees(*n, o.index, *t, depth)) {
    unfoldable_.insert(o);
    return nullptr;
  }
  return &known_.emplace(o, std::move(*t)).first->second;
}

// The shape function alone decides whether a node's inputs fit and which shape the value has.
bool ConstantFolder::agrees(const Node& n, int index, const Tensor& value, int depth) {
  auto [it, fresh] = sound_.try_emplace(n.id, false);
  if (fresh) {
    const auto input = [&](int i) -> const Tensor* { return i >= 0 && i < int(n.inputs.size()) ? fold(n.inputs[size_t(i)], depth + 1) : nullptr; };
    std::vector<Shape> shapes;
    for (const Output o : n.inputs) shapes.push_back(Operands::shapeOf(graph_, o));
    const bool fits = inferShapes(n, shapes, input).ok();
    it = sound_.insert_or_assign(n.id, fits).first;
  }
  return it->second && value.shape().compatibleWith(Operands::shapeOf(graph_, {n.id, index}));
}

// RULE static_value.small_ints
//   pattern      op(c1, .., cn) in a graph that is being built or opened; ci integers or bools of at most SmallInts::kMostElements elements
//   condition    the op is listed above; it has a kernel for its types; its shape function accepts its inputs; the value fits the result's type, and its shape
//                the
//                known shape
//   replacement  none: the value is used to derive shapes and gradients. It equals the kernel's result
std::optional<Tensor> ConstantFolder::compute(const Node& n, int index, int depth) {
  const Operands in(graph_, n, index, [this, depth](Output o) { return fold(o, depth + 1); });
  if (passesOn(n)) {
    const Tensor* t = in.tensor(0);
    return t && t->dtype() == in.type() ? std::optional(*t) : std::nullopt;
  }
  if (in.count() == 0 || !SmallInts::holds(in.type())) return std::nullopt;
  const Folding* folding = foldingOf(n.op);
  const SmallOp* op = folding ? nullptr : smallOp(n.op);
  const Ints out = op ? arithmetic(*op, in) : folding && folding->value ? folding->value(in) : std::nullopt;
  return out ? out->tensor(in.type()) : std::nullopt;
}

Shape ConstantFolder::asShape(Output o) {
  unfoldable_.clear();
  return asShape(o, 0);
}

// Follows TensorFlow's rules exactly, so that static shapes, and all that graph builders derive from them, are the same.
Shape ConstantFolder::asShape(Output o, int depth) {
  const Node* n = graph_.node(o.node);
  if (!n || depth > kDeepestFolding || o.index < 0 || o.index >= int(n->outputShapes.size())) return Shape::unknown();
  if (const auto it = sound_.find(n->id); it != sound_.end() && !it->second) return Shape::unknown();
  const Shape& own = n->outputShapes[size_t(o.index)];
  if (own.hasRank() && own.rank() != 1) return Shape::unknown();
  if (own.hasRank() && own.dim(0) == 0) return Shape{};
  if (own.hasRank() && own.dim(0) > Shape::kMaxRank) return Shape::unknown();  // beyond the maximum rank
  const Operands in(graph_, *n, o.index, [this, depth](Output from) { return fold(from, depth + 1); });
  const auto part = [&](int i) { return i >= 0 && i < in.count() ? asShape(n->inputs[size_t(i)], depth + 1) : Shape::unknown(); };
  if (const Folding* folding = foldingOf(n->op); folding && folding->shape)
    if (auto shape = folding->shape(in, part)) return *std::move(shape);
  if (const Tensor* t = fold(o, depth + 1); t && t->rank() == 1) {
    if (const Ints values = SmallInts::of(*t)) {
      Shape out;
      for (const int64_t d : *values) out.append(std::max<int64_t>(d, Shape::kUnknownDim));
      return out;
    }
  }
  return own.hasRank() && own.dim(0) >= 0 ? Shape::unknownOfRank(int(own.dim(0))) : Shape::unknown();
}

// Lookups for the node's shape function. Missing inputs, and values whose type or shape differs from the declared one, count as unknown.
ShapeContext::ConstantLookup ConstantFolder::constantsOf(const Node& node) {
  return [this, &node](int i) -> const Tensor* {
    if (i < 0 || i >= int(node.inputs.size())) return nullptr;
    const Tensor* t = value(node.inputs[size_t(i)]);
    if (!t || !t->shape().compatibleWith(Operands::shapeOf(graph_, node.inputs[size_t(i)]))) return nullptr;
    return i >= int(node.inputTypes.size()) || t->dtype() == baseType(node.inputTypes[size_t(i)]) ? t : nullptr;
  };
}

ShapeContext::Lookups ConstantFolder::lookupsOf(const Node& node) {
  const auto has = [&node](int i) { return i >= 0 && i < int(node.inputs.size()); };
  return {[this, &node, has](int i) { return has(i) ? asShape(node.inputs[size_t(i)]) : Shape::unknown(); },
          [this, &node, has](int i) { return has(i) ? findHandleData(graph_, node.inputs[size_t(i)]) : std::nullopt; }};
}

}  // namespace weft
