#pragma once

#include "base_calls.h"
#include "odd_values.h"

namespace weft::arguments {

/// Spoils one to three arguments of the call's node: inputs (value, shape, type, kind of handle, number), attributes, or what ran before.
void spoil(Dice& dice, Call& call);

}  // namespace weft::arguments
