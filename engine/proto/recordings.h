#pragma once

#include <cstdint>
#include <string_view>

namespace weft {

/// Whether the bytes begin as an XSpace of TensorFlow 2's profiler: a plane with an optional number and a name in one line, which is a path or several words. Damaged files are recognised as long as
/// that beginning is intact. (Where a plane has a name, other messages that begin alike have a message, whose first byte is no printable character.)
bool beginsXSpace(std::string_view bytes);
/// Whether the bytes begin as an uncompressed profile of pprof: the pair of numbers that names a type of values.
bool beginsPprof(std::string_view bytes);

}  // namespace weft
