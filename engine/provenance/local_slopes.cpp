#include "provenance/local_slopes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "weft/builder.h"
#include "weft/dataset.h"
#include "weft/op_traits.h"
#include "weft/session.h"

namespace weft::provenance {
namespace {

bool hasSlope(DType type) { return type == DType::Float || type == DType::Double || type == DType::Half || type == DType::BFloat16; }

/// Ops of which only row r of some inputs matters for row r of the output: those that are costly for a whole batch.
struct ByRow {
  std::string_view ops;  ///< With a space before and after each.
  std::vector<size_t> inputs;
  int sizes = -1;  ///< The input that states the shape of the result; -1: none.
};
const ByRow* byRowOf(const Node& node) {
  static const ByRow kOps[] = {{" MatMul Conv2D Conv3D DepthwiseConv2dNative MaxPool AvgPool LRN Relu BiasAdd ", {0}},
                               {" ReluGrad ", {0, 1}},
                               {" MaxPoolGrad ", {0, 1, 2}},
                               {" Conv2DBackpropInput DepthwiseConv2dNativeBackpropInput ", {2}, 0}};
  if (node.attrs.flag("transpose_a")) return nullptr;
  const std::string name = " " + node.op + " ";
  const auto found = std::find_if(std::begin(kOps), std::end(kOps), [&](const ByRow& b) { return b.ops.find(name) != b.ops.npos; });
  return found == std::end(kOps) ? nullptr : found;
}

/// An op of a batch made one of a single row.
struct OneRow {
  std::vector<Tensor> inputs;
  Shape shape;  // of the output
  int64_t element = 0;
  std::vector<int64_t> firstOf;  // by input: position of the row's first element in the whole
};

/// Of row `row` = that of `element`; nothing if the op cannot be taken apart so.
std::optional<OneRow> oneRow(const Node& node, const std::vector<Tensor>& inputs, const Shape& shape, int64_t element) {
  const ByRow* byRow = byRowOf(node);
  if (!byRow || shape.rank() < 2 || shape.dim(0) < 2 || shape.elements() == 0) return std::nullopt;
  const int64_t size = shape.elements() / shape.dim(0), row = element / size;
  OneRow out{inputs, shape, element % size, std::vector<int64_t>(inputs.size(), 0)};
  out.shape.setDim(0, 1);
  for (const size_t i : byRow->inputs) {
    const Tensor& in = inputs[i];
    if (in.rank() < 1 || in.dim(0) != shape.dim(0)) return std::nullopt;
    auto taken = takeRows(in, &row, 1);
    if (!taken.ok()) return std::nullopt;
    out.inputs[i] = std::move(*taken);
    out.firstOf[i] = row * out.inputs[i].elements();
  }
  if (byRow->sizes >= 0) {
    auto sizes = inputs[size_t(byRow->sizes)].clone();
    if (!sizes.ok() || sizes->dtype() != DType::Int32 || sizes->elements() < 1 || sizes->asInt(0) != shape.dim(0)) return std::nullopt;
    sizes->mutableData<int32_t>()[0] = 1;
    out.inputs[size_t(byRow->sizes)] = std::move(*sizes);
  }
  return out;
}

/// Calls use(index, value) for all elements but 0.
template <typename Use>
void forNonZero(const Tensor& t, const Use& use) {
  const int64_t n = t.elements();
  const auto all = [&](const auto* values) {
    for (int64_t i = 0; i < n; ++i)
      if (values[i] != 0) use(i, double(values[i]));
  };
  if (t.dtype() == DType::Float) return all(t.data<float>());
  if (t.dtype() == DType::Double) return all(t.data<double>());
  for (int64_t i = 0; i < n; ++i)
    if (const double v = t.asDouble(i); v != 0) use(i, v);
}

/// Of an op alone in a graph, with its inputs as constants.
Result<LocalSlopes> slopesOfWhole(const Graph& graph, const Node& node, const std::vector<Tensor>& inputs, int output, const Shape& shape, int64_t element) {
  LocalSlopes out;
  out.perInput.resize(inputs.size());
  if (!node.record || !node.record->gradientFunction || !hasSlope(baseType(node.outputTypes[size_t(output)]))) return out;
  for (const Tensor& in : inputs)
    if (!in.hasValue()) return out;
  MetaGraph alone;
  alone.graph.functions = graph.functions;
  GraphBuilder b(alone);
  Inputs ends;
  std::vector<Output> xs;
  std::vector<size_t> inputOf;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Output in = b.constant(inputs[i]);
    ends.add(in);
    if (!hasSlope(inputs[i].dtype())) continue;
    xs.push_back(in);
    inputOf.push_back(i);
  }
  AttrMap attrs = node.attrs;
  attrs.erase("_class");
  const int id = b.node(node.op, ends, std::move(attrs), "op");
  if (!b.ok() || xs.empty()) return out;
  Tensor one = Tensor::zeros(baseType(node.outputTypes[size_t(output)]), shape);
  switch (one.dtype()) {
    case DType::Float: one.mutableData<float>()[element] = 1; break;
    case DType::Double: one.mutableData<double>()[element] = 1; break;
    default: static_cast<uint16_t*>(one.mutableRaw())[element] = one.dtype() == DType::Half ? 0x3C00 : 0x3F80;
  }
  GradientsOptions options;
  options.gradYs = {b.constant(one, "grad")};
  const auto gradients = addGradients(b, {{id, output}}, xs, options);
  if (!gradients.ok() || !b.ok()) return out;  // no gradient for this kind of its attributes
  std::vector<std::string> fetches;
  struct Fetched {
    size_t input;
    bool sparse;
  };
  std::vector<Fetched> order;
  for (size_t i = 0; i < xs.size(); ++i) {
    const Gradient& g = (*gradients)[i];
    if (g.none()) continue;
    order.push_back({inputOf[i], g.slices.has_value()});
    if (g.slices) {
      fetches.push_back(alone.graph.tensorName(g.slices->values));
      fetches.push_back(alone.graph.tensorName(g.slices->indices));
    } else {
      fetches.push_back(alone.graph.tensorName(g.dense));
    }
  }
  if (fetches.empty()) return out;
  SessionOptions quick;
  quick.disabledPasses = {"all"};
  WEFT_LET(const auto session, Session::create(alone.graph, quick));
  WEFT_LET(const auto values, session->run({}, fetches));
  size_t at = 0;
  for (const Fetched& f : order) {
    auto& slopes = out.perInput[f.input];
    const Tensor& value = values[at++];
    if (!f.sparse) {
      forNonZero(value, [&](int64_t i, double s) { slopes.emplace_back(i, s); });
      continue;
    }
    const Tensor& rows = values[at++];
    const Tensor& in = inputs[f.input];
    const int64_t size = in.dim(0) > 0 ? in.elements() / in.dim(0) : 0;
    std::map<int64_t, double> sums;
    if (size > 0) forNonZero(value, [&](int64_t i, double s) { sums[rows.asInt(i / size) * size + i % size] += s; });
    slopes.assign(sums.begin(), sums.end());
  }
  out.known = true;
  return out;
}

}  // namespace

Result<LocalSlopes> localSlopes(const Graph& graph, const Node& node, const std::vector<Tensor>& inputs, int output, const Shape& shape, int64_t element) {
  for (const Tensor& in : inputs)
    if (!in.hasValue()) return slopesOfWhole(graph, node, inputs, output, shape, element);
  const auto one = oneRow(node, inputs, shape, element);
  if (!one) return slopesOfWhole(graph, node, inputs, output, shape, element);
  WEFT_LET(LocalSlopes out, slopesOfWhole(graph, node, one->inputs, output, one->shape, one->element));
  for (size_t i = 0; i < out.perInput.size(); ++i)
    for (auto& [at, slope] : out.perInput[i]) at += one->firstOf[i];
  return out;
}

}  // namespace weft::provenance
