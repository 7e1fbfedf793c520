#pragma once

#include <QStringList>

namespace weft::app {

/// Names of the data sets that come with Weft, as `graph.bind-data` takes them.
QStringList builtinDatasets();

/// What `graph.set-training --optimizer` takes: "Adam", "Momentum" ….
QStringList optimizerNames();

}  // namespace weft::app
