#pragma once

#include "ops/datasets.h"

namespace weft {

/// An Optional as a Variant scalar: an element, or nothing.
Tensor optionalOf(Element element);
Tensor emptyOptional();

}  // namespace weft
