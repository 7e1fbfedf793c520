#pragma once

#include "weft/api.h"

namespace weft::api {

/// Records of recurrent layers that are loops.
void registerLoops(ApiRegistry& registry);

}  // namespace weft::api
