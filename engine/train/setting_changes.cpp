#include "train/setting_changes.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

namespace weft {
namespace {

constexpr int64_t kMost =
    (int64_t(1) << 53) - 1;  // integers up to here are exact as double, however they are shown, compared or divided; larger ones may be rounded

}  // namespace

Result<bool> changeSetting(TrainingSettings& s, std::vector<DatasetBinding>& data, const std::string& name, const std::string& text) {
  // Values that do not fit a field, or are meaningless there, are rejected, never truncated, rounded or wrapped.
  const auto number = [&](auto& field, int64_t least, int64_t most) -> Result<bool> {
    using Field = std::decay_t<decltype(field)>;
    const auto refused = [&] {
      return outOfRange(name, " is ", text.empty() ? "\"\"" : text, ", expected ", std::is_integral_v<Field> ? "a whole number" : "a number", " from ", least,
                        " to ", most);
    };
    const char* const last = text.data() + text.size();
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), last, value);
    if (problem != std::errc() || end != last || !(value >= double(least) && value <= double(most))) return refused();  // NaN is in no range
    if (std::is_integral_v<Field> && value != std::floor(value)) return refused();
    field = Field(value);  // exact: whole numbers up to 2^53 are
    return true;
  };
  if (name == "steps") return number(s.steps, 0, kMost);
  if (name == "epochs") return number(s.epochs, 0, kMost);
  if (name == "summary_every_steps") return number(s.summaryEverySteps, 0, kMost);
  if (name == "checkpoint_every_steps") return number(s.checkpointEverySteps, 0, kMost);
  if (name == "checkpoint_every_secs") return number(s.checkpointEverySecs, 0, kMost);
  if (name == "eval_every_steps") return number(s.evalEverySteps, 0, kMost);
  if (name == "max_to_keep") return number(s.maxToKeep, 0, std::numeric_limits<int32_t>::max());
  if (name == "precision") {
    const auto precision = precisionNamed(text);
    if (!precision.ok()) return invalidArgument(name, " is ", text, ", expected float32 or bf16");
    s.precision = *precision;
    return true;
  }
  if (data.empty()) return false;
  if (name == "batch_size") return number(data[0].batchSize, 1, std::numeric_limits<int32_t>::max());
  if (name == "seed") return number(data[0].seed, -kMost, kMost);
  if (name == "validation_fraction") return number(data[0].validationFraction, 0, 1);
  if (name == "shuffle") {
    const bool on = text == "true" || text == "1", off = text == "false" || text == "0";
    if (!on && !off) return invalidArgument(name, " is ", text, ", expected true or false");
    data[0].shuffle = on;
    return true;
  }
  return false;
}

}  // namespace weft
