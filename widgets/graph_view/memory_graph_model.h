// A GraphModel stored in arrays, for tests, benchmarks and previews.
#pragma once

#include <QHash>
#include <functional>
#include <vector>

#include "graph_view/graph_model.h"

namespace weft::widgets {

/// Fill the arrays, then call `commit()`. Scopes must come after their parents.
class MemoryGraphModel : public GraphModel {
  Q_OBJECT

 public:
  struct Node {
    QString name, op, detail, device;
    int scope = -1;
    OpCategory category = OpCategory::Math;
    NodeShape shape = NodeShape::Op;
    std::optional<layout::Part> part;  ///< not set: derived from the shape
    NodeStatus status;
    double heat = -1;
    qint32 inputs = -1, outputs = -1;  ///< number of ports; -1: as many as have edges
    std::optional<QPointF> position;
    QString placed;  ///< the device that ran it; replaces `device`
  };
  struct Scope {
    QString name, summary;
    QStringList detail;
    int parent = -1;
    NodeShape shape = NodeShape::Op;
    bool layer = false;
    int repeat = 1, structure = -1;
    quint16 badges = 0;
    std::optional<QPointF> position;
  };
  struct Edge {
    EdgeEnds ends;
    QString dtype, shape, problem;
    qint64 bytes = -1, traffic = -1;
    bool crossesTasks = false;
  };

  using GraphModel::GraphModel;

  std::vector<Node> nodes;
  std::vector<Scope> scopes;
  std::vector<Edge> edges;
  std::vector<Annotation> annotations;
  bool editable = false;
  bool signedHeat = false;  ///< See isHeatSigned().
  /// Called by the view on demand; may be empty. GUI thread.
  std::function<PortInfo(Port)> portLookUp;
  std::function<bool(Port from, Port to, QString* why)> connectRule;

  int addScope(const QString& name, int parent = -1, const QStringList& detail = {}, bool layer = false);
  int addNode(const QString& name, const QString& op, int scope, OpCategory category, const QString& detail = {}, NodeShape shape = NodeShape::Op);
  int connectNodes(int from, int to, const QString& shape = {}, const QString& dtype = QStringLiteral("float32"), qint64 bytes = -1,
                   EdgeKind kind = EdgeKind::Data);
  /// Tells the views that the arrays have changed.
  void commit() { emit structureReset(); }

  int nodeCount() const override { return static_cast<int>(nodes.size()); }
  int scopeCount() const override { return static_cast<int>(scopes.size()); }
  int edgeCount() const override { return static_cast<int>(edges.size()); }
  QString nodeName(int i) const override { return at(nodes, i).name; }
  QString nodeOp(int i) const override { return at(nodes, i).op; }
  int nodeScope(int i) const override { return at(nodes, i).scope; }
  OpCategory nodeCategory(int i) const override { return at(nodes, i).category; }
  NodeShape nodeShape(int i) const override { return at(nodes, i).shape; }
  layout::Part nodePart(int i) const override { return at(nodes, i).part ? *at(nodes, i).part : GraphModel::nodePart(i); }
  QString nodeDetail(int i) const override { return at(nodes, i).detail; }
  QString nodeDevice(int i) const override { return at(nodes, i).placed.isEmpty() ? at(nodes, i).device : at(nodes, i).placed; }
  NodeStatus nodeStatus(int i) const override { return at(nodes, i).status; }
  double nodeHeat(int i) const override { return at(nodes, i).heat; }
  bool isHeatSigned() const override { return signedHeat; }
  QString scopeName(int i) const override { return at(scopes, i).name; }
  int scopeParent(int i) const override { return at(scopes, i).parent; }
  QStringList scopeDetail(int i) const override { return at(scopes, i).detail; }
  QString scopeSummary(int i) const override { return at(scopes, i).summary; }
  NodeShape scopeShape(int i) const override { return at(scopes, i).shape; }
  bool scopeIsLayer(int i) const override { return at(scopes, i).layer; }
  int scopeRepeat(int i) const override { return at(scopes, i).repeat; }
  int scopeStructure(int i) const override { return at(scopes, i).structure; }
  quint16 scopeBadges(int i) const override { return at(scopes, i).badges; }
  EdgeEnds edge(int i) const override { return at(edges, i).ends; }
  QString edgeDType(int i) const override { return at(edges, i).dtype; }
  QString edgeShape(int i) const override { return at(edges, i).shape; }
  qint64 edgeBytes(int i) const override { return at(edges, i).bytes; }
  bool edgeCrossesTasks(int i) const override { return at(edges, i).crossesTasks; }
  qint64 edgeTraffic(int i) const override { return at(edges, i).traffic; }
  QString edgeProblem(int i) const override { return at(edges, i).problem; }
  bool isEditable() const override { return editable; }
  int inputCount(int i) const override { return at(nodes, i).inputs; }
  int outputCount(int i) const override { return at(nodes, i).outputs; }
  PortInfo portInfo(Port port) const override { return portLookUp ? portLookUp(port) : PortInfo{}; }
  bool canConnect(Port from, Port to, QString* why) const override { return !connectRule || connectRule(from, to, why); }
  std::optional<QPointF> position(Item item) const override {
    return item.isNode() ? at(nodes, item.index).position : item.isScope() ? at(scopes, item.index).position : std::nullopt;
  }
  int annotationCount() const override { return static_cast<int>(annotations.size()); }
  Annotation annotation(int i) const override { return at(annotations, i); }
  std::shared_ptr<const GraphModel> snapshot() const override;

 private:
  template <typename T>
  static const T& at(const std::vector<T>& list, int i) {
    return list[static_cast<size_t>(i)];
  }
};

/// The LeNet of the screenshots: layers as scopes, variables, loss, training.
void fillLenet(MemoryGraphModel& model);
/// A synthetic network of about `nodes` nodes: towers of residual blocks in three levels of scopes, a gradient scope that mirrors them, savers and summaries.
/// Deterministic.
void fillMadeNetwork(MemoryGraphModel& model, int nodes);
/// `nodes` nodes in one flat scope with random acyclic connections.
void fillFlat(MemoryGraphModel& model, int nodes, unsigned seed = 1);

}  // namespace weft::widgets
