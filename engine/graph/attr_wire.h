#pragma once

#include <optional>
#include <string_view>

#include "weft/attr.h"

namespace weft {

/// Takes attributes from the bytes of AttrValue messages without making the messages. Only what is common in graphs and in order is taken;
/// for everything else there is no answer, and attrFromProto() decides and words the error.
class AttrWireReader {
 public:
  std::optional<Attr> read(std::string_view bytes);

 private:
  std::optional<Tensor> tensor(std::string_view bytes);
  /// Small tensors share blocks: most constants of a graph are a few numbers, and a block of memory of its own for each would cost several
  /// times their size.
  std::optional<Tensor> allocate(DType dtype, const Shape& shape, size_t bytes);

  Tensor block_;
  size_t used_ = 0;
};

}  // namespace weft
