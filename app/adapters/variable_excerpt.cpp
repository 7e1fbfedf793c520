#include "adapters/variable_excerpt.h"

#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "common/format.h"
#include "weft/op_traits.h"

namespace weft::app {
namespace {

/// Passes a variable's value on without computing anything.
bool isRead(const Node& n) { return roleOf(n) == OpRole::Identity || roleOf(n) == OpRole::ReadVariable || roleOf(n) == OpRole::Enter; }

bool isUpdate(const Node& n) { return roleOf(n) == OpRole::ApplyGradient; }

/// Nodes that maintain a network, but are not part of its computation.
bool isHousekeeping(const Node& n) {
  const OpRole r = roleOf(n);
  return changesVariable(r) || r == OpRole::Save || r == OpRole::Restore || r == OpRole::Summary || r == OpRole::Group || r == OpRole::ProbeVariable ||
         n.name.find("gradients") != std::string::npos || n.name.find("/Initializer/") != std::string::npos;
}

QString optimizerOf(const std::string& op) {
  QString name = text(op);
  for (const char* start : {"ResourceSparse", "Resource", "Sparse"})
    if (name.startsWith(QLatin1String(start))) name.remove(0, qsizetype(qstrlen(start)));
  name.remove(0, 5);  // Apply
  return name == QLatin1String("GradientDescent") ? QStringLiteral("SGD") : name;
}

ExcerptNode describe(const Graph& graph, const Node& n) {
  const QString name = text(n.name);
  return {name, widgets::lastPart(name), keyAttribute(graph, n), widgets::opCategoryName(categoryOf(n)), isVariable(n)};
}

/// Whether `n` takes an output of `from` as data.
bool takes(const Node& n, int from) {
  return std::any_of(n.inputs.begin(), n.inputs.end(), [from](const Output& in) { return in.node == from; });
}

}  // namespace

VariableExcerpt excerptOf(const GraphContents& contents, const QString& variable) {
  VariableExcerpt out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node* start = graph.find(variable.toStdString());
  if (!start || !isVariable(*start)) return out;
  const auto consumers = graph.consumers();
  // Find the ops that compute with its value, also behind nodes that only pass it on.
  std::vector<int> sources{start->id}, readers;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const int id : consumers[std::size_t(sources[i])]) {
      const Node& n = *graph.node(id);
      if (isUpdate(n) && out.optimizer.isEmpty()) out.optimizer = optimizerOf(n.op);
      if (isHousekeeping(n) || !takes(n, sources[i])) continue;
      if (isRead(n)) sources.push_back(id);
      else if (std::find(readers.begin(), readers.end(), id) == readers.end()) readers.push_back(id);
    }
  }
  out.chain << describe(graph, *start);
  if (readers.empty()) return out;
  const Node& reader = *graph.node(readers.front());
  out.chain << describe(graph, reader);
  for (std::size_t i = 1; i < readers.size(); ++i) out.otherReaders << text(graph.node(readers[i])->name);
  int last = reader.id;
  for (bool found = true; found && out.chain.size() < 3;) {
    found = false;
    for (const int id : consumers[std::size_t(last)]) {
      const Node& n = *graph.node(id);
      if (isHousekeeping(n) || !takes(n, last)) continue;
      last = id;
      found = true;
      if (!isRead(n)) out.chain << describe(graph, n);
      break;
    }
  }
  return out;
}

}  // namespace weft::app
