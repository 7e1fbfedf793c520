#pragma once

#include <QString>

#include "adapters/graph_contents.h"

namespace weft::app {

/// The node whose tensor was logged under `tag`: the input of the summary op with that tag, else the node of that name. Empty: none. Tags of images and sounds
/// end in a number (`input/image/0`). Any thread.
QString nodeOfTag(const GraphContents& contents, const QString& tag);

}  // namespace weft::app
