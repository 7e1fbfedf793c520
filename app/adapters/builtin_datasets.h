#pragma once

#include <QStringList>

namespace weft::app {

/// Names of the built-in data sets, as `graph.bind-data` takes them.
QStringList builtinDatasets();

/// Names that `graph.set-training --optimizer` takes: "Adam", "Momentum" ….
QStringList optimizerNames();

}  // namespace weft::app
