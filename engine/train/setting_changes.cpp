#include "train/setting_changes.h"

#include <sstream>
#include <type_traits>

namespace weft {

Result<bool> changeSetting(TrainingSettings& s, std::vector<DatasetBinding>& data, const std::string& name, const std::string& text) {
  std::istringstream in(text);
  double number = 0;
  const bool isNumber = (in >> number) && (in >> std::ws).eof();
  const auto take = [&](auto& field) -> Result<bool> {
    if (!isNumber) return invalidArgument(name, " is ", text, ", expected a number");
    field = static_cast<std::decay_t<decltype(field)>>(number);
    return true;
  };
  if (name == "steps") return take(s.steps);
  if (name == "epochs") return take(s.epochs);
  if (name == "summary_every_steps") return take(s.summaryEverySteps);
  if (name == "checkpoint_every_steps") return take(s.checkpointEverySteps);
  if (name == "checkpoint_every_secs") return take(s.checkpointEverySecs);
  if (name == "eval_every_steps") return take(s.evalEverySteps);
  if (name == "max_to_keep") return take(s.maxToKeep);
  if (data.empty()) return false;
  if (name == "batch_size") return take(data[0].batchSize);
  if (name == "seed") return take(data[0].seed);
  if (name == "validation_fraction") return take(data[0].validationFraction);
  if (name == "shuffle") {
    const bool on = text == "true" || text == "1", off = text == "false" || text == "0";
    if (!on && !off) return invalidArgument(name, " is ", text, ", expected true or false");
    data[0].shuffle = on;
    return true;
  }
  return false;
}

}  // namespace weft
