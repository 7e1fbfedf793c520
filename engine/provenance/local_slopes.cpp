#include "provenance/local_slopes.h"

#include <map>

#include "weft/builder.h"
#include "weft/op_traits.h"
#include "weft/session.h"

namespace weft::provenance {
namespace {

bool hasSlope(DType type) { return type == DType::Float || type == DType::Double || type == DType::Half || type == DType::BFloat16; }

}  // namespace

Result<LocalSlopes> localSlopes(const Graph& graph, const Node& node, const std::vector<Tensor>& inputs, int output, const Shape& shape, int64_t element) {
  LocalSlopes out;
  out.perInput.resize(inputs.size());
  if (!node.record || !node.record->gradientFunction || !hasSlope(baseType(node.outputTypes[size_t(output)]))) return out;
  for (const Tensor& in : inputs)
    if (!in.hasValue()) return out;
  // The op alone in a graph, with its inputs as constants.
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
      for (int64_t i = 0; i < value.elements(); ++i)
        if (const double s = value.asDouble(i); s != 0) slopes.emplace_back(i, s);
      continue;
    }
    const Tensor& rows = values[at++];
    const Tensor& in = inputs[f.input];
    const int64_t size = in.dim(0) > 0 ? in.elements() / in.dim(0) : 0;
    std::map<int64_t, double> sums;
    for (int64_t r = 0; r < rows.elements(); ++r)
      for (int64_t i = 0; i < size; ++i)
        if (const double s = value.asDouble(r * size + i); s != 0) sums[rows.asInt(r) * size + i] += s;
    slopes.assign(sums.begin(), sums.end());
  }
  out.known = true;
  return out;
}

}  // namespace weft::provenance
