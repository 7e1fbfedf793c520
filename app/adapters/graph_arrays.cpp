// Converts the engine's flat list of nodes to the nested scopes that the canvas draws.
//
// A GraphDef has no scopes; they are derived from the parts of the names. A node named like a scope (a variable `conv1/kernel` beside `conv1/kernel/read`) is
// put into that scope, so that the variable, its initializer and its reader open and close together.
#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <future>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "adapters/border.h"
#include "adapters/cluster_places.h"
#include "adapters/engine_graph.h"
#include "adapters/graph_defects.h"
#include "adapters/op_text.h"
#include "adapters/seen_shape.h"
#include "adapters/state_words.h"
#include "common/format.h"
#include "layout/chosen_part.h"
#include "weft/canvas_rules.h"
#include "weft/defects.h"
#include "weft/groups.h"
#include "weft/op.h"
#include "weft/recipes.h"
#include "weft/scopes.h"
#include "weft/variables.h"

namespace weft::app {
namespace {

using widgets::EdgeKind;
using widgets::MemoryGraphModel;
using widgets::NodeShape;
using widgets::OpCategory;

/// The enumerations have equal values; there are two because the layout does not depend on the engine.
layout::Part partFor(Part part) {
  static_assert(int(Part::Weight) == int(layout::Part::Weight) && int(Part::Update) == int(layout::Part::Update) &&
                int(Part::Summary) == int(layout::Part::Summary) && int(Part::Helper) == int(layout::kChosenHelper) &&
                int(Part::Helper) + 1 == layout::kAllParts);
  return layout::Part(int(part));
}

struct ScopeFacts {
  int ops = 0;
  int annotations = 0;
  qint64 parameters = 0;
  bool saves = false;
  int variable = -1;  ///< The variable named like the scope.
  int firstOp = -1;
  size_t hash = 0;
};

class Builder {
 public:
  explicit Builder(GraphContents& contents) : contents_(contents), meta_(contents.engine->loaded.meta), graph_(meta_.graph), out_(contents.arrays) {}

  void run() {
    readLayers();
    numberNodes();
    // Wires need the numbers of nodes only, and the index their names. Where there is no thread, get() does the work.
    constexpr auto kBeside = std::launch::async | std::launch::deferred;
    auto edges = std::async(kBeside, [this] { addEdges(); });
    parts_ = drawnParts(meta_);
    collectScopes();
    trainable_ = trainableVariables(meta_);
    addNodes();
    auto index = std::async(kBeside, [this] {
      out_.nodeIndex.reserve(qsizetype(out_.nodes.size()));
      for (size_t i = 0; i < out_.nodes.size(); ++i) out_.nodeIndex.insert(out_.nodes[i].name, int(i));
    });
    finishScopes();
    edges.get();
    index.get();
    for (size_t i = 0; i < out_.scopes.size(); ++i) out_.scopeIndex.insert(out_.scopes[i].name, int(i));
    contents_.summary.nodes = int(out_.nodes.size()) - missing_;
    contents_.summary.scopes = int(out_.scopes.size());
    contents_.summary.edges = int(out_.edges.size());
    const ClusterPlaces places = clusterPlaces(out_, nullptr);
    for (size_t e = 0; places.severalTasks && e < out_.edges.size(); ++e) out_.edges[e].crossesTasks = places.crossesTasks[e] != 0;
  }

 private:
  /// Collects every prefix of a node's name that ends before a slash.
  void collectScopes() {
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* node = graph_.node(id);
      if (!node || isHidden(*node)) continue;
      const std::string_view scope = shownScopeOf(node->name);
      for (size_t end = scope.size(); end != std::string_view::npos && end > 0; end = scope.rfind('/', end - 1)) {
        if (!scopeNames_.insert(scope.substr(0, end)).second) break;
      }
    }
  }

