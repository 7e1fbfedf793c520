// Edits that mend nodes which TensorFlow would refuse.
#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/defects.h"

namespace weft::app {

GraphEdit inferAttributesEdit(const EditWords& w) {
  const QStringList names = w.positional;  // not the selection: no names are all nodes
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

/// The node is written as it is shown from now on: under its own name, with its inputs in TensorFlow's order.
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
