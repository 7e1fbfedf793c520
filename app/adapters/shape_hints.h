#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A number otherwise worked out by hand: "fan in" "800".
struct ShapeHint {
  QString name, value, tip;
};

/// For a variable, its fans and the ranges of the usual initializers; for a convolution or pooling, the padding and the resulting size. Empty where the shapes
/// are unknown. Cheap enough for the GUI thread.
QVector<ShapeHint> shapeHints(const GraphContents& contents, const QString& node);

}  // namespace weft::app
