#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

/// Names of all ops that the engine has, sorted.
const QStringList& opNames();
/// One sentence on an op; empty if there is none of that name.
QString opSummary(const QString& op);
/// A page of help on an op in Markdown, from its record: arguments, attributes, gradient, devices. Empty if there is none of that name.
QString opHelpPage(const QString& op);

}  // namespace weft::app
