// Loops, branches and gradients of a graph, for its canvas.
#pragma once

#include <memory>

#include "adapters/graph_contents.h"
#include "layout/flow_facts.h"

namespace weft::app {

/// Facts by node index in the arrays. Any thread; linear.
std::shared_ptr<const layout::FlowFacts> flowFactsOf(const GraphContents& contents);

}  // namespace weft::app
