#pragma once

#include "layout/part.h"

namespace weft::layout {

/// An additional part beside those derived from the graph: a helper chosen by the user.
inline constexpr Part kChosenHelper = static_cast<Part>(kPartCount);
inline constexpr int kAllParts = kPartCount + 1;

}  // namespace weft::layout
