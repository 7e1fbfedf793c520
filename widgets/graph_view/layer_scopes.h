// Which scopes of a graph are layers.
#pragma once

#include <vector>

namespace weft::widgets {

class GraphModel;

/// For each scope 1 if it is a layer: what the model calls one, else a scope that holds weights of its own, or the op that a layer is made for (a
/// convolution, a product of matrices). No layer lies in another one.
std::vector<char> layerScopes(const GraphModel& model);

}  // namespace weft::widgets
