// Problems of a graph and their fixes. A fix is offered only if a trial on a copy shows that it works.
#include "adapters/graph_problems.h"

#include <algorithm>
#include <set>

#include "adapters/border.h"
#include "adapters/engine_graph.h"
#include "adapters/fix_offers.h"
#include "adapters/graph_defects.h"
#include "adapters/graph_edit.h"
#include "adapters/open_inputs.h"
#include "adapters/problem_words.h"
#include "adapters/shape_words.h"
#include "weft/dataset.h"
#include "weft/defects.h"
#include "weft/op.h"
#include "weft/recipes.h"
#include "weft/train.h"

namespace weft::app {
namespace {

bool isRestore(const Node& n) { return roleOf(n) == OpRole::Restore; }

constexpr int kMostProblemTrials = 16;  // of fixes per graph, because each one edits a copy
constexpr size_t kMostLeft = 8;         // unupdated variables; more than that were left out on purpose

/// The node of a serialised VariableDef: its field 1 is the tensor's name.
std::string variableOf(const std::string& def) {
  size_t length = 0, at = 1;
  if (def.empty() || def[0] != 0x0A) return {};
  for (int shift = 0; at < def.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(def[at++]);
    length |= size_t(byte & 0x7F) << shift;
    if (byte < 0x80 || shift > 21) break;
  }
  const std::string name = def.substr(std::min(at, def.size()), length);
  return name.substr(0, name.rfind(':'));
}

class ProblemFinder {
 public:
  explicit ProblemFinder(GraphContents& contents)
      : contents_(contents),
        engine_(*contents.engine),
        meta_(engine_.loaded.meta),
        graph_(meta_.graph),
        recipes_(recipesOf(meta_)),
        readers_(graph_.consumers()) {}

  void run() {
    for (const Error& e : engine_.loaded.problems) runGuarded(contents_, text(e.node), "fixes", [&] { found(e); });
    runGuarded(contents_, {}, "defects", [&] { contents_.problems << defectProblems(contents_); });
    // Each check is guarded, so that a failure does not prevent the others.
    runGuarded(contents_, {}, "open inputs", [&] { contents_.problems << openInputProblems(engine_, kMostProblemTrials / 2); });
    runGuarded(contents_, {}, "variables", [&] { variables(); });
    runGuarded(contents_, {}, "optimizers", [&] { untrained(); });
    runGuarded(contents_, {}, "losses", [&] { losses(); });
    runGuarded(contents_, {}, "switches", [&] { switches(); });
    runGuarded(contents_, {}, "readers", [&] { unread(); });
    mark();
  }

 private:
  using Command = QStringList;  // action and its words
  struct Fix {
    QString what;
    Command command;
    QString result = {};
  };
  using Fixes = QVector<Fix>;

  void add(Problem::Severity severity, const std::string& node, const char* code, const QString& message, const Fixes& fixes = {}) {
    Problem p;
    p.severity = severity;
    p.node = text(node);
    p.code = QLatin1String(code);
    p.message = message;
    for (const Fix& fix : fixes) {
      p.fixes << (fix.result.isEmpty() ? fix.what : QStringLiteral("%1 → %2").arg(fix.what, fix.result));
      p.fixCommands << fix.command;
    }
    contents_.problems << p;
  }

  const Recipe* layer(const std::string& scope) const {
    for (const Recipe& r : recipes_)
      if (!r.trains() && r.scope == scope) return &r;
    return nullptr;
  }

  /// Whether the command runs and leaves no problem at `node`, and no more problems overall than before; `result` gets the shape of the inserted node's output.
  bool commandFixes(const Command& command, const std::string& node, QString* result = nullptr) {
    return ++trials_ <= kMostProblemTrials && graph_.nodeCount() <= kLargestForTrials && fixesNode(engine_, command, node, result);
  }

  void offer(Fixes& fixes, const QString& what, const Command& command, const std::string& node) {
    QString result;
    if (fixes.size() < 4 && commandFixes(command, node, &result)) fixes.append({what, command, result});
  }

  /// Offers conversions of `shape` that may be wanted.
  void reshapes(Fixes& fixes, const std::string& node, const QString& place, const Shape& shape) {
    for (const FixOffer& o : shapeOffers(shape)) offer(fixes, o.text, Command{QStringLiteral("graph.insert"), place, o.type} + o.settings, node);
  }

  /// The name of the first node whose op the error quotes: 'Op'.
  std::string firstOf(const Error& e) const {
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* n = graph_.node(id); n && !n->record && !n->op.empty() && e.message.find("'" + n->op + "'") != std::string::npos) return n->name;
    return {};
  }

