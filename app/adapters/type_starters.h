// What a gesture fills in when it adds something: parameters that were typed, values to begin with, wires that everybody would draw.
#pragma once

#include <QString>
#include <QStringList>

#include "adapters/graph_contents.h"

namespace weft::app {

/// NAME=VALUE words for `graph.add TYPE`. `typed`: what stands behind the name in a field ("32 3x3 same relu"): each word goes to the first parameter
/// that takes it, those that the palette shows come first; NAME=VALUE is taken as it is. Parameters without a default get a value to begin with, in view
/// of `tensor` ("NODE:0", may be empty), which will be the input. `error`: a sentence on a word that no parameter takes.
QStringList settingsFor(const GraphContents& contents, const QString& type, const QString& typed, const QString& tensor, QString* error);

/// `--from` words that lead `tensor` to the input of `type` where it belongs; a loss or metric takes the labels that the data give, too. Empty: it does
/// not fit, or nothing is to be connected.
QStringList wiresFor(const GraphContents& contents, const QString& type, const QString& tensor);

/// What a layer gives ("conv1/Relu:0"); empty: it is no layer.
QString outputOfLayer(const GraphContents& contents, const QString& scope);

}  // namespace weft::app
