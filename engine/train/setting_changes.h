#pragma once

#include <string>
#include <vector>

#include "weft/train.h"

namespace weft {

/// Sets by name what `TrainOptions::set` may change, in the settings or the first data binding. Returns false if there is no such setting; INVALID_ARGUMENT if
/// the text is not a valid value.
Result<bool> changeSetting(TrainingSettings& settings, std::vector<DatasetBinding>& data, const std::string& name, const std::string& text);

}  // namespace weft