  /// For a loss whose labels and logits differ in width, offers as many units as the labels have columns, because no reshape can help. Returns whether this is
  /// the case.
  bool unitsOfLogits(Fixes& fixes, const Recipe& loss) {
    if (!loss.kind.starts_with("losses.") || loss.inputs.size() < 2) return false;
    const auto labels = graph_.findOutput(loss.inputs[0]), logits = graph_.findOutput(loss.inputs[1]);
    if (!labels.ok() || !logits.ok()) return false;
    const Shape &wanted = graph_.shape(*labels), &given = graph_.shape(*logits);
    if (!wanted.hasRank() || !given.hasRank() || wanted.rank() != 2 || given.rank() != 2) return false;
    if (wanted[1] <= 0 || given[1] <= 0 || wanted[1] == given[1]) return false;
    for (const Recipe& source : recipes_)
      if (source.kind == "layers.dense" && !source.outputs.empty() && source.outputs[0] == loss.inputs[1])
        offer(fixes, ProblemWords::tr("Give %1 %2 units").arg(text(source.scope)).arg(wanted[1]),
              {QStringLiteral("graph.set"), text(source.scope), QStringLiteral("units=%1").arg(wanted[1])}, loss.scope);
    return true;
  }

  void found(const Error& e) {
    if (isDefect(e)) return;  // reported by defectProblems()
    const QString message = text(e.message);
    if (e.kind == "expression") return add(Problem::Severity::Warning, e.node, "expression", message);
    if (e.kind == "unknown_op" || e.node.empty()) {
      const bool run = e.code == Code::NotFound || e.code == Code::Unimplemented;
      add(run ? Problem::Severity::Warning : Problem::Severity::Error, e.kind == "unknown_op" ? firstOf(e) : e.node,
          e.kind == "unknown_op" ? "unknown-op" : "graph", message);
      return;
    }
    Fixes fixes;
    const QString name = text(e.node);
    if (const Recipe* r = layer(e.node)) {
      const bool widths = unitsOfLogits(fixes, *r);
      for (size_t i = 0; i < r->inputs.size() && !widths; ++i) {
        const auto o = graph_.findOutput(r->inputs[i]);
        if (o.ok()) reshapes(fixes, e.node, QStringLiteral("%1:%2").arg(name).arg(i), graph_.shape(*o));
      }
      add(Problem::Severity::Error, e.node, "layer", words_[message] = shapeWords(name, message, sourcesOf(r->inputs)), fixes);
      return;
    }
    const Node* n = graph_.find(e.node);
    if (n && n->record) {
      for (const char* flag : {"transpose_b", "transpose_a", "adj_y", "adj_x"}) {
        if (!n->record->findAttr(flag)) continue;
        const QString value = n->attrs.flag(flag) ? QStringLiteral("false") : QStringLiteral("true");
        offer(fixes, ProblemWords::tr("Set %1 to %2").arg(QLatin1String(flag), value),
              {QStringLiteral("graph.set"), name, QLatin1String(flag) + QStringLiteral("=") + value}, e.node);
      }
      for (size_t i = 0; i < n->inputs.size(); ++i) {
        const Node* from = graph_.node(n->inputs[i].node);
        if (from && !isConstant(*from) && !isOpenInput(*from)) reshapes(fixes, e.node, QStringLiteral("%1:%2").arg(name).arg(i), graph_.shape(n->inputs[i]));
      }
      if (n->record->findAttr("padding") && n->attrs.text("padding") == "VALID")
        offer(fixes, ProblemWords::tr("Set padding to SAME"), {QStringLiteral("graph.set"), name, QStringLiteral("padding=SAME")}, e.node);
    }
    QStringList sources;
    for (const Output o : n ? n->inputs : std::vector<Output>()) sources << text(graph_.tensorName(o));
    add(Problem::Severity::Error, e.node, "shape", words_[message] = shapeWords(name, message, sources), fixes);
  }

  static QStringList sourcesOf(const std::vector<std::string>& tensors) {
    QStringList out;
    for (const std::string& t : tensors) out << text(t);
    return out;
  }

  /// The initialisers of a graph without training settings: NoOps whose control inputs are all assignments to variables.
  struct Groups {
    const Node* name = nullptr;       ///< The one that assigns most variables.
    std::set<int> reached;            ///< Variables that any of them assigns.
    std::set<std::string> variables;  ///< Global ones.
  };

