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

/// Stores the node as it is displayed: under its own name, with its inputs in TensorFlow's order.
GraphEdit rewriteEdit(const EditWords& w) {
  const QStringList names = w.names();
  return makeEdit(GraphEdits::tr("Repair %1").arg(lastPart(names.value(0))), [names](LayerEditor& layers, EditOutcome& out) -> Status {
    GraphEditor& editor = layers.editor();
    for (const QString& name : names) {
      WEFT_LET(const int id, editor.find(name.toStdString()));
      WEFT_TRY(editor.graph().change(id, [](Node&) {}));
      editor.touch(id);
    }
    out.select = names;
    return {};
  });
}

}  // namespace weft::app
