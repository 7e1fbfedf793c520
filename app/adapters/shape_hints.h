#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A number that people work out by hand: "fan in" "800".
struct ShapeHint {
  QString name, value, tip;
};

/// Of a variable its fans and what the usual initializers make of them; of a convolution or pooling how much is padded and which output that gives.
/// Nothing where the shapes are not known. Cheap enough for the GUI thread.
QVector<ShapeHint> shapeHints(const GraphContents& contents, const QString& node);

}  // namespace weft::app
