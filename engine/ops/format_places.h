#pragma once

#include <vector>

#include "weft/attr.h"
#include "weft/shape.h"

// How dims of one data format lie in another, checked: shared by the kernels of all devices.
namespace weft {

/// The place in dst_format of each letter of src_format; with `toSource`, the place in src_format of each letter of dst_format.
WEFT_API Result<std::vector<size_t>> formatPlaces(const AttrMap& attrs, bool toSource);
/// For DataFormatVecPermute, whose input has the shape `in`: which entry comes at each place.
WEFT_API Result<std::vector<size_t>> vectorPlaces(const AttrMap& attrs, const Shape& in);

}  // namespace weft
