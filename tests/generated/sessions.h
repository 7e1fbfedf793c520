#pragma once

#include "outcome.h"

namespace weft::generated {

/// Runs the steps in two sessions of one graph, alternating or on a thread each. Returns the result of one, or an INTERNAL error if the other
/// differs.
Outcome besideAnother(const Case& one, bool threads);
/// Runs in a session that starts with the nodes of the first step and is extended before later steps. If one step needs all nodes and there is no state, half
/// of its fetches are run first.
Outcome extended(const Case& one);

}  // namespace weft::generated
