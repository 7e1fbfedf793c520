#include "ops/constant_folding.h"

namespace weft {
namespace {

Tensor intTensor(const std::vector<int64_t>& v, const Shape& shape, DType type) {
  Tensor t = Tensor::zeros(type, shape);
  for (size_t i = 0; i < v.size(); ++i) {
    if (type == DType::Int64) t.mutableData<int64_t>()[i] = v[i];
    else t.mutableData<int32_t>()[i] = int32_t(v[i]);
  }
  return t;
}

}  // namespace

// The set of ops is that of tensor_util.constant_value in TensorFlow 1.15: graph-building code decides by it which ops to make, so
// knowing more here would build other graphs.
std::optional<Tensor> staticValue(const Graph& graph, Output o) {
  const Node* n = graph.node(o.node);
  if (!n) return std::nullopt;
  static const char* const kOps[] = {"Const", "Shape", "Size", "Rank", "Range", "Cast", "Concat", "ConcatV2", "Pack", "Fill", "Equal", "NotEqual"};
  bool known = false;
  for (const char* op : kOps) known |= n->op == op;
  if (!known) return std::nullopt;
  if (n->op == "Const") {
    const Attr* a = n->attrs.find("value");
    const Tensor* t = a ? a->get<Tensor>() : nullptr;
    return t ? std::optional(*t) : std::nullopt;
  }
  if (n->op == "Shape" || n->op == "Size" || n->op == "Rank") {
    const Shape& s = graph.shape(n->inputs[0]);
    if (n->op == "Rank") return s.hasRank() ? std::optional(Tensor::scalar(int32_t(s.rank()))) : std::nullopt;
    if (!s.isFullyKnown()) return std::nullopt;
    const DType type = n->outputTypes[0];
    return n->op == "Size" ? intTensor({s.elements()}, {}, type) : intTensor(s.toVector(), Shape{s.rank()}, type);
  }
  // Every input must be known in the same narrow sense; the folding itself is the shape functions' one.
  const size_t first = n->op == "Fill" ? 1 : 0;
  for (size_t i = first; i < n->inputs.size(); ++i) {
    if (!staticValue(graph, n->inputs[i])) return std::nullopt;
  }
  if (n->op == "Fill") {
    const auto v = staticValue(graph, n->inputs[1]);
    const Shape& s = graph.shape({n->id, 0});
    if (!s.isFullyKnown() || sizeOf(v->dtype()) == 0 || s.elements() > (1 << 20)) return std::nullopt;
    Tensor t = Tensor::zeros(v->dtype(), s);
    const size_t width = sizeOf(v->dtype());
    for (int64_t i = 0; i < s.elements(); ++i) std::copy_n(static_cast<const char*>(v->raw()), width, static_cast<char*>(t.mutableRaw()) + size_t(i) * width);
    return t;
  }
  ConstantFolder folder(graph);
  const Tensor* t = folder.value(o);
  return t ? std::optional(*t) : std::nullopt;
}

}  // namespace weft
