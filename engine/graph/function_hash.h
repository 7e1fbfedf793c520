#pragma once

#include <cstdint>
#include <string>

#include "weft/error.h"

namespace tensorflow {
class FunctionDef;
}

namespace weft {

/// The hash of a function's contents as TensorFlow computes it; independent of the order of nodes and attributes.
Result<uint64_t> functionHash(const tensorflow::FunctionDef& def);

/// The hash as used in names: eleven letters and digits.
std::string hashText(uint64_t hash);

}  // namespace weft
