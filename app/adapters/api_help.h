#pragma once

#include <QString>
#include <QStringList>
#include <memory>

#include "adapters/graph_contents.h"

namespace weft::app {

/// Dotted names of all functions below `tf` that the engine builds, sorted: "nn.conv2d".
const QStringList& apiNames();
/// One sentence on a function, by its name or an alias, in English; empty if there is none of that name.
QString apiSummary(const QString& name);
/// Of a metric or loss: what it computes, y the labels, p the predictions, n their number; empty: none is written down.
QString apiFormula(const QString& name);
/// Whether there is a page on it.
bool hasApiPage(const QString& name);
/// A page of the reference in Markdown, from the function's record: parameters, what it returns, other names, and the example once it is known. The records
/// speak English. Empty if there is none of that name.
QString apiHelpPage(const QString& name);

/// A function called with placeholders and the defaults of its record.
struct ApiExample {
  GraphContentsPtr contents;  ///< Null: no call was found that a graph can be made of without more.
  QString call;               ///< As Python has it.
  QStringList ops;            ///< Types of the nodes that it made, without the placeholders, sorted.
};
using ApiExamplePtr = std::shared_ptr<const ApiExample>;
/// Made when it is asked for the first time, in some milliseconds. Any thread.
ApiExamplePtr apiExample(const QString& name);
/// The same if it was made already, else null.
ApiExamplePtr knownApiExample(const QString& name);

}  // namespace weft::app
