#pragma once

#include <QString>
#include <QStringList>

namespace weft::app {

/// Sorted names of all ops of the engine.
const QStringList& opNames();
/// One sentence on an op; empty if the name is unknown.
QString opSummary(const QString& op);
/// An op's help page in Markdown, made from its record: arguments, attributes, gradient, devices. Empty if the name is unknown.
QString opHelpPage(const QString& op);

}  // namespace weft::app
