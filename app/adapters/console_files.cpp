#include "adapters/console_files.h"

#include <QCoreApplication>
#include <QFile>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "adapters/graph_files.h"
#include "support/debug_wire.h"
#include "weft/edit.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct ConsoleFiles {
  Q_DECLARE_TR_FUNCTIONS(ConsoleFiles)
};

template <typename T>
void addMissing(std::vector<T>& list, const std::vector<T>& more) {
  for (const T& each : more)
    if (std::find(list.begin(), list.end(), each) == list.end()) list.push_back(each);
}

/// Adds to `to` everything in `from` that it lacks. Returns the names of the new nodes.
Result<std::vector<std::string>> addMissingParts(MetaGraph& to, const MetaGraph& from) {
  const Graph& fresh = from.graph;
  // Nodes of a loop refer to later ones, so ids are assigned before nodes are added.
  std::vector<int> id(size_t(fresh.size()), -1);
  std::vector<const Node*> added;
  for (int i = 0; i < fresh.size(); ++i) {
    const Node* node = fresh.node(i);
    if (!node) continue;
    const Node* known = to.graph.find(node->name);
    if (known && known->op != node->op) return alreadyExists(node->name, " is ", known->op, " in the document and ", node->op, " in the console.");
    id[size_t(i)] = known ? known->id : to.graph.size() + int(added.size());
    if (!known) added.push_back(node);
  }
  std::vector<std::string> names;
  for (const Node* node : added) {
    Node copy = *node;
    for (Output& in : copy.inputs) in.node = id[size_t(in.node)];
    for (int& control : copy.controls) control = id[size_t(control)];
    names.push_back(copy.name);
    WEFT_TRY(to.graph.add(std::move(copy)).status());
  }
  if (fresh.functions && !to.graph.functions) to.graph.functions = fresh.functions;
  to.graph.statesShapes |= fresh.statesShapes;
  for (const auto& [name, more] : from.collections) {
    if (name.starts_with("weft/")) continue;
    const auto known = to.collections.find(name);
    if (known == to.collections.end()) {
      to.collections[name] = more;
      continue;
    }
    if (known->second.kind != more.kind) continue;
    addMissing(known->second.nodes, more.nodes);
    addMissing(known->second.bytes, more.bytes);
    addMissing(known->second.ints, more.ints);
    addMissing(known->second.floats, more.floats);
    addMissing(known->second.anys, more.anys);
  }
  return names;
}

}  // namespace

QString writeForConsole(const GraphContents& contents, const TrainedModel* model, const QString& folder) {
  // Collections that only Weft reads (positions, recipes) stay with the document.
  MetaGraph meta = contents.engine->loaded.meta;
  std::erase_if(meta.collections, [](const auto& c) { return c.first.starts_with("weft/"); });
  const std::string path = folder.toStdString() + "/";
  if (Status s = saveGraphFile(meta, GraphFormat::MetaBinary, path + kConsoleGraph); !s.ok()) return errorText(s.error());
  nlohmann::json values = nlohmann::json::object();
  if (model) {
    int count = 0;
    for (const auto& [name, value] : model->trainer()->session().variables()) {
      const std::string file = concat("variable-", count++, ".tensor");
      if (writeTensorFile(path + file, value).ok()) values[name] = file;
    }
  }
  QFile out(folder + u'/' + QLatin1String(kConsoleValues));
  const std::string json = values.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!out.open(QIODevice::WriteOnly) || out.write(json.data(), qint64(json.size())) != qint64(json.size())) return out.errorString();
  return {};
}

GraphEdit consoleEdit(const QString& file) {
  return makeEdit(GraphEdits::tr("Import from console"), [file](LayerEditor& layers, EditOutcome& out) -> Status {
    WEFT_LET(const LoadedGraph fresh, loadGraphFile(file.toStdString()));
    WEFT_LET(const auto names, addMissingParts(layers.editor().meta(), fresh.meta));
    if (names.empty()) return failedPrecondition(ConsoleFiles::tr("The console's graph has no nodes that the document does not have.").toStdString());
    for (const std::string& name : names) {
      if (const Node* node = layers.editor().graph().find(name)) layers.editor().touch(node->id);
      QString top = text(name);
      if (const qsizetype slash = top.indexOf(u'/'); slash > 0) top.truncate(slash);
      if (!out.select.contains(top) && out.select.size() < 200) out.select << top;
    }
    return {};
  });
}

}  // namespace weft::app