  /// Index of the scope. Creates missing scopes, outermost first; a name may have any number of slashes.
  int scopeIndex(std::string_view name) {
    int parent = -1;
    std::vector<std::string_view> missing;
    for (std::string_view rest = name; !rest.empty();) {
      if (const auto it = scopes_.find(rest); it != scopes_.end()) {
        parent = it->second;
        break;
      }
      missing.push_back(rest);
      const size_t slash = rest.rfind('/');
      rest = slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
    }
    for (auto it = missing.rbegin(); it != missing.rend(); ++it) {
      MemoryGraphModel::Scope scope;
      scope.name = text(*it);
      scope.parent = parent;
      parent = int(out_.scopes.size());
      out_.scopes.push_back(std::move(scope));
      facts_.push_back({});
      scopes_.emplace(*it, parent);
    }
    return parent;
  }

  void numberNodes() {
    indexOf_.assign(size_t(graph_.size()), -1);
    int shown = 0;
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* node = graph_.node(id); node && !isHidden(*node)) indexOf_[size_t(id)] = shown++;
  }

  void addNodes() {
    out_.nodes.reserve(size_t(graph_.nodeCount()));
    out_.nodeTips.reserve(graph_.nodeCount());
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* node = graph_.node(id);
      if (!node || indexOf_[size_t(id)] < 0) continue;
      const int index = indexOf_[size_t(id)];
      const std::string_view name = node->name;
      const bool namesScope = scopeNames_.count(name) > 0;
      const int scope = scopeIndex(namesScope ? name : shownScopeOf(name));

      MemoryGraphModel::Node shown;
      shown.name = text(name);
      const OpFacts& op = factsOf(*node);
      shown.op = op.name;
      if (!node->device.empty()) shown.device = text(node->device);
      shown.scope = scope;
      shown.part = partFor(parts_[size_t(id)]);
      QString state, tipText;
      const bool told = runGuarded(contents_, shown.name, "description", [&] {
        shown.category = op.category;
        shown.shape = shapeOf(*node);
        shown.detail = keyAttribute(graph_, *node);
        state = changedState(graph_, *node);
        tipText = op.tip;
      });
      if (isMissing(*node)) {
        shown.detail = QCoreApplication::translate("GraphArrays", "not in the file");
        tipText = QCoreApplication::translate("GraphArrays", "The file refers to this node but does not contain it.");
        shown.status.badges |= widgets::BadgeError;
        ++missing_;
      }
      if (!node->record || hasOpenInput(*node)) shown.status.badges |= widgets::BadgeWarning;
      if (isMuted(*node)) shown.status.badges |= widgets::BadgeMuted;
      if (!told || broken_.count(node->name)) shown.status.badges |= widgets::BadgeError;
      if (!state.isEmpty()) shown.status.badges |= widgets::BadgeState;
      shown.inputs = int(node->inputs.size());
      shown.outputs = int(node->outputTypes.size());
      if (const Recipe* layer = waitingLayer(*node)) {
        const ApiRecord* record = ApiRegistry::instance().findLayer(layer->kind);
        shown.inputs = int(std::max(layer->inputs.size(), record ? layerInputs(*record).size() : 0));
      }
      if (const auto it = places_.find(shown.name); it != places_.end() && !it->second.isScope) shown.position = QPointF(it->second.x, it->second.y);
      out_.nodes.push_back(std::move(shown));
      out_.nodeTips << (state.isEmpty() ? tipText : tipText + u'\n' + QCoreApplication::translate("GraphArrays", "changes state: %1").arg(state));
      count(*node, index, scope, namesScope);
    }
  }

  /// What depends on the op only.
  struct OpFacts {
    QString name, tip;
    OpCategory category = {};
    size_t hash = 0;
  };
  const OpFacts& factsOf(const Node& node) {
    const auto [it, isNew] = ops_.try_emplace(node.op);
    if (!isNew) return it->second;
    const OpRecord* record = node.record ? node.record : OpRegistry::instance().find(node.op);
    it->second.name = text(node.op);
    it->second.hash = std::hash<std::string>()(node.op);
    it->second.tip = record ? recordText(record->summaryText) : QCoreApplication::translate("GraphArrays", "The engine does not support this op.");
    runGuarded(contents_, text(node.name), "description", [&] { it->second.category = categoryOf(node); });
    return it->second;
  }

  void count(const Node& node, int index, int scope, bool namesScope) {
    GraphSummary& sum = contents_.summary;
    qint64 parameters = 0;
    if (isVariable(node)) {
      ++sum.variables;
      const Shape shape = node.attrs.shape("shape");
      const qint64 elements = std::max<int64_t>(0, shape.elements());
      if (trainable_.empty() || trainable_.count(node.name)) {
        parameters = elements;
        sum.parameters = sumOf(sum.parameters, elements);
        sum.parameterBytes = sumOf(sum.parameterBytes, bytesOf(shape, node.attrs.type("dtype")));
      }
    }
    if (!node.record && !node.op.empty() && !OpRegistry::instance().find(node.op)) ++sum.unknownOps;
    if (scope < 0) return;
    if (namesScope && isVariable(node)) facts_[size_t(scope)].variable = index;
    if (facts_[size_t(scope)].firstOp < 0) facts_[size_t(scope)].firstOp = index;
    if (roleOf(node) == OpRole::Save || roleOf(node) == OpRole::Restore) facts_[size_t(scope)].saves = true;
    const bool annotation = out_.nodes.back().shape == NodeShape::Annotation;
    const size_t hash = factsOf(node).hash;
    for (int s = scope; s >= 0; s = out_.scopes[size_t(s)].parent) {
      ScopeFacts& f = facts_[size_t(s)];
      ++f.ops;
      f.annotations += annotation;
      f.parameters = sumOf(f.parameters, parameters);
      f.hash += hash * 0x9E3779B97F4A7C15ull;  // a sum, so that the order in the file does not matter
    }
  }

  void addEdges() {
    size_t wires = 0;
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* node = graph_.node(id)) wires += node->inputs.size() + node->controls.size();
    out_.edges.reserve(wires);
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* node = graph_.node(id);
      if (!node || isHidden(*node)) continue;
      for (size_t i = 0; i < node->inputs.size(); ++i) addData(*node, int(i), node->inputs[i]);
      // The wires that a waiting layer already has.
      if (const Recipe* layer = waitingLayer(*node))
        for (size_t i = 0; i < layer->inputs.size(); ++i)
          if (const auto source = graph_.findOutput(layer->inputs[i]); source.ok()) addData(*node, int(i), *source);
      for (const int control : node->controls) {
        if (control < 0 || !graph_.node(control)) continue;
        MemoryGraphModel::Edge edge;
        if (indexOf_[size_t(control)] < 0) continue;
        edge.ends = {indexOf_[size_t(control)], indexOf_[size_t(id)], 0, 0, EdgeKind::Control, false};
        out_.edges.push_back(std::move(edge));
      }
    }
  }

  void addData(const Node& node, int input, Output source) {
    const Node* from = graph_.node(source.node);
    if (!from || isHidden(*from)) return;
    MemoryGraphModel::Edge edge;
    edge.ends = {indexOf_[size_t(source.node)], indexOf_[size_t(node.id)], source.index, input, EdgeKind::Data, false};
    if (size_t(source.index) < from->outputTypes.size()) {
      const DType type = from->outputTypes[size_t(source.index)];
      const bool wantsRef = size_t(input) < node.inputTypes.size() && isRef(node.inputTypes[size_t(input)]);
      if (isRef(type) && wantsRef) edge.ends.kind = EdgeKind::Reference;
      if (type != DType::Invalid) edge.dtype = typeName(type);
    }
    if (size_t(source.index) < from->outputShapes.size()) {
      const Shape shape = seenShape(graph_, source);
      shapeText(shape, &edge.shape);
      if (size_t(source.index) < from->outputTypes.size()) edge.bytes = shownBytes(shape, from->outputTypes[size_t(source.index)]);
    }
    if (const auto it = brokenWires_.find({node.id, input}); it != brokenWires_.end()) {
      edge.ends.broken = true;
      edge.problem = it->second;
    }
    // A shape error does not tell which wire is wrong: mark all of them, but those of constants only if there are no others.
    if (const auto it = broken_.find(node.name); it != broken_.end() && !defective_.count(node.name) && isSuspect(node, *from)) {
      edge.ends.broken = true;
      edge.problem = it->second;
    }
    out_.edges.push_back(std::move(edge));
  }

  const QString& typeName(DType type) {
    QString& name = typeNames_[int(type)];
    if (name.isNull()) name = text(dtypeName(type));
    return name;
  }

  /// Bytes of a tensor, as shown at its wire; -1: unknown shape. An open first dim, usually the batch, counts as kAssumedBatch.
  static int64_t shownBytes(Shape shape, DType type) {
    constexpr int64_t kAssumedBatch = 32;
    if (shape.rank() > 1 && shape[0] == Shape::kUnknownDim) shape.setDim(0, kAssumedBatch);
    return shape.hasRank() && shape.isFullyKnown() ? bytesOf(shape, type) : -1;
  }

  /// The waiting layer that this node stands for; null: an ordinary op.
  const Recipe* waitingLayer(const Node& node) const {
    if (!isOpenInput(node)) return nullptr;
    const auto it = layers_.find(node.name.substr(0, node.name.rfind('/')));
    return it == layers_.end() ? nullptr : &it->second;
  }

  bool isSuspect(const Node& node, const Node& from) const {
    if (!isConstant(from)) return true;
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](Output o) { return graph_.node(o.node) && isConstant(*graph_.node(o.node)); });
  }
  /// Placeholders for missing wires are hidden, but not the node that stands for a waiting layer.
  static bool isHidden(const Node& node) {
    if (isNotGiven(node)) return true;
    return isOpenInput(node) && node.name.starts_with("open_inputs/");
  }
  bool hasOpenInput(const Node& node) const {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](Output o) { return graph_.node(o.node) && isOpenInput(*graph_.node(o.node)); });
  }

  void readLayers() {
    for (const Recipe& r : recipesOf(meta_))
      if (!r.trains()) layers_.emplace(r.scope, r);
    for (const GroupInstance& i : groupInstancesOf(meta_)) instances_.emplace(i.scope, i);
    for (const CanvasPlace& place : canvasPlacesOf(meta_)) places_.emplace(text(place.name), place);
    for (const Error& e : contents_.engine->loaded.problems)
      if (!e.node.empty()) broken_.emplace(e.node, text(e.message));
    if (!whyRefused(contents_.engine->loaded.problems)) return;
    for (const Defect& d : defectsOf(graph_)) {
      const Node* node = graph_.find(d.node);
      if (!node) continue;
      const QString why = defectText(graph_, d);
      broken_[d.node] = why;
      defective_.insert(d.node);
      for (const int input : d.inputs) brokenWires_.insert_or_assign({node->id, input}, why);
    }
  }

  /// Fills a layer's label: its main parameters and its output shape.
  void describeLayer(int index, const Recipe& r, qint64 parameters) {
    MemoryGraphModel::Scope& scope = out_.scopes[size_t(index)];
    scope.layer = true;
    const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
    QStringList parameterTexts;
    if (record && record->recipe) {
      for (const std::string& name : record->recipe->shownParameters) {
        const ApiParameter* p = record->find(name);
        const auto it = r.parameters.find(name);
        const std::string value = it != r.parameters.end() ? it->second : p && p->otherwise ? argumentToText(*p->otherwise) : std::string();
        if (!value.empty()) parameterTexts << text(value);
      }
      out_.scopeTips.insert(index, text(record->summary));
    }
    QString shape;
    if (!r.outputs.empty())
      if (const auto o = graph_.findOutput(r.outputs[0]); o.ok()) shapeText(seenShape(graph_, *o), &shape);
    const QString first = parameterTexts.join(QStringLiteral(", "));
    scope.detail = {first.isEmpty() ? text(r.kind.substr(r.kind.rfind('.') + 1)) : first};
    if (parameters > 0) scope.detail << QCoreApplication::translate("GraphArrays", "%1 parameters").arg(widgets::formatCountShort(parameters));
    else if (!shape.isEmpty()) scope.detail << shape;
    scope.summary = scope.detail.join(QStringLiteral(" · "));
    const bool waits = std::any_of(r.outputs.begin(), r.outputs.end(), [&](const std::string& t) {
      const auto o = graph_.findOutput(t);
      return o.ok() && isOpenInput(*graph_.node(o->node));
    });
    if (waits) scope.badges |= widgets::BadgeWarning;
    const bool muted = std::any_of(r.outputs.begin(), r.outputs.end(), [&](const std::string& t) {
      const auto o = graph_.findOutput(t);
      return o.ok() && isMuted(*graph_.node(o->node));
    });
    if (muted) scope.badges |= widgets::BadgeMuted;
    if (const auto it = broken_.find(r.scope); it != broken_.end()) {
      scope.badges |= widgets::BadgeError;
      out_.scopeTips.insert(index, it->second);
    }
  }

  void finishScopes() {
    std::unordered_map<size_t, int> seen;
    for (size_t i = 0; i < out_.scopes.size(); ++i) {
      if (facts_[i].ops > 1 && facts_[i].variable < 0) ++seen[facts_[i].hash];
    }
    std::unordered_map<size_t, int> number;
    for (size_t i = 0; i < out_.scopes.size(); ++i) {
      MemoryGraphModel::Scope& scope = out_.scopes[i];
      const ScopeFacts& f = facts_[i];
      if (const auto it = places_.find(scope.name); it != places_.end() && it->second.isScope) scope.position = QPointF(it->second.x, it->second.y);
      if (const auto it = layers_.find(scope.name.toStdString()); it != layers_.end()) {
        describeLayer(int(i), it->second, f.parameters);
        if (const auto same = seen.find(f.hash); same != seen.end() && same->second > 1)
          scope.structure = number.emplace(f.hash, int(number.size())).first->second;
        continue;
      }
      if (const auto it = seen.find(f.hash); it != seen.end() && it->second > 1) scope.structure = number.emplace(f.hash, int(number.size())).first->second;
      if (f.variable >= 0) {
        scope.shape = NodeShape::Variable;
        scope.detail = {out_.nodes[size_t(f.variable)].detail};
        scope.summary = out_.nodes[size_t(f.variable)].detail;
        continue;
      }
      if (const auto it = instances_.find(scope.name.toStdString()); it != instances_.end()) {
        // Its group, and the values of its own.
        QStringList values;
        for (const auto& [name, value] : it->second.overrides) values << text(name) + u'=' + text(value);
        scope.detail = {text(it->second.group)};
        if (!values.isEmpty()) scope.detail << values.join(QStringLiteral(", "));
        else if (f.parameters > 0) scope.detail << QCoreApplication::translate("GraphArrays", "%1 parameters").arg(widgets::formatCountShort(f.parameters));
        scope.summary = scope.detail.join(QStringLiteral(" · "));
        out_.scopeTips.insert(int(i), QCoreApplication::translate("GraphArrays", "Instance of the group %1").arg(text(it->second.group)));
        continue;
      }
      if (f.ops == f.annotations || f.saves) scope.shape = NodeShape::Annotation;
      const QString ops = QCoreApplication::translate("GraphArrays", "%n op(s)", nullptr, f.ops);
      const QString parameters =
          f.parameters > 0 ? QCoreApplication::translate("GraphArrays", "%1 parameters").arg(widgets::formatCountShort(f.parameters)) : QString();
      scope.detail = {ops};
      if (!parameters.isEmpty()) scope.detail << parameters;
      scope.summary = scope.detail.join(QStringLiteral(" · "));
    }
  }

  GraphContents& contents_;
  const MetaGraph& meta_;
  const Graph& graph_;
  GraphArrays& out_;
  std::unordered_set<std::string_view> scopeNames_;
  std::unordered_map<std::string_view, int> scopes_;
  std::set<std::string, std::less<>> trainable_;
  std::unordered_map<std::string, Recipe> layers_;
  std::unordered_map<std::string, GroupInstance> instances_;
  std::unordered_map<QString, CanvasPlace> places_;
  std::unordered_map<std::string, QString> broken_;     ///< Why a node's shapes do not fit, by node.
  std::unordered_set<std::string> defective_;           ///< Nodes whose broken wires are known one by one, in brokenWires_.
  std::map<std::pair<int, int>, QString> brokenWires_;  ///< Why a wire is broken, by node and input.
  std::vector<Part> parts_;                             ///< By id.
  int missing_ = 0;                                     ///< Nodes that the file only refers to, without defining them.
  std::vector<ScopeFacts> facts_;
  std::vector<int> indexOf_;
  std::unordered_map<std::string_view, OpFacts> ops_;
  QHash<int, QString> typeNames_;  ///< By the number of the element type. Used by addEdges() alone.
};

}  // namespace

void fillArrays(GraphContents& contents) { Builder(contents).run(); }

}  // namespace weft::app
