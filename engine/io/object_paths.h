// Paths of objects that refer to one another by name: those of object-based checkpoints and of SavedModels.
#pragma once

#include <string>
#include <vector>

#include "weft/error.h"

namespace weft {

/// The children of one object.
using NamedChildren = std::vector<std::pair<std::string, int>>;

/// The shortest chain of names from the first object to each: "model/layers/0". Empty for the first one and for those that it does not lead to. DATA_LOSS of kind
/// "malformed" for references to objects that do not exist, and if all paths together are longer than 64 MB, which no program writes.
Result<std::vector<std::string>> objectPaths(const std::vector<NamedChildren>& objects);

}  // namespace weft
