#pragma once

#include <string>
#include <vector>

#include "weft/dtype.h"

namespace weft {

/// "float, int32": several types as TensorFlow's messages list them.
inline std::string typeList(const std::vector<DType>& types) {
  std::string text;
  for (const DType t : types) text += (text.empty() ? "" : ", ") + dtypeShortName(t);
  return text;
}

}  // namespace weft
