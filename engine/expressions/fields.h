// Fields that expressions set and use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/expressions.h"

namespace weft::expressions {

/// The training settings of a document, the parameters of its optimizer, and its live scalars. None without training and data.
std::vector<ExpressionScope::Field> trainingFields(const MetaGraph& meta);
/// A setting that every training has, whether or not the document has one; `lr` is the learning rate.
bool isSettingName(std::string_view name);
/// The value as a field of that type takes it. INVALID_ARGUMENT: "is 2.5, expected a whole number".
Result<std::string> textForType(std::string_view type, const ExpressionValue& value);
/// Whether a field that was set to `value` and reads `now` holds it, but for the digits that a float type has. Words are not compared.
bool holdsValue(std::string_view now, const ExpressionValue& value, bool wholeType);
/// "There is no name widht; did you mean width?"
Error unknownName(const std::string& name, const std::vector<NamedValue>& names);

}  // namespace weft::expressions
