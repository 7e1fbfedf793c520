#include "graph_view/layer_scopes.h"

#include <QSet>
#include <QString>

#include "graph_view/graph_model.h"

namespace weft::widgets {
namespace {

constexpr int kMostInside = 3;  // maximum layers inside a scope with weights; a scope with more is a network

/// Ops that make their scope a layer.
const QSet<QString>& layerOps() {
  static const QSet<QString> ops = {
      QStringLiteral("Conv2D"),         QStringLiteral("Conv3D"),           QStringLiteral("Conv2DBackpropInput"), QStringLiteral("Conv3DBackpropInputV2"),
      QStringLiteral("MatMul"),         QStringLiteral("BatchMatMul"),      QStringLiteral("BatchMatMulV2"),       QStringLiteral("DepthwiseConv2dNative"),
      QStringLiteral("FusedBatchNorm"), QStringLiteral("FusedBatchNormV2"), QStringLiteral("FusedBatchNormV3"),    QStringLiteral("SparseMatMul"),
      QStringLiteral("BlockLSTM"),      QStringLiteral("LSTMBlockCell"),    QStringLiteral("GRUBlockCell"),        QStringLiteral("CudnnRNN"),
      QStringLiteral("CudnnRNNV2"),     QStringLiteral("Dilation2D")};
  return ops;
}

}  // namespace

std::vector<char> layerScopes(const GraphModel& model) {
  const int scopes = model.scopeCount();
  std::vector<char> weights(static_cast<size_t>(scopes), 0), works(weights.size(), 0), layer(weights.size(), 0);
  for (int n = 0; n < model.nodeCount(); ++n) {
    int scope = model.nodeScope(n);
    if (scope < 0) continue;
    const layout::Part part = model.nodePart(n);
    if (model.nodeShape(n) == NodeShape::Variable && (part == layout::Part::Weight || part == layout::Part::Network)) {
      // A variable may lie in its initializer's scope, which has the variable's name.
      if (model.scopeShape(scope) == NodeShape::Variable || model.scopeName(scope) == model.nodeName(n)) scope = model.scopeParent(scope);
      if (scope >= 0) weights[static_cast<size_t>(scope)] = 1;
    } else if (part == layout::Part::Network && layerOps().contains(model.nodeOp(n))) {
      works[static_cast<size_t>(scope)] = 1;
    }
  }
  // From the innermost scopes outwards: the number of layers inside decides whether a scope is one itself.
  std::vector<int> inside(weights.size(), 0);
  for (int s = scopes - 1; s >= 0; --s) {
    const auto i = static_cast<size_t>(s);
    const bool is = model.scopeIsLayer(s) || (weights[i] != 0 && inside[i] <= kMostInside) || (works[i] != 0 && inside[i] == 0);
    layer[i] = is;
    if (const int above = model.scopeParent(s); above >= 0) inside[static_cast<size_t>(above)] += is ? 1 : inside[i];
  }
  // Only the outermost of nested layers counts.
  for (int s = 0; s < scopes; ++s)
    for (int above = model.scopeParent(s); above >= 0 && layer[static_cast<size_t>(s)] != 0; above = model.scopeParent(above))
      if (layer[static_cast<size_t>(above)] != 0) layer[static_cast<size_t>(s)] = 0;
  return layer;
}

}  // namespace weft::widgets
