#pragma once

#include <QString>

#include "adapters/graph_contents.h"
#include "graph_view/graph_model.h"

namespace weft::app {

/// Name, type, shape and documentation of a port of the canvas. A look-up: cheap enough for every movement of the mouse.
widgets::PortInfo portInfo(const GraphContents& contents, const widgets::Port& port);
/// Whether a wire may be drawn: types first, then what the op's shape function says of the shapes that are known. `why` gets a sentence. Cheap.
bool mayConnect(const GraphContents& contents, const widgets::Port& from, const widgets::Port& to, QString* why);

/// `conv1/Relu:0`, for commands.
QString tensorName(const GraphContents& contents, const widgets::Port& output);
/// What `graph.connect` and `graph.disconnect` call an input: `loss:1`. The inputs of a layer are those of its recipe, whichever of its ops the
/// wire is drawn to.
QString inputName(const GraphContents& contents, const widgets::Port& input);

}  // namespace weft::app
