// Values and wires that a gesture fills in when it adds a node: typed parameters, starting values, obvious wires.
#pragma once

#include <QString>
#include <QStringList>

#include "adapters/graph_contents.h"

namespace weft::app {

/// NAME=VALUE words for `graph.add TYPE`. `typed`: the words after the name in a field ("32 3x3 same relu"). Each word goes to the first parameter that accepts
/// it, those shown in the palette first; NAME=VALUE is used as it is. Parameters without a default get a starting value that suits `tensor` ("NODE:0", may be
/// empty), the future input. `error`: a sentence on a word that no parameter accepts.
QStringList settingsFor(const GraphContents& contents, const QString& type, const QString& typed, const QString& tensor, QString* error);

/// `--from` words that connect `tensor` to the proper input of `type`; a loss or metric also gets the data's labels. Empty: it does not fit, or nothing is to
/// be connected.
QStringList wiresFor(const GraphContents& contents, const QString& type, const QString& tensor);

/// The output of a layer ("conv1/Relu:0"); empty: not a layer.
QString outputOfLayer(const GraphContents& contents, const QString& scope);

}  // namespace weft::app
