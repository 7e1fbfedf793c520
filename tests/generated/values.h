#pragma once

#include <functional>

#include "random.h"
#include "weft/tensor.h"

namespace weft::generated {

/// Numbers, strings or bools: mostly small and ordinary ones, now and then zeros, infinities, NaN and the type's limits.
Tensor randomTensor(Random& random, DType type, const Shape& shape);
/// Numbers from low to high (integers: both included). REQUIRES: a numeric type.
Tensor randomBetween(Random& random, DType type, const Shape& shape, double low, double high);
/// A tensor of `type` filled by value(i); empty for non-numeric types.
Tensor filled(DType type, const Shape& shape, const std::function<double(int64_t)>& value);
/// Converts the numbers of `from` to another numeric type; integers saturate.
Tensor converted(const Tensor& from, DType type);
/// Integers as an int32 or int64 vector.
Tensor integers(DType type, const std::vector<int64_t>& values);
/// Numeric types that the functions above can write.
bool hasNumbers(DType type);
/// Smallest step of a type relative to 1; 0 for types without rounding.
double epsilonOf(DType type);

}  // namespace weft::generated
