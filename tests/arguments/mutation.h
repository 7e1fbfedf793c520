#pragma once

#include "base_calls.h"
#include "odd_values.h"

namespace weft::arguments {

/// Mutates one to three arguments of the call's node: inputs (value, shape, type, kind of handle, count), attributes, or preceding steps.
void spoil(Dice& dice, Call& call);

}  // namespace weft::arguments
