// Templates that train for about a minute, drawn with layers as users do. Only sources of this folder include it.
#pragma once

#include <string_view>
#include <vector>

#include "weft/templates.h"

namespace weft::api {

inline constexpr int kPixels = 64;  ///< Of a picture of a digit, in one row.

struct DrawnTemplate {
  Template info;
  Result<MetaGraph> (*build)();
};
const std::vector<DrawnTemplate>& drawnTemplates();

}  // namespace weft::api
