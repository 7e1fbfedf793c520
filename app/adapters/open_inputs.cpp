#include "adapters/open_inputs.h"

#include <QCoreApplication>
#include <algorithm>
#include <set>

#include "adapters/engine_graph.h"
#include "adapters/fix_offers.h"
#include "adapters/problem_words.h"
#include "weft/edit.h"
#include "weft/op.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

constexpr qsizetype kMostFixes = 3;

QString joined(const QStringList& names) { return ProblemWords::tr("Not connected: %1").arg(names.join(QStringLiteral(", "))); }

class OpenInputFinder {
 public:
  OpenInputFinder(const EngineGraph& engine, int trials)
      : engine_(engine),
        graph_(engine.loaded.meta.graph),
        recipes_(recipesOf(engine.loaded.meta)),
        readers_(graph_.consumers()),
        trials_(graph_.nodeCount() > kLargestForTrials ? 0 : trials) {}

  QVector<Problem> run() {
    for (const Recipe& r : recipes_) layer(r);
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* n = graph_.node(id); n && !isOpenInput(*n) && !isInWaitingLayer(n->name)) node(*n);
    return out_;
  }

 private:
  void add(const std::string& node, const char* code, const QString& message) {
    Problem p;
    p.severity = Problem::Severity::Warning;
    p.node = text(node);
    p.code = QLatin1String(code);
    p.message = message;
    out_ << p;
  }

  void offer(Problem& p, const QString& source, const QString& tensor, const QString& input) {
    p.fixes << ProblemWords::tr("Connect %1").arg(source);
    p.fixCommands << QStringList{QStringLiteral("graph.connect"), tensor, input};
  }

  bool isInWaitingLayer(const std::string& node) const {
    for (size_t slash = node.find('/'); slash != node.npos; slash = node.find('/', slash + 1))
      if (waiting_.count(node.substr(0, slash))) return true;
    return false;
  }

  bool isUnread(const Recipe& r) const {
    if (r.trains() || r.outputs.empty() || r.kind.starts_with("losses.") || r.kind.starts_with("metrics.")) return false;
    const auto output = graph_.findOutput(r.outputs[0]);
    if (!output.ok() || isOpenInput(*graph_.node(output->node))) return false;
    for (const int reader : readers_[size_t(output->node)])
      if (!graph_.node(reader)->name.starts_with(r.scope + "/")) return false;
    return true;
  }

  /// The last added unread node, the likeliest source for an input; -1: none.
  int unreadNode(int reader, DType type) const {
    for (int id = graph_.size() - 1; id >= 0; --id) {
      const Node* n = graph_.node(id);
      if (!n || id == reader || isOpenInput(*n) || n->outputTypes.empty() || !readers_[size_t(id)].empty() || roleOf(*n) == OpRole::Group) continue;
      if (n->name.find('/') == std::string::npos && (type == DType::Invalid || baseType(n->outputTypes[0]) == baseType(type))) return id;
    }
    return -1;
  }

  void layer(const Recipe& r) {
    if (r.trains()) {
      if (r.nodes.empty()) add({}, "training-waits", ProblemWords::tr("Training is added once the loss can be computed."));
      return;
    }
    const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
    if (!record)
      return add(r.scope, "unknown-layer",
                 ProblemWords::tr("This version of Weft does not know the layer %1; its ops are kept as they are.").arg(text(r.kind)));
    QStringList names;
    int first = -1;
    const auto inputs = layerInputs(*record);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].required || (i < r.inputs.size() && !r.inputs[i].empty())) continue;
      names << text(inputs[i].name);
      if (first < 0) first = int(i);
    }
    if (names.isEmpty()) return;
    waiting_.insert(r.scope);
    add(r.scope, "open-input", joined(names));
    const QString input = QStringLiteral("%1:%2").arg(text(r.scope)).arg(first);
    if (inputs[size_t(first)].name == "labels") placeholderForLabels(out_.last(), r, input);
    for (auto it = recipes_.rbegin(); it != recipes_.rend(); ++it)
      // The source of another input of the layer is not meant for this one as well.
      if (it->scope != r.scope && isUnread(*it) && !std::count(r.inputs.begin(), r.inputs.end(), it->outputs[0]))
        tryOffer(out_.last(), text(it->scope), text(it->outputs[0]), input, r.scope);
    if (const int id = unreadNode(-1, DType::Invalid); id >= 0)
      tryOffer(out_.last(), text(graph_.node(id)->name), text(graph_.node(id)->name) + QStringLiteral(":0"), input, r.scope);
  }

  /// Offers a placeholder for the labels, which are nearly always fed, with the type and shape that this loss takes for the network's output.
  void placeholderForLabels(Problem& p, const Recipe& r, const QString& input) {
    const bool classes = r.kind.find("sparse") != std::string::npos || r.kind.starts_with("metrics.");
    Shape shape = classes ? Shape{Shape::kUnknownDim} : Shape::unknown();
    for (const std::string& tensor : r.inputs) {
      const auto output = tensor.empty() ? Result<Output>(notFound("open")) : graph_.findOutput(tensor);
      if (!output.ok() || !graph_.shape(*output).hasRank() || graph_.shape(*output).rank() == 0) continue;
      shape = classes ? graph_.shape(*output).slice(0, -1) : graph_.shape(*output);
      break;
    }
    QStringList command{QStringLiteral("graph.add"), QStringLiteral("Placeholder"),
                        QStringLiteral("--name"),    QStringLiteral("labels"),
                        QStringLiteral("--to"),      input,
                        QStringLiteral("--set"),     classes ? QStringLiteral("dtype=int32") : QStringLiteral("dtype=float")};
    if (shape.hasRank()) command << QStringLiteral("--set") << QStringLiteral("shape=") + text(shape.toString());
    if (--trials_ < 0 || !fixesNode(engine_, command, r.scope)) return;
    p.fixes << ProblemWords::tr("Add a placeholder for labels");
    p.fixCommands << command;
  }

  void tryOffer(Problem& p, const QString& source, const QString& tensor, const QString& input, const std::string& scope) {
    if (p.fixes.size() >= kMostFixes || --trials_ < 0) return;
    if (fixesNode(engine_, {QStringLiteral("graph.connect"), tensor, input}, scope)) offer(p, source, tensor, input);
  }

  void node(const Node& n) {
    QStringList names;
    Problem fixes;
    for (size_t i = 0; i < n.inputs.size(); ++i) {
      const Node* from = graph_.node(n.inputs[i].node);
      if (!from || !isOpenInput(*from) || !from->name.starts_with("open_inputs/")) continue;
      names << text(from->attrs.text("_weft_open"));
      const int source = fixes.fixes.size() < kMostFixes ? unreadNode(n.id, graph_.dtype(n.inputs[i])) : -1;
      if (source < 0) continue;
      const QString name = text(graph_.node(source)->name);
      offer(fixes, name, name + QStringLiteral(":0"), QStringLiteral("%1:%2").arg(text(n.name)).arg(i));
    }
    if (names.isEmpty()) return;
    add(n.name, "open-input", joined(names));
    out_.last().fixes = fixes.fixes;
    out_.last().fixCommands = fixes.fixCommands;
  }

  const EngineGraph& engine_;
  const Graph& graph_;
  const std::vector<Recipe> recipes_;
  const std::vector<std::vector<int>> readers_;
  int trials_;
  std::set<std::string> waiting_;
  QVector<Problem> out_;
};

}  // namespace

QVector<Problem> openInputProblems(const EngineGraph& engine, int trials) { return OpenInputFinder(engine, trials).run(); }

}  // namespace weft::app
