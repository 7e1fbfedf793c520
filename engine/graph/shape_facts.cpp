#include "weft/shape_facts.h"

#include <algorithm>
#include <cmath>

#include "weft/op_traits.h"

namespace weft {
namespace {

bool isChannelsFirst(const Node& node) {
  const Attr* format = node.attrs.find("data_format");
  const auto* name = format ? format->get<std::string>() : nullptr;
  return name && *name == "NCHW";
}

/// Whether the padding is SAME; nothing where it is neither SAME nor VALID.
std::optional<bool> isSamePadding(const Node& node) {
  const Attr* padding = node.attrs.find("padding");
  const auto* name = padding ? padding->get<std::string>() : nullptr;
  if (!name || (*name != "SAME" && *name != "VALID")) return std::nullopt;
  return *name == "SAME";
}

struct SpatialWindow {
  std::vector<int64_t> size, strides, dilations;
};

/// The window in the two spatial dims; false where the op has none or the shapes are unknown.
bool spatialWindowOf(const Graph& graph, const Node& node, bool channelsFirst, SpatialWindow* window) {
  const size_t y = channelsFirst ? 2 : 1;
  const auto take = [&](const char* name, std::vector<int64_t>* to) {
    const std::vector<int64_t> list = node.attrs.integers(name);
    if (list.size() == 4) *to = {list[y], list[y + 1]};
    return list.size() == 4;
  };
  if (!take("strides", &window->strides)) return false;
  window->dilations = {1, 1};
  take("dilations", &window->dilations);
  if (roleOf(node) == OpRole::Pooling) return take("ksize", &window->size);
  if (roleOf(node) != OpRole::Convolution || node.inputs.size() < 2) return false;
  const Shape kernel = graph.shape(node.inputs[1]);
  if (!kernel.hasRank() || kernel.rank() != 4 || kernel.dims()[0] < 0 || kernel.dims()[1] < 0) return false;
  window->size = {kernel.dims()[0], kernel.dims()[1]};
  return true;
}

}  // namespace

double WeightFans::glorotLimit() const { return std::sqrt(6 / (in + out)); }
double WeightFans::heDeviation() const { return std::sqrt(2 / in); }

std::optional<WeightFans> weightFans(const Node& variable) {
  if (!isVariable(variable)) return std::nullopt;
  const Shape shape = variable.attrs.shape("shape");
  if (!shape.hasRank() || !shape.isFullyKnown() || shape.rank() < 2 || shape.elements() == 0) return std::nullopt;
  double field = 1;
  for (int d = 0; d + 2 < shape.rank(); ++d) field *= double(shape[d]);
  return WeightFans{shape.rank(), double(shape[shape.rank() - 2]) * field, double(shape[shape.rank() - 1]) * field};
}

std::optional<WindowFacts> windowFacts(const Graph& graph, const Node& node) {
  if (node.inputs.empty()) return std::nullopt;
  const bool channelsFirst = isChannelsFirst(node);
  const auto same = isSamePadding(node);
  SpatialWindow w;
  if (!same || !spatialWindowOf(graph, node, channelsFirst, &w)) return std::nullopt;
  const Shape input = graph.shape(node.inputs[0]);
  if (!input.hasRank() || input.rank() != 4) return std::nullopt;
  WindowFacts out;
  out.same = *same;
  for (size_t d = 0; d < 2; ++d) {
    SpatialAxis a;
    a.in = input.dims()[(channelsFirst ? 2 : 1) + d];
    a.stride = w.strides[d];
    a.reach = (w.size[d] - 1) * w.dilations[d] + 1;
    if (a.in < 0 || a.stride < 1) continue;
    a.out = *same ? (a.in + a.stride - 1) / a.stride : std::max<int64_t>(0, (a.in - a.reach + a.stride) / a.stride);
    const int64_t read = (a.out - 1) * a.stride + a.reach, pad = *same ? std::max<int64_t>(0, read - a.in) : 0;
    a.padBefore = pad / 2;
    a.padAfter = pad - pad / 2;
    a.ignored = *same ? 0 : std::max<int64_t>(0, a.in - read);
    out.axes[d] = a;
  }
  return out;
}

std::optional<TransposedFacts> transposedFacts(const Graph& graph, const Node& node) {
  if (node.op != "Conv2DBackpropInput" || node.inputs.size() < 3 || node.outputTypes.empty()) return std::nullopt;
  const size_t first = isChannelsFirst(node) ? 2 : 1;
  const auto same = isSamePadding(node);
  const Shape kernel = graph.shape(node.inputs[1]), input = graph.shape(node.inputs[2]), output = graph.shape(Output{node.id, 0});
  const std::vector<int64_t> strides = node.attrs.integers("strides");
  if (!same || strides.size() != 4 || !kernel.hasRank() || kernel.rank() != 4 || !input.hasRank() || input.rank() != 4) return std::nullopt;
  TransposedFacts out;
  out.same = *same;
  for (size_t d = 0; d < 2; ++d) {
    const int64_t in = input.dims()[first + d], stride = strides[first + d], reach = kernel.dims()[d];
    if (in < 0 || stride < 1 || reach < 1) continue;
    TransposedAxis a;
    a.in = in;
    a.stride = stride;
    a.least = *same ? (in - 1) * stride + 1 : (in - 1) * stride + reach;
    a.most = *same ? in * stride : in * stride + reach - 1;
    if (output.hasRank() && output.rank() == 4) a.asked = output.dims()[first + d];
    out.uneven = out.uneven || reach % stride != 0;
    out.axes[d] = a;
  }
  return out;
}

}  // namespace weft
