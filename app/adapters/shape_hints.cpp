#include "adapters/shape_hints.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "adapters/engine_graph.h"
#include "weft/op_traits.h"

namespace weft::app {
namespace {

struct ShapeHints {
  Q_DECLARE_TR_FUNCTIONS(ShapeHints)
};

QString number(double value) { return QString::number(value, 'g', 4); }

/// Counts as tf.initializers does: for a convolution, kernel cells times channels.
void addFans(const Shape& shape, QVector<ShapeHint>* out) {
  if (!shape.hasRank() || !shape.isFullyKnown() || shape.rank() == 0 || shape.elements() == 0) return;
  const std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  double field = 1, in = double(dims.back()), outs = in;
  if (dims.size() > 1) {
    for (size_t d = 0; d + 2 < dims.size(); ++d) field *= double(dims[d]);
    in = double(dims[dims.size() - 2]) * field;
    outs = double(dims.back()) * field;
  }
  if (dims.size() == 1) return;  // a bias: its fans are not used
  const QString rule = dims.size() == 2 ? ShapeHints::tr("rows × columns of the matrix") : ShapeHints::tr("kernel cells × channels");
  *out << ShapeHint{ShapeHints::tr("Fan-in"), number(in), ShapeHints::tr("Number of values that each unit sums: %1").arg(rule)}
       << ShapeHint{ShapeHints::tr("Fan-out"), number(outs), ShapeHints::tr("Number of units that each value feeds: %1").arg(rule)}
       << ShapeHint{QStringLiteral("Glorot"), QStringLiteral("± %1").arg(number(std::sqrt(6 / (in + outs)))),
                    ShapeHints::tr("glorot_uniform_initializer samples from this range: √(6 / (fan-in + fan-out)). For tanh and sigmoid.")}
       << ShapeHint{QStringLiteral("He"), QStringLiteral("σ %1").arg(number(std::sqrt(2 / in))),
                    ShapeHints::tr("he_normal samples with this standard deviation: √(2 / fan-in). For relu.")};
}

struct Window {
  std::vector<int64_t> size, strides, dilations;
};

/// The window in the two spatial dims; false where the op has none or the shapes are unknown.
bool windowOf(const Graph& graph, const Node& node, bool channelsFirst, Window* window) {
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
  if (node.op != "Conv2D" && node.op != "DepthwiseConv2dNative") return false;
  if (node.inputs.size() < 2) return false;
  const Shape kernel = graph.shape(node.inputs[1]);
  if (!kernel.hasRank() || kernel.rank() != 4 || kernel.dims()[0] < 0 || kernel.dims()[1] < 0) return false;
  window->size = {kernel.dims()[0], kernel.dims()[1]};
  return true;
}

void addPadding(const Graph& graph, const Node& node, QVector<ShapeHint>* out) {
  if (node.inputs.empty()) return;
  const Attr *format = node.attrs.find("data_format"), *padding = node.attrs.find("padding");
  const auto* formatText = format ? format->get<std::string>() : nullptr;
  const auto* paddingText = padding ? padding->get<std::string>() : nullptr;
  const bool channelsFirst = formatText && *formatText == "NCHW";
  Window w;
  const Shape input = graph.shape(node.inputs[0]);
  if (!paddingText || (*paddingText != "SAME" && *paddingText != "VALID") || !windowOf(graph, node, channelsFirst, &w)) return;
  if (!input.hasRank() || input.rank() != 4) return;
  const bool same = *paddingText == "SAME";
  const QString names[] = {ShapeHints::tr("Rows"), ShapeHints::tr("Columns")};
  for (size_t d = 0; d < 2; ++d) {
    const int64_t in = input.dims()[(channelsFirst ? 2 : 1) + d], stride = w.strides[d], reach = (w.size[d] - 1) * w.dilations[d] + 1;
    if (in < 0 || stride < 1) continue;
    const int64_t outs = same ? (in + stride - 1) / stride : std::max<int64_t>(0, (in - reach + stride) / stride);
    const int64_t pad = same ? std::max<int64_t>(0, (outs - 1) * stride + reach - in) : 0,
                  lost = same ? 0 : std::max<int64_t>(0, in - ((outs - 1) * stride + reach));
    const QString value =
        same ? QStringLiteral("%1 → %2, +%3 +%4").arg(in).arg(outs).arg(pad / 2).arg(pad - pad / 2) : QStringLiteral("%1 → %2").arg(in).arg(outs);
    const QString tip =
        same ? ShapeHints::tr("SAME: %1 / %2, rounded up. %3 zeros are added before and %4 after.").arg(in).arg(stride).arg(pad / 2).arg(pad - pad / 2)
             : ShapeHints::tr("VALID: (%1 − %2) / %3, rounded down, plus 1. The last %n are ignored.", nullptr, int(lost)).arg(in).arg(reach).arg(stride);
    *out << ShapeHint{names[d], value, tip};
  }
}

/// Hints for a transposed convolution. It is the gradient of a convolution from its output to its input, so sizes are computed from output to input.
void addTransposed(const Graph& graph, const Node& node, QVector<ShapeHint>* out) {
  if (node.inputs.size() < 3 || node.outputTypes.empty()) return;
  const Attr *format = node.attrs.find("data_format"), *padding = node.attrs.find("padding");
  const auto* formatText = format ? format->get<std::string>() : nullptr;
  const auto* paddingText = padding ? padding->get<std::string>() : nullptr;
  const bool channelsFirst = formatText && *formatText == "NCHW";
  const size_t first = channelsFirst ? 2 : 1;
  const Shape kernel = graph.shape(node.inputs[1]), input = graph.shape(node.inputs[2]), output = graph.shape(Output{node.id, 0});
  const std::vector<int64_t> strides = node.attrs.integers("strides");
  if (!paddingText || strides.size() != 4 || !kernel.hasRank() || kernel.rank() != 4 || !input.hasRank() || input.rank() != 4) return;
  const bool same = *paddingText == "SAME";
  const QString names[] = {ShapeHints::tr("Rows"), ShapeHints::tr("Columns")};
  bool uneven = false;
  for (size_t d = 0; d < 2; ++d) {
    const int64_t in = input.dims()[first + d], stride = strides[first + d], reach = kernel.dims()[d];
    if (in < 0 || stride < 1 || reach < 1) continue;
    const int64_t least = same ? (in - 1) * stride + 1 : (in - 1) * stride + reach, most = same ? in * stride : in * stride + reach - 1;
    const int64_t asked = output.hasRank() && output.rank() == 4 ? output.dims()[first + d] : -1;
    const QString range = least == most ? QString::number(most) : QStringLiteral("%1…%2").arg(least).arg(most);
    uneven = uneven || reach % stride != 0;
    *out << ShapeHint{names[d], asked >= 0 ? QStringLiteral("%1 → %2 of %3").arg(in).arg(asked).arg(range) : QStringLiteral("%1 → %2").arg(in).arg(range),
                      ShapeHints::tr("A transposed convolution: output_shape can be any size that a convolution with stride %1 and %2 padding maps to %3: %4.")
                          .arg(stride)
                          .arg(text(*paddingText))
                          .arg(in)
                          .arg(range)};
  }
  if (uneven)
    *out << ShapeHint{
        ShapeHints::tr("Overlap"), ShapeHints::tr("uneven"),
        ShapeHints::tr(
            "The kernel size is not a multiple of the stride: neighbouring outputs sum different numbers of values, which causes a checkerboard pattern. Use a multiple, or resize the image and apply a convolution.")};
}

}  // namespace

QVector<ShapeHint> shapeHints(const GraphContents& contents, const QString& name) {
  QVector<ShapeHint> out;
  if (!contents.engine) return out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node* node = graph.find(name.toStdString());
  if (!node) return out;
  if (isVariable(*node)) addFans(node->attrs.shape("shape"), &out);
  else if (node->op == "Conv2DBackpropInput") addTransposed(graph, *node, &out);
  else addPadding(graph, *node, &out);
  return out;
}

}  // namespace weft::app
