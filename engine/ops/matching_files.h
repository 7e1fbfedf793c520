#pragma once

#include <set>
#include <string>

#include "weft/error.h"

namespace weft {

/// Adds the names of files that match a pattern ("data/*.txt"). NOT_FOUND if the folder does not exist.
Status addMatchingFiles(const std::string& pattern, std::set<std::string>& found);

}  // namespace weft
