// Edits that repair nodes which TensorFlow would refuse.
#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/defects.h"

namespace weft::app {

GraphEdit inferAttributesEdit(const EditWords& w) {
  const QStringList names = w.positional;  // never the selection: without names, all nodes are meant
  return makeEdit(GraphEdits::tr("Set missing attributes"), [names](LayerEditor& layers, EditOutcome& out) -> Status {
    std::vector<int> nodes;
    if (!names.isEmpty()) {
      WEFT_LET(nodes, nodesNamed(layers.editor().graph(), names));
    }
    WEFT_TRY(inferMissingAttrs(layers.editor(), nodes));
    out.select = names;
    return {};
  });
}

GraphEdit rewriteEdit(const EditWords& w) {
  const QStringList names = w.names();
  return makeEdit(GraphEdits::tr("Repair %1").arg(lastPart(names.value(0))), [names](LayerEditor& layers, EditOutcome& out) -> Status {
    for (const QString& name : names) WEFT_TRY(rewriteNode(layers.editor(), name.toStdString()));
    out.select = names;
    return {};
  });
}

}  // namespace weft::app