  Groups initialGroups() const {
    Groups out;
    size_t most = 0;
    const auto all = meta_.collections.find("variables");
    if (all == meta_.collections.end()) return out;
    for (const std::string& def : all->second.bytes) out.variables.insert(variableOf(def));
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n || roleOf(*n) != OpRole::Group || n->controls.empty()) continue;
      std::set<int> own;
      const bool only = std::all_of(n->controls.begin(), n->controls.end(), [&](int c) {
        const Node* a = graph_.node(c);
        if (!a || roleOf(*a) != OpRole::Assign || a->inputs.empty() || !isInitialiser(*a)) return false;
        own.insert(a->inputs[0].node);
        return true;
      });
      if (!only) continue;
      out.reached.insert(own.begin(), own.end());
      if (own.size() > most) {
        most = own.size();
        out.name = n;
      }
    }
    return out;
  }

  /// Whether the node is the "w/Assign" that TensorFlow creates with a variable w.
  bool isInitialiser(const Node& assign) const {
    const Node* variable = graph_.node(assign.inputs[0].node);
    return variable && isVariable(*variable) && assign.name == variable->name + "/Assign";
  }

  void variables() {
    const auto settings = trainingSettingsOf(meta_);
    std::vector<bool> initialised(size_t(graph_.size()), false);
    const Node* init = settings.ok() ? graph_.find(settings->initOp) : nullptr;
    if (init) {
      std::vector<int> queue{init->id};
      while (!queue.empty()) {
        const int id = queue.back();
        queue.pop_back();
        if (initialised[size_t(id)]) continue;
        initialised[size_t(id)] = true;
        for (const int c : graph_.node(id)->controls) queue.push_back(c);
        for (const Output o : graph_.node(id)->inputs) queue.push_back(o.node);
      }
    }
    const Groups groups = settings.ok() ? Groups() : initialGroups();
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n || !isVariable(*n) || isOpenInput(*n)) continue;
      bool assigned = false, run = false, restored = false;
      for (const int reader : readers_[size_t(id)]) {
        const Node& r = *graph_.node(reader);
        // A function may assign it: models of TensorFlow 2 restore their variables so.
        restored |= std::any_of(r.attrs.begin(), r.attrs.end(), [](const auto& named) { return named.second.template get<FuncAttr>() != nullptr; });
        if (roleOf(r) != OpRole::Assign || r.inputs.empty() || r.inputs[0].node != id) continue;
        const Node* value = r.inputs.size() > 1 ? graph_.node(r.inputs[1].node) : nullptr;
        const bool fromFile = value && (isRestore(*value) || (roleOf(*value) == OpRole::Identity && isRestore(*graph_.node(value->inputs[0].node))));
        restored |= fromFile;
        assigned |= !fromFile;
        run |= initialised[size_t(reader)];
      }
      const Command mend{QStringLiteral("graph.initialize"), text(n->name)};
      if (!assigned && !restored) {
        add(Problem::Severity::Error, n->name, "uninitialized", ProblemWords::tr("This variable has no initialiser."),
            {{ProblemWords::tr("Initialise with zeros"), mend}});
      } else if (assigned && init && !run) {
        add(Problem::Severity::Error, n->name, "uninitialized",
            ProblemWords::tr("Training does not initialise this variable: %1 does not run its initialiser.").arg(text(init->name)),
            {{ProblemWords::tr("Let %1 initialise it").arg(text(init->name)), mend}});
      } else if (assigned && groups.name && !groups.reached.count(id) && groups.variables.count(n->name)) {
        add(Problem::Severity::Warning, n->name, "uninitialized",
            ProblemWords::tr("%1 does not initialise this variable: the variable was created after it. Create the initialiser last.")
                .arg(text(groups.name->name)));
      }
    }
  }

  /// Puts the warning or error badge on nodes and scopes of variables with a problem; a scope is named like its variable.
  void mark() {
    GraphArrays& arrays = contents_.arrays;
    for (auto& edge : arrays.edges)
      if (const auto it = words_.constFind(edge.problem); it != words_.cend()) edge.problem = *it;
    for (const Problem& p : contents_.problems) {
      if (p.code != QLatin1String("no-gradient") && p.code != QLatin1String("uninitialized")) continue;
      const auto badge = quint16(p.severity == Problem::Severity::Error ? widgets::BadgeError : widgets::BadgeWarning);
      if (const int node = arrays.nodeIndex.value(p.node, -1); node >= 0) arrays.nodes[size_t(node)].status.badges |= badge;
      if (const int scope = arrays.scopeIndex.value(p.node, -1); scope >= 0) arrays.scopes[size_t(scope)].badges |= badge;
    }
  }

  /// Finds trainable variables without a gradient (None in TensorFlow): the loss does not depend on them, or only through ops without a gradient.
  void untrained() {
    const auto settings = trainingSettingsOf(meta_);
    const auto trainable = meta_.collections.find("trainable_variables");
    const bool isDocument = settings.ok() && graph_.find(settings->trainOp);
    if (trainable == meta_.collections.end() || (!isDocument && meta_.collections.find("train_op") == meta_.collections.end())) return;
    std::vector<const Node*> left;
    for (const std::string& def : trainable->second.bytes) {
      const Node* variable = graph_.find(variableOf(def));
      if (!variable || isOpenInput(*variable)) continue;
      const auto updates = [&](int reader) {
        const Node& r = *graph_.node(reader);
        return !r.inputs.empty() && r.inputs[0].node == variable->id && (roleOf(r) == OpRole::ApplyGradient || roleOf(r) == OpRole::Update);
      };
      const auto& readers = readers_[size_t(variable->id)];
      if (std::any_of(readers.begin(), readers.end(), updates)) continue;
      left.push_back(variable);
    }
    // Fine-tuning leaves out many variables on purpose.
    if (!isDocument && (left.size() > kMostLeft || left.size() == trainable->second.bytes.size())) return;
    for (const Node* variable : left) {
      add(Problem::Severity::Warning, variable->name, "no-gradient",
          isDocument
              ? ProblemWords::tr("The loss does not depend on this variable: its gradient is None, and training does not change it.")
              : ProblemWords::tr(
                    "No optimizer updates this trainable variable: the loss does not depend on it and its gradient is None, or it is missing from var_list."));
    }
  }

  void losses() {
    for (const Recipe& r : recipes_) {
      const bool sparse = r.kind == "losses.sparse_softmax_cross_entropy", dense = r.kind == "losses.softmax_cross_entropy";
      if ((!sparse && !dense) || r.inputs.size() < 2) continue;
      const auto labels = graph_.findOutput(r.inputs[0]), logits = graph_.findOutput(r.inputs[1]);
      if (!labels.ok() || !logits.ok()) continue;
      const Shape& shape = graph_.shape(*logits);
      const bool failed = std::any_of(engine_.loaded.problems.begin(), engine_.loaded.problems.end(), [&](const Error& e) { return e.node == r.scope; });
      const Shape& given = graph_.shape(*labels);
      if (failed && sparse && given.hasRank() && given.rank() == 2) {
        add(Problem::Severity::Error, r.scope, "labels-logits", ProblemWords::tr("The labels are one-hot rows, but this loss expects class indices."),
            {{ProblemWords::tr("Use the loss for one-hot labels"),
              {QStringLiteral("graph.set"), text(r.scope), QStringLiteral("kind=losses.softmax_cross_entropy")}}});
      } else if (dense && given.hasRank() && given.rank() == 1) {
        add(Problem::Severity::Error, r.scope, "labels-logits", ProblemWords::tr("The labels are class indices, but this loss expects one-hot rows."),
            {{ProblemWords::tr("Use the loss for class indices"),
              {QStringLiteral("graph.set"), text(r.scope), QStringLiteral("kind=losses.sparse_softmax_cross_entropy")}}});
      }
      if (!shape.hasRank() || shape.rank() != 2 || shape[1] <= 0) continue;
      const auto bindings = datasetBindingsOf(meta_);
      if (!bindings.ok()) continue;
      for (const DatasetBinding& binding : *bindings) {
        if (binding.builtin.empty() || !binding.placeholders.count(r.inputs[0])) continue;
        static const auto data = loadDataset(
            [] {
              DatasetBinding b;
              b.builtin = "digits";
              return b;
            }(),
            {});  // small; the number of classes does not change
        if (!data.ok() || binding.builtin != "digits" || data->classes.empty() || int64_t(data->classes.size()) == shape[1]) continue;
        const int64_t classes = int64_t(data->classes.size());
        Fixes fixes;
        for (const Recipe& source : recipes_)
          if (source.kind == "layers.dense" && !source.outputs.empty() && source.outputs[0] == r.inputs[1])
            fixes.append({ProblemWords::tr("Set %1 to %2 units").arg(text(source.scope)).arg(classes),
                          {QStringLiteral("graph.set"), text(source.scope), QStringLiteral("units=%1").arg(classes)}});
        add(shape[1] < classes ? Problem::Severity::Error : Problem::Severity::Warning, r.scope, "labels-logits",
            ProblemWords::tr("The data have %1 classes, but the logits are %2 wide.").arg(classes).arg(shape[1]), fixes);
      }
    }
  }

  /// Finds layers that behave differently in training and testing, but get the same training flag in both.
  void switches() {
    if (!trainingSettingsOf(meta_).ok()) return;
    for (const Recipe& r : recipes_) {
      const bool dropout = r.kind == "layers.dropout", norm = r.kind == "layers.batch_normalization";
      const ApiRecord* record = dropout || norm ? ApiRegistry::instance().findLayer(r.kind) : nullptr;
      if (!record) continue;
      const auto inputs = layerInputs(*record);
      const auto port = std::find_if(inputs.begin(), inputs.end(), [](const LayerInput& i) { return i.name == "training_tensor"; });
      const auto at = size_t(port - inputs.begin());
      if (port == inputs.end() || (at < r.inputs.size() && !r.inputs[at].empty())) continue;
      const auto said = r.parameters.find("training");
      const bool always = said != r.parameters.end() && said->second == "true";
      Fixes fixes;
      offer(fixes, ProblemWords::tr("Link to training mode"), {QStringLiteral("graph.switch-training"), text(r.scope)}, r.scope);
      if (!always) offer(fixes, ProblemWords::tr("Set training"), {QStringLiteral("graph.set"), text(r.scope), QStringLiteral("training=true")}, r.scope);
      add(always ? Problem::Severity::Note : Problem::Severity::Warning, r.scope, "training-switch",
          dropout  ? (always ? ProblemWords::tr("It drops values in testing, too: training is always true.")
                             : ProblemWords::tr("It never drops values, not even in training: training is not set."))
          : always ? ProblemWords::tr("Testing normalises with the mean of the test batch, not with the moving averages: training is always true.")
                   : ProblemWords::tr("It normalises with its initial averages, which training never updates: training is not set."),
          fixes);
    }
  }

  /// Finds top-level nodes and layers that nothing reads in a network that is trained: nearly always a forgotten wire.
  void unread() {
    const auto settings = trainingSettingsOf(meta_);
    if (!settings.ok()) return;
    std::set<std::string> named{settings->trainOp, settings->initOp};
    const auto tensor = [&](const std::string& t) { named.insert(t.substr(0, t.rfind(':'))); };
    for (const std::string& t : {settings->loss, settings->accuracy, settings->globalStep}) tensor(t);
    for (const auto& [shown, t] : settings->metrics) tensor(t);
    for (const std::string& t : settings->summaries) tensor(t);
    for (const auto& [key, c] : meta_.collections)
      for (const std::string& t : c.nodes) tensor(t);
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n || n->name.find('/') != std::string::npos || n->outputTypes.empty() || isOpenInput(*n) || !readers_[size_t(id)].empty() || named.count(n->name))
        continue;
      if (!n->record || n->record->isStateful || isConstant(*n)) continue;
      add(Problem::Severity::Note, n->name, "unread", ProblemWords::tr("This node has no consumers."),
          {{ProblemWords::tr("Delete it"), {QStringLiteral("graph.delete"), text(n->name)}}});
    }
    for (const Recipe& r : recipes_) {
      if (r.trains() || r.outputs.empty() || r.kind.starts_with("losses.") || r.kind.starts_with("metrics.")) continue;
      bool read = false;
      for (const std::string& t : r.outputs) {
        const auto o = graph_.findOutput(t);
        if (!o.ok() || isOpenInput(*graph_.node(o->node))) read = true;
        else
          for (const int reader : readers_[size_t(o->node)]) read |= !graph_.node(reader)->name.starts_with(r.scope + "/");
        read |= o.ok() && named.count(graph_.node(o->node)->name) > 0;
      }
      if (!read)
        add(Problem::Severity::Note, r.scope, "unread", ProblemWords::tr("This layer has no consumers."),
            {{ProblemWords::tr("Delete it"), {QStringLiteral("graph.delete"), text(r.scope)}}});
    }
  }

  GraphContents& contents_;
  const EngineGraph& engine_;
  const MetaGraph& meta_;
  const Graph& graph_;
  const std::vector<Recipe> recipes_;
  const std::vector<std::vector<int>> readers_;
  QHash<QString, QString> words_;  // from the engine's message to the displayed one
  int trials_ = 0;
};

}  // namespace

void findProblems(GraphContents& contents) { ProblemFinder(contents).run(); }

}  // namespace weft::app
