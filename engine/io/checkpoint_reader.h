#pragma once

#include <functional>
#include <span>

#include "weft/checkpoint.h"

namespace weft {

/// `pattern`: a file, a prefix of shards ("v-?????-of-00002" or just "v"), with wildcards allowed in the last part.
Result<std::unique_ptr<CheckpointReader>> openCheckpointV1(FileSystem& files, const std::string& pattern);
/// The files that match a V1 pattern, sorted; empty if there are none.
std::vector<std::string> filesOfV1(FileSystem& files, const std::string& pattern);

/// An item of a V1 checkpoint without its values.
struct V1Part {
  std::string name;
  DType dtype = DType::Invalid;
  Shape full;
  TensorSlice slice;  ///< Empty: the whole tensor.
};
/// As writeCheckpointV1(), but `read` is asked for the value of each part when it is written, so that only one is in memory. Parts are written by name.
Status writeV1Parts(const std::string& path, std::span<const V1Part> parts, const std::function<Result<Tensor>(size_t part)>& read, FileSystem& files);

}  // namespace weft
