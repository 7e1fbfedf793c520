#pragma once

#include <QString>

#include "adapters/graph_contents.h"

namespace weft::app {

/// One sentence if the document was made by a newer Weft, whose additions this one would lose when it writes the file; else empty. Reads a few bytes.
QString newerVersionText(const GraphContents& contents, const QString& title);

}  // namespace weft::app
