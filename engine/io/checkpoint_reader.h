#pragma once

#include "weft/checkpoint.h"

namespace weft {

/// `pattern`: a file, a prefix of shards ("v-?????-of-00002" or just "v"), with wildcards allowed in the last part.
Result<std::unique_ptr<CheckpointReader>> openCheckpointV1(FileSystem& files, const std::string& pattern);
/// The files that match a V1 pattern, sorted; empty if there are none.
std::vector<std::string> filesOfV1(FileSystem& files, const std::string& pattern);

}  // namespace weft
