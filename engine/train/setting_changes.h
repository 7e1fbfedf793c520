#pragma once

#include <string>
#include <vector>

#include "weft/train.h"

namespace weft {

/// Sets what `TrainOptions::set` may change by name, in the settings or the first data binding. False if there is no such setting;
/// INVALID_ARGUMENT if the text is no value of its kind.
Result<bool> changeSetting(TrainingSettings& settings, std::vector<DatasetBinding>& data, const std::string& name, const std::string& text);

}  // namespace weft
