// Places new items in a drawing that must not change otherwise.
#pragma once

#include <vector>

#include "layout/container_layout.h"

namespace weft::layout {

/// Gives every child of the container that is not `fixed` a free place in `now`, near the items that it is wired to; fixed items don't move. Items after an
/// existing one go to its right with a straight wire, items before one to its left, items between two into the gap if it is wide enough, parameters beneath
/// their reader, and helpers below everything. `automatic` is the full automatic layout: it gives the order, and a large number of new items keeps its
/// arrangement there, as one block beneath the others.
void placeBesideNeighbours(const ContainerProblem& problem, const Options& options, const std::vector<Box>& automatic, const std::vector<char>& fixed,
                           std::vector<Box>& now);

}  // namespace weft::layout
