#pragma once

#include <QString>

#include "adapters/graph_contents.h"

namespace weft::app {

/// The node whose tensor was logged under `tag`: what a summary op of that tag takes, else the node of that name. Empty: the graph has none.
/// Tags of images and sounds end in their number (`input/image/0`). Any thread.
QString nodeOfTag(const GraphContents& contents, const QString& tag);

}  // namespace weft::app
