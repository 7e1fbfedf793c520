#pragma once

#include <QString>
#include <QVector>

#include "palette/palette_model.h"

namespace weft::app {

/// Everything that can be added to a graph: snippets of one's own, layers, losses and what else is built from ops (their ApiRecords), then all ops by category. In the
/// present language. Made once for each language and when there are other snippets; cheap afterwards.
const QVector<widgets::PaletteItem>& paletteItems();

/// How many tensors a type takes at least, and whether it gives any: "MatMul", "layers.dense". False if there is no such type.
struct TypeFacts {
  int inputs = 0, outputs = 0;
  QString page;  ///< of the help: "op/MatMul"
};
bool typeFacts(const QString& type, TypeFacts* facts);

}  // namespace weft::app
