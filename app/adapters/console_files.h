// Exchanges graphs and values between a document and the Python console, which is a separate process.
#pragma once

#include <QString>

#include "adapters/graph_contents.h"
#include "adapters/graph_edit.h"
#include "adapters/trained_model.h"

namespace weft::app {

inline constexpr const char* kConsoleGraph = "document.meta";
inline constexpr const char* kConsoleValues = "values.json";

/// Writes the graph, and its variables' values from `model` (null: none), into a folder: a meta graph, and a JSON object of names and files with raw values
/// (support/debug_wire.h). Any thread; blocks. Returns an error in one line, or empty.
QString writeForConsole(const GraphContents& contents, const TrainedModel* model, const QString& folder);

/// The edit that adds what the meta graph in `file` has and the document lacks: nodes, collection entries, functions. Nodes of the document stay unchanged; a
/// node of the same name with another op is an error.
GraphEdit consoleEdit(const QString& file);

}  // namespace weft::app
