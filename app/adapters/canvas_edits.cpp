// Edits that concern the canvas only.
#include "adapters/canvas_edits.h"

#include <QCoreApplication>
#include <set>
#include <string>

#include "adapters/edit_words.h"
#include "adapters/engine_graph.h"
#include "weft/canvas_drawing.h"
#include "weft/edit.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct CanvasEditWords {
  Q_DECLARE_TR_FUNCTIONS(CanvasEdits)
};

}  // namespace

GraphEdit chainEdits(const QString& text, QVector<GraphEdit> parts) {
  return {text, [parts = std::move(parts)](const EngineGraph& before) {
            EditOutcome all;
            for (const GraphEdit& part : parts) {
              if (!part.run) continue;
              EditOutcome one = part.run(all.graph ? *all.graph : before);
              if (!one.graph) return one;
              all.graph = one.graph;
              if (!one.select.isEmpty()) all.select = one.select;
              if (!one.note.isEmpty()) all.note += (all.note.isEmpty() ? QString() : QStringLiteral(" ")) + one.note;
            }
            return all;
          }};
}

GraphEdit unplaceEdit(const QStringList& names) {
  return makeEdit(CanvasEditWords::tr("Tidy"), [names](LayerEditor& layers, EditOutcome&) -> Status {
    std::set<std::string> forgotten;
    for (const QString& name : names) forgotten.insert(name.toStdString());
    forgetCanvasPlaces(layers.editor().meta(), forgotten);
    return {};
  });
}

}  // namespace weft::app
