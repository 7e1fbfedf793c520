#pragma once

#include <QtGlobal>

namespace weft::widgets {

/// One more NodeBadge: the op changes what outlives the step. A circular arrow at the lower edge of the node.
inline constexpr quint16 kStateBadge = 128;

}  // namespace weft::widgets
