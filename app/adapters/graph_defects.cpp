#include "adapters/graph_defects.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

#include "adapters/engine_graph.h"
#include "adapters/fix_offers.h"
#include "adapters/graph_edit.h"
#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/op.h"

namespace weft::app {
namespace {

struct DefectWords {
  Q_DECLARE_TR_FUNCTIONS(GraphDefects)
};

using Command = QStringList;  // action and its words

constexpr int kMostDefectTrials = 24;  // each costs an edit

const OpRecord* knownOp(const Node& node) { return node.record ? node.record : OpRegistry::instance().find(node.op); }

QString typeOrUnknown(DType type) { return type == DType::Invalid ? QStringLiteral("?") : text(dtypeName(baseType(type))); }

/// The op's name for the input, else its number: "b" or "1".
QString inputText(const Node& node, int input) {
  const OpRecord* record = knownOp(node);
  const bool plain =
      record && std::none_of(record->inputs.begin(), record->inputs.end(), [](const ArgSpec& a) { return a.isTypeList || !a.numberAttr.empty(); });
  return plain && size_t(input) < record->inputs.size() ? text(record->inputs[size_t(input)].name) : QString::number(input);
}

/// A valid unused TensorFlow name close to the given one.
std::string validName(const Graph& graph, const std::string& name) {
  std::string base;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool mark = c == '_' || c == '.' || c == '-' || c == '/';
    if (letter || (mark && !base.empty())) base += c;
    else if (!base.empty() && base.back() != '_') base += '_';
  }
  while (!base.empty() && (base.back() == '/' || base.back() == '_')) base.pop_back();
  if (base.empty()) base = "node";
  std::string out = base;
  for (int i = 1; graph.find(out); ++i) out = base + "_" + std::to_string(i);
  return out;
}

class DefectFixer {
 public:
  explicit DefectFixer(const GraphContents& contents) : engine_(*contents.engine), graph_(engine_.loaded.meta.graph), defects_(defectsOf(graph_)) {
    inferAll();
  }

  QVector<Problem> problems() {
    QVector<Problem> out;
    for (const Defect& d : defects_) {
      Problem p;
      p.severity = Problem::Severity::Error;
      p.node = text(d.node);
      p.code = text(d.code);
      p.message = defectText(graph_, d);
      fixes_.clear();
      if (const Node* node = graph_.find(d.node)) offer(*node, d);
      for (const auto& [what, command] : std::as_const(fixes_)) {
        p.fixes << what;
        p.fixCommands << command;
      }
      out << p;
    }
    return out;
  }

 private:
  /// Infers all missing attributes at once.
  void inferAll() {
    if (graph_.nodeCount() > 20 * kLargestForTrials || std::none_of(defects_.begin(), defects_.end(), [](const Defect& d) { return d.code == "missing-attr"; }))
      return;
    after_ = engine_.loaded;
    GraphEditor editor(after_.meta, after_.problems);
    if (!inferMissingAttrs(editor, {}).ok() || !editor.finish().ok()) return;
    for (const Defect& d : defects_) {
      const Node* now = d.code == "missing-attr" ? after_.meta.graph.find(d.node) : nullptr;
      if (now && now->attrs.find(d.subject)) inferredNodes_.insert(d.node);
    }
  }

  /// Whether the command removes this defect without leaving another one in its place.
  bool commandFixes(const Command& command, const Defect& defect) {
    if (++trials_ > kMostDefectTrials || graph_.nodeCount() > kLargestForTrials) return false;
    const ParsedEdit parsed = editFromWords(command.front(), command.mid(1), {}, {});
    if (!parsed.edit.run) return false;
    const EditOutcome outcome = parsed.edit.run(engine_);
    if (!outcome.graph) return false;
    const std::vector<Defect> left = defectsOf(outcome.graph->loaded.meta.graph);
    const auto here = [&](const std::vector<Defect>& list) {
      return std::count_if(list.begin(), list.end(), [&](const Defect& d) { return d.node == defect.node; });
    };
    return left.size() < defects_.size() && here(left) < here(defects_);
  }

  void sure(const QString& what, const Command& command) { fixes_.append({what, command}); }
  void tried(const QString& what, const Command& command, const Defect& d) {
    if (fixes_.size() < 4 && commandFixes(command, d)) fixes_.append({what, command});
  }
  static Command setting(const QString& node, const std::string& attr, const QString& value) {
    return {QStringLiteral("graph.set"), node, text(attr) + u'=' + value};
  }
  static QString place(const QString& node, int input) { return QStringLiteral("%1:%2").arg(node).arg(input); }

