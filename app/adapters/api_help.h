#pragma once

#include <QString>
#include <QStringList>
#include <memory>

#include "adapters/graph_contents.h"

namespace weft::app {

/// Dotted names of all functions below `tf` that the engine builds, sorted: "nn.conv2d".
const QStringList& apiNames();
/// A one-sentence English summary of a function, looked up by name or alias; empty if unknown.
QString apiSummary(const QString& name);
/// The formula of a metric or loss, with y the labels, p the predictions and n their number; empty if none is recorded.
QString apiFormula(const QString& name);
/// Whether the function has a help page.
bool hasApiPage(const QString& name);
/// The function's reference page in Markdown, made from its record: parameters, result, other names, and the example once it is known. The records are in
/// English. Empty if the name is unknown.
QString apiHelpPage(const QString& name);

/// A function called with placeholders and the defaults of its record.
struct ApiExample {
  GraphContentsPtr contents;  ///< Null: no call was found that builds a graph.
  QString call;               ///< As written in Python.
  QStringList ops;            ///< Sorted types of the nodes it made, without the placeholders.
};
using ApiExamplePtr = std::shared_ptr<const ApiExample>;
/// Built on the first request, which takes some milliseconds. Any thread.
ApiExamplePtr apiExample(const QString& name);
/// The example if it was already built, else null.
ApiExamplePtr knownApiExample(const QString& name);

}  // namespace weft::app
