#pragma once

#include <QString>

#include "adapters/graph_contents.h"

namespace weft::app {

/// One sentence if a newer Weft made the document and this one would lose its additions on saving; else empty. Reads a few bytes.
QString newerVersionText(const GraphContents& contents, const QString& title);

}  // namespace weft::app