  void offer(const Node& node, const Defect& d) {
    const QString name = text(node.name);
    if (d.code == "missing-attr" || d.code == "bad-attr" || d.code == "bad-value") offerValues(node, d);
    if (d.code == "missing-input" || d.code == "no-such-output") offerWires(node, d);
    if (d.code == "missing-control") sure(DefectWords::tr("Remove the control input"), {QStringLiteral("graph.disconnect"), u'^' + text(d.subject), name});
    if (d.code == "control-order") sure(DefectWords::tr("Put control inputs last"), {QStringLiteral("graph.rewrite"), name});
    if (d.code == "duplicate-name" || d.code == "no-name") sure(DefectWords::tr("Name it %1").arg(name), {QStringLiteral("graph.rewrite"), name});
    if (d.code == "bad-name") {
      const QString now = text(validName(graph_, node.name));
      sure(DefectWords::tr("Rename it to %1").arg(now), {QStringLiteral("graph.rename"), name, now});
    }
    if (d.code == "input-count") offerCount(node, d);
    if (d.code == "input-type") offerTypes(node, d);
    if (d.code == "cycle")
      for (const int input : d.inputs)
        if (fixes_.size() < 2)
          tried(DefectWords::tr("Disconnect input %1").arg(inputText(node, input)), {QStringLiteral("graph.disconnect"), place(name, input)}, d);
    if (d.code == "cycle" && fixes_.isEmpty())
      for (const int c : node.controls)
        if (fixes_.isEmpty())
          tried(DefectWords::tr("Remove the control input"), {QStringLiteral("graph.disconnect"), u'^' + text(graph_.node(c)->name), name}, d);
    if (d.code == "no-op") sure(DefectWords::tr("Delete it"), {QStringLiteral("graph.delete"), name});
  }

  void offerValues(const Node& node, const Defect& d) {
    const QString name = text(node.name);
    if (d.code == "missing-attr" && inferredNodes_.count(node.name)) {
      const Attr* value = after_.meta.graph.find(node.name)->attrs.find(d.subject);
      sure(DefectWords::tr("Set %1 to %2 (inferred)").arg(text(d.subject), text(value->toString())), {QStringLiteral("graph.infer-attributes"), name});
      if (inferredNodes_.size() > 1)
        sure(DefectWords::tr("Set all %n missing attribute(s) inferred from wires", nullptr, int(inferredNodes_.size())),
             {QStringLiteral("graph.infer-attributes")});
      return;
    }
    const OpRecord* record = knownOp(node);
    const AttrSpec* spec = record ? record->findAttr(d.subject) : nullptr;
    if (!spec) return;
    const auto set = [&](const QString& value) { tried(DefectWords::tr("Set %1 to %2").arg(text(d.subject), value), setting(name, d.subject, value), d); };
    for (const std::string& value : spec->allowedStrings)
      if (fixes_.size() < 2) set(text(value));
    if (spec->type == "type" && spec->allowedTypes.empty()) set(QStringLiteral("float32"));
    for (const DType type : {DType::Float, DType::Int32})
      if (spec->type == "type" && std::count(spec->allowedTypes.begin(), spec->allowedTypes.end(), type) && fixes_.isEmpty()) set(text(dtypeName(type)));
    if (spec->type == "int" && spec->hasMinimum) set(QString::number(spec->minimum));
    if (spec->type == "bool") set(QStringLiteral("false"));
    if (spec->type == "shape") set(QStringLiteral("?"));
  }

  void offerWires(const Node& node, const Defect& d) {
    const QString name = text(node.name);
    const int input = d.inputs.empty() ? 0 : d.inputs.front();
    const Output source = node.inputs[size_t(input)];
    const DType wanted = size_t(input) < node.inputTypes.size() ? node.inputTypes[size_t(input)] : DType::Invalid;
    if (d.code == "no-such-output") {
      const std::string from = d.subject.substr(0, d.subject.rfind(':'));
      if (const Node* producer = graph_.find(from); producer && !producer->outputTypes.empty())
        tried(DefectWords::tr("Connect %1").arg(text(from) + QStringLiteral(":0")),
              {QStringLiteral("graph.connect"), text(from) + QStringLiteral(":0"), place(name, input)}, d);
    } else if (source.index == 0 && validName(graph_, d.subject + "/new") == d.subject + "/new" && !isRef(wanted)) {
      const QString type = wanted == DType::Invalid ? QStringLiteral("float32") : typeOrUnknown(wanted);
      sure(DefectWords::tr("Add a placeholder %1").arg(text(d.subject)), {QStringLiteral("graph.add"), QStringLiteral("Placeholder"), QStringLiteral("--name"),
                                                                          text(d.subject), QStringLiteral("--set"), QStringLiteral("dtype=") + type});
    }
    sure(DefectWords::tr("Disconnect it"), {QStringLiteral("graph.disconnect"), place(name, input)});
  }

