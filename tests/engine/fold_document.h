// Documents for the tests of folding, and what they compare.
#pragma once

#include <QString>
#include <QStringList>
#include <algorithm>
#include <set>

#include "weft/builder.h"
#include "weft/expressions.h"
#include "weft/fold.h"
#include "weft/recipes.h"

using namespace weft;

namespace fold_tests {

inline QString q(const std::string& s) { return QString::fromStdString(s); }

/// The document as another program would have saved it: no layers, no notes.
inline void strip(MetaGraph& meta) {
  std::erase_if(meta.collections, [](const auto& c) { return c.first.starts_with("weft/"); });
}

struct Folded {
  MetaGraph meta;
  FoldReport report;
  Status status;
};

inline Folded foldOf(const MetaGraph& from, const std::vector<std::string>& scopes = {}) {
  Folded out;
  out.meta = from;
  std::vector<Error> problems;
  GraphEditor editor(out.meta, problems);
  LayerEditor layers(editor);
  auto report = fold(layers, scopes);
  out.status = report.ok() ? finishEdit(layers) : Status(report.error());
  if (report.ok()) out.report = std::move(*report);
  return out;
}

/// "dense layers.dense units=3 activation=relu", a line for each proposal.
inline QString lines(const FoldReport& report) {
  QStringList out;
  for (const FoldProposal& p : report.proposals) {
    QString line = q(p.scope) + u' ' + q(p.kind);
    TextAttrs parameters = p.parameters;
    std::sort(parameters.begin(), parameters.end());
    for (const auto& [name, value] : parameters) line += u' ' + q(name) + u'=' + q(value);
    if (p.form == FoldProposal::Kind::Group) line += QStringLiteral(" ×%1").arg(p.instances.size());
    out << line;
  }
  return out.join(u'\n');
}

inline QString reasons(const FoldReport& report) {
  QStringList out;
  for (const FoldLeft& l : report.left) out << q(l.node) + QStringLiteral(": ") + q(l.reason);
  return out.join(u'\n');
}

/// Op, attributes and wires of every node, without names; those of `meta` in the order of the graph.
inline std::vector<std::string> structureOf(const MetaGraph& meta) {
  std::vector<std::string> out;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* n = meta.graph.node(id);
    if (!n) continue;
    std::string line = n->op;
    for (const auto& [name, value] : n->attrs)
      if (name != "_class" && name != "shared_name") line += " " + name + "=" + value.toString();
    for (const Output o : n->inputs) line += concat(" ", o.node, ":", o.index);
    for (const int c : n->controls) line += concat(" ^", c);
    out.push_back(line);
  }
  return out;
}

inline std::set<std::string> variablesOf(const MetaGraph& meta) {
  std::set<std::string> out;
  for (int id = 0; id < meta.graph.size(); ++id)
    if (const Node* n = meta.graph.node(id); n && n->op == "VariableV2") out.insert(n->name);
  return out;
}

/// A network written by hand: its variables lie where their author put them.
struct ByHand {
  MetaGraph meta;
  GraphBuilder b{meta};
  Output variable(const std::string& name, const Shape& shape) {
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", shape}}, name);
    return b.op("Identity", {v}, {}, name + "/read");
  }
};

inline Status setParameter(MetaGraph& meta, const std::string& scope, const std::string& name, const std::string& text) {
  std::vector<Error> problems;
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  if (!layers.find(scope)) return notFound("no layer ", scope);
  WEFT_TRY(layers.setParameter(*layers.find(scope), name, text));
  return finishEdit(layers);
}

}  // namespace fold_tests
