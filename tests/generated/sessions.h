#pragma once

#include "outcome.h"

namespace weft::generated {

/// Runs the steps in two sessions of one graph, alternating or on a thread each. Returns the result of one, or an INTERNAL error if the other
/// differs.
Outcome besideAnother(const Case& one, bool threads);
/// In a session that first knows what the first step needs only, and gets further nodes before later steps. Where one step needs all and nothing keeps state, it is tried with
/// the first half of its fetches before.
Outcome extended(const Case& one);

}  // namespace weft::generated