  void offerCount(const Node& node, const Defect& d) {
    const QString name = text(node.name);
    const OpRecord* record = knownOp(node);
    if (!record) return;
    for (const ArgSpec& a : record->inputs)
      if (!a.numberAttr.empty()) {
        const int64_t now = node.attrs.integer(a.numberAttr);
        for (const int64_t by : {1, -1, 2, -2})
          if (now + by > 0 && fixes_.isEmpty())
            tried(DefectWords::tr("Set %1 to %2").arg(text(a.numberAttr)).arg(now + by), setting(name, a.numberAttr, QString::number(now + by)), d);
      }
    const size_t fixed = record->inputs.size();
    const auto notGiven = [&](Output o) { return isMissing(*graph_.node(o.node)); };
    if (std::any_of(node.inputs.begin(), node.inputs.end(), notGiven)) {
      for (size_t i = 0; i < node.inputs.size(); ++i)
        if (notGiven(node.inputs[i]))
          return sure(DefectWords::tr("Leave %1 open").arg(inputText(node, int(i))), {QStringLiteral("graph.disconnect"), place(name, int(i))});
    } else if (node.inputs.size() > fixed) {
      sure(DefectWords::tr("Remove input %1").arg(fixed), {QStringLiteral("graph.disconnect"), place(name, int(fixed))});
    }
  }

  void offerTypes(const Node& node, const Defect& d) {
    const QString name = text(node.name);
    const int input = d.inputs.front();
    const QString wanted = typeOrUnknown(size_t(input) < node.inputTypes.size() ? node.inputTypes[size_t(input)] : DType::Invalid);
    const OpRecord* record = knownOp(node);
    const DType given = size_t(node.inputs[size_t(input)].index) < graph_.node(node.inputs[size_t(input)].node)->outputTypes.size()
                            ? graph_.dtype(node.inputs[size_t(input)])
                            : DType::Invalid;
    // The input's type may come from an attribute of the node.
    if (record && size_t(input) < record->inputs.size() && !record->inputs[size_t(input)].typeAttr.empty() && !record->inputs[size_t(input)].isTypeList) {
      const std::string& attr = record->inputs[size_t(input)].typeAttr;
      tried(DefectWords::tr("Set %1 to %2").arg(text(attr), typeOrUnknown(given)), setting(name, attr, typeOrUnknown(given)), d);
    }
    const auto casts = [](DType t) { return isNumeric(baseType(t)) || baseType(t) == DType::Bool; };
    const DType target = size_t(input) < node.inputTypes.size() ? node.inputTypes[size_t(input)] : DType::Invalid;
    if (casts(given) && casts(target))
      tried(DefectWords::tr("Cast it to %1").arg(wanted),
            {QStringLiteral("graph.insert"), place(name, input), QStringLiteral("Cast"), QStringLiteral("--set"), QStringLiteral("DstT=") + wanted}, d);
    sure(DefectWords::tr("Disconnect it"), {QStringLiteral("graph.disconnect"), place(name, input)});
  }

  const EngineGraph& engine_;
  const Graph& graph_;
  const std::vector<Defect> defects_;
  LoadedGraph after_;                    ///< The graph with all missing attributes that wires determine.
  std::set<std::string> inferredNodes_;  ///< Nodes whose attributes were inferred.
  QVector<QPair<QString, Command>> fixes_;
  int trials_ = 0;
};

}  // namespace

