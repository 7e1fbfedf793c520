#pragma once

#include "outcome.h"

namespace weft::generated {

/// The steps in two sessions of one graph, taking turns or each on a thread of its own: what one gives is given back, and an INTERNAL error in its place if the other one gives
/// anything else.
Outcome besideAnother(const Case& one, bool threads);
/// In a session that first knows what the first step needs only, and gets further nodes before later steps. Where one step needs all and nothing keeps state, it is tried with
/// the first half of its fetches before.
Outcome extended(const Case& one);

}  // namespace weft::generated
