#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

/// A shape error as one sentence: "MaxPool wants 4 dimensions, 50×784 has 2." `who` is the node or layer; `message` is the engine's text, in TensorFlow's
/// words. `sources` names the tensors at the inputs, where known; the one at fault is appended, "(from conv1/Relu:0)". Unknown messages are returned without
/// the op signature at their end. Any thread.
QString shapeWords(const QString& who, const QString& message, const QStringList& sources = {});

}  // namespace weft::app
