#pragma once

#include "layout/part.h"

namespace weft::layout {

/// One more part beside those that a graph shows by itself: a helper because the user says so.
inline constexpr Part kChosenHelper = static_cast<Part>(kPartCount);
inline constexpr int kAllParts = kPartCount + 1;

}  // namespace weft::layout
