#include "tensor/element_types.h"

#include <algorithm>
#include <cstring>

#include "tensor/variable.h"
#include "tensor/variant.h"

namespace weft {
namespace {

template <typename T>
void copyObjects(Tensor& to, int64_t toBegin, const Tensor& from, int64_t fromBegin, int64_t count) {
  const T* source = elementsOf<T>(from) + fromBegin;
  std::copy(source, source + count, elementsOf<T>(to) + toBegin);
}

}  // namespace

void copyElements(Tensor& to, int64_t toBegin, const Tensor& from, int64_t fromBegin, int64_t count) {
  if (count <= 0) return;
  switch (from.dtype()) {
    case DType::String: return copyObjects<std::string>(to, toBegin, from, fromBegin, count);
    case DType::Resource: return copyObjects<ResourceHandle>(to, toBegin, from, fromBegin, count);
    case DType::Variant: return copyObjects<VariantValue>(to, toBegin, from, fromBegin, count);
    default: {
      const size_t size = sizeOf(from.dtype());
      std::memcpy(static_cast<char*>(to.mutableRaw()) + size_t(toBegin) * size, static_cast<const char*>(from.raw()) + size_t(fromBegin) * size,
                  size_t(count) * size);
    }
  }
}

}  // namespace weft
