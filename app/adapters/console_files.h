// What goes between a document and the Python console in its own process.
#pragma once

#include <QString>

#include "adapters/graph_contents.h"
#include "adapters/graph_edit.h"
#include "adapters/trained_model.h"

namespace weft::app {

inline constexpr const char* kConsoleGraph = "document.meta";
inline constexpr const char* kConsoleValues = "values.json";

/// Writes the graph, and the values of its variables as `model` has them (null: none), into a folder: a meta graph, and a JSON object of names and files with
/// raw values (support/debug_wire.h). Any thread; blocks. An error in one line, or empty.
QString writeForConsole(const GraphContents& contents, const TrainedModel* model, const QString& folder);

/// The edit that adds what the meta graph in `file` has beyond the document: nodes, entries of collections, functions. Nodes of the document stay as they are;
/// one of another op under the same name is an error.
GraphEdit consoleEdit(const QString& file);

}  // namespace weft::app
