// Finds the scopes that are layers.
#pragma once

#include <vector>

namespace weft::widgets {

class GraphModel;

/// For each scope, 1 if it is a layer: the model says so, or it has weights, or it contains an op that forms a layer (a convolution, a matrix product). Layers
/// never nest.
std::vector<char> layerScopes(const GraphModel& model);

}  // namespace weft::widgets
