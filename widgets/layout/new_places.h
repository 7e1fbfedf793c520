// Where new items of a drawing go that is to last.
#pragma once

#include <vector>

#include "layout/container_layout.h"

namespace weft::layout {

/// Gives every child of the container that is not `fixed` a place in `now`, near what it is wired to and where nothing lies; what is fixed does not
/// move. Items behind one that is there go to its right with a straight wire, items before one to its left, items between two into the gap if it is
/// wide enough, parameters beneath their reader, and what is aside below everything. `automatic` is the drawing that the passes made of all items:
/// it gives the order, and many new items keep the form that they have there, as one block beneath the others.
void placeBesideNeighbours(const ContainerProblem& problem, const Options& options, const std::vector<Box>& automatic, const std::vector<char>& fixed,
                           std::vector<Box>& now);

}  // namespace weft::layout
