#pragma once

#include <optional>
#include <string_view>

#include "weft/attr.h"

namespace weft {

/// Reads attributes from the bytes of AttrValue messages without parsing the messages. Handles only common, valid forms; for all others it returns
/// nullopt, and attrFromProto() decides and words the error.
class AttrWireReader {
 public:
  std::optional<Attr> read(std::string_view bytes);

 private:
  std::optional<Tensor> tensor(std::string_view bytes);
  /// Small tensors share blocks of memory: most constants of a graph are a few numbers, and a separate block for each would cost several times their
  /// size.
  std::optional<Tensor> allocate(DType dtype, const Shape& shape, size_t bytes);

  Tensor block_;
  size_t used_ = 0;
};

}  // namespace weft
