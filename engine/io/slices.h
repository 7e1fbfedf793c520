#pragma once

#include <string>
#include <string_view>

#include "weft/checkpoint.h"

namespace tensorflow {
class TensorSliceProto;
}

namespace weft {

/// The key under which a checkpoint stores a part of a tensor: numbers and strings are encoded so that keys sort like the values they stand for.
std::string sliceKey(std::string_view name, const TensorSlice& slice);

Result<TensorSlice> sliceFromProto(const tensorflow::TensorSliceProto& proto);
void sliceToProto(const TensorSlice& slice, tensorflow::TensorSliceProto* proto);

/// Whether `slice` of a tensor of shape `full` is all of it.
bool coversAll(const TensorSlice& slice, const Shape& full);

/// Whether two parts of one tensor have elements in common. An empty slice is the whole tensor.
bool overlaps(const TensorSlice& a, const TensorSlice& b);

/// Copies the elements that two parts of one tensor of shape `full` have in common. Returns their number. REQUIRES: `from` and `to` have the dtype and the
/// shapes of their slices.
int64_t copyCommon(const Shape& full, const Tensor& from, const TensorSlice& fromSlice, Tensor& to, const TensorSlice& toSlice);

/// As TensorFlow prints it: "0,2:-".
std::string sliceText(const TensorSlice& slice);

}  // namespace weft
