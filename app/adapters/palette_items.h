#pragma once

#include <QString>
#include <QVector>

#include "palette/palette_model.h"

namespace weft::app {

/// Everything that can be added to a graph: the user's snippets; layers, losses and other functions built from ops (their ApiRecords); then all ops by
/// category. In the present language. Cached, and rebuilt when the language or the snippets change.
const QVector<widgets::PaletteItem>& paletteItems();

/// The minimum number of input tensors of a type, and whether it has outputs: "MatMul", "layers.dense". False for an unknown type.
struct TypeFacts {
  int inputs = 0, outputs = 0;
  QString page;  ///< help page: "op/MatMul"
};
bool typeFacts(const QString& type, TypeFacts* facts);

}  // namespace weft::app
