#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

/// A shape rule's refusal as one sentence: "MaxPool wants 4 dimensions, 50×784 has 2." `who` is the node or layer; `message` is what the engine says, in
/// TensorFlow's words. `sources` names the tensors at the inputs, as far as they are known: the one at fault is added, "(from conv1/Relu:0)".
/// What is not known comes back without the op signature at its end. Any thread.
QString shapeWords(const QString& who, const QString& message, const QStringList& sources = {});

}  // namespace weft::app
