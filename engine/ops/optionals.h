#pragma once

#include "ops/datasets.h"

namespace weft {

/// An Optional: an element, or nothing; as a Variant scalar.
Tensor optionalOf(Element element);
Tensor emptyOptional();

}  // namespace weft