QString defectText(const Graph& graph, const Defect& d) {
  const Node* node = graph.find(d.node);
  const QString subject = text(d.subject), engine = text(d.message);
  if (d.code == "version") return DefectWords::tr("The file requires a reader newer than TensorFlow 1.15: %1").arg(engine);
  if (!node) return engine;
  const QString input = d.inputs.empty() ? QString() : inputText(*node, d.inputs.front());
  if (d.code == "missing-attr") return DefectWords::tr("The attribute %1 is missing.").arg(subject);
  if (d.code == "bad-attr") return DefectWords::tr("The attribute %1 is invalid: %2").arg(subject, engine);
  if (d.code == "bad-value")
    return DefectWords::tr("The attribute %1 cannot be read: %2")
        .arg(subject, engine.mid(engine.indexOf(QLatin1String("': "), engine.indexOf(QLatin1String("' of node '")) + 11) + 3));
  if (d.code == "missing-input") return DefectWords::tr("Input %1 reads %2, which is not in the file.").arg(input, subject);
  if (d.code == "no-such-output") return DefectWords::tr("Input %1 reads %2, but that node has no such output.").arg(input, subject);
  if (d.code == "missing-control") return DefectWords::tr("It has a control input from %1, which is not in the file.").arg(subject);
  if (d.code == "control-order") return DefectWords::tr("A control input comes before a data input.");
  if (d.code == "duplicate-name") return DefectWords::tr("Another node is also called %1. This one is shown as %2.").arg(subject, text(d.node));
  if (d.code == "no-name") return DefectWords::tr("The node has no name in the file. It is shown as %1.").arg(text(d.node));
  if (d.code == "bad-name") return DefectWords::tr("Invalid node name in TensorFlow: only letters, digits and . _ - / are allowed.");
  if (d.code == "no-op") return DefectWords::tr("The file does not name the op of this node.");
  if (d.code == "cycle") return DefectWords::tr("It is on a cycle that is not a loop: %1.").arg(subject);
  if (d.code == "input-count")
    return DefectWords::tr("It has %1 inputs, but %2 expects %3.").arg(subject.section(u'/', 0, 0), text(node->op), subject.section(u'/', 1));
  if (d.code == "removed-op") return DefectWords::tr("TensorFlow 1.15 no longer supports this op in graphs of this version: %1").arg(engine);
  if (d.code == "input-type") {
    const Output source = node->inputs[size_t(d.inputs.front())];
    const DType wanted = size_t(d.inputs.front()) < node->inputTypes.size() ? node->inputTypes[size_t(d.inputs.front())] : DType::Invalid;
    const bool reference = isRef(wanted) && baseType(wanted) == baseType(graph.dtype(source));
    return reference ? DefectWords::tr("Input %1 requires a variable (a reference), but %2 is a value.").arg(input, subject)
                     : DefectWords::tr("Input %1 expects %2, but %3 is %4.").arg(input, typeOrUnknown(wanted), subject, typeOrUnknown(graph.dtype(source)));
  }
  return engine;
}

QVector<Problem> defectProblems(const GraphContents& contents) {
  QVector<Problem> out;
  if (whyRefused(contents.engine->loaded.problems)) out = DefectFixer(contents).problems();
  for (const Defect& d : functionDefects(contents.engine->loaded.meta.graph)) {
    Problem p;
    p.severity = d.code == "function" ? Problem::Severity::Error : Problem::Severity::Warning;
    p.node = text(d.node);
    p.code = text(d.code);
    p.message = DefectWords::tr("The function it calls cannot be built: %1").arg(text(d.message));
    out << p;
  }
  return out;
}

QString whyNotRun(const GraphContents& contents) {
  const auto& problems = contents.engine->loaded.problems;
  const Error* first = whyRefused(problems);
  if (!first) {
    const auto call = std::find_if(contents.problems.begin(), contents.problems.end(), [](const Problem& p) { return p.code == QLatin1String("function"); });
    return call == contents.problems.end() ? QString() : DefectWords::tr("This graph cannot run. %1").arg(call->node + QStringLiteral(": ") + call->message);
  }
  const int more = int(std::count_if(problems.begin(), problems.end(), isDefect)) - 1;
  QString why = text(first->message);
  for (const Problem& p : contents.problems) {
    if (p.node != text(first->node) || !QString::fromStdString(first->kind).endsWith(u':' + p.code)) continue;
    why = p.message;
    break;
  }
  const QString where = first->node.empty() ? why : text(first->node) + QStringLiteral(": ") + why;
  return more > 0 ? DefectWords::tr("This graph cannot run. %1 (%n more in Problems)", nullptr, more).arg(where)
                  : DefectWords::tr("This graph cannot run. %1").arg(where);
}

}  // namespace weft::app
