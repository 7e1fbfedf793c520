// Fields that expressions set and use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/expressions.h"

namespace weft::expressions {

/// The training settings of a document, the parameters of its optimizer, and its live scalars. None without training and data.
std::vector<ExpressionScope::Field> trainingFields(const MetaGraph& meta);
/// The value as a field of that type takes it. INVALID_ARGUMENT: "is 2.5, expected a whole number".
Result<std::string> textForType(std::string_view type, const ExpressionValue& value);
/// "There is no name widht; did you mean width?"
Error unknownName(const std::string& name, const std::vector<NamedValue>& names);

}  // namespace weft::expressions
