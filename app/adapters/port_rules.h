#pragma once

#include <QString>

#include "adapters/graph_contents.h"
#include "graph_view/graph_model.h"

namespace weft::app {

/// Name, type, shape and documentation of a port of the canvas. A look-up, cheap enough for every mouse move.
widgets::PortInfo portInfo(const GraphContents& contents, const widgets::Port& port);
/// Whether a wire may be drawn: checks types first, then the op's shape function on the known shapes. `why` gets an error sentence. Cheap.
bool mayConnect(const GraphContents& contents, const widgets::Port& from, const widgets::Port& to, QString* why);

/// `conv1/Relu:0`, for commands.
QString tensorName(const GraphContents& contents, const widgets::Port& output);
/// The input's name in `graph.connect` and `graph.disconnect`: `loss:1`. For a layer it is the recipe's input, whichever inner op the wire is drawn to.
QString inputName(const GraphContents& contents, const widgets::Port& input);

}  // namespace weft::app
