#include "cli/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "weft/planned_memory.h"

namespace weft::cli {

Result<Arguments> Arguments::parse(std::span<const std::string> raw, std::initializer_list<OptionSpec> specs) {
  Arguments out;
  bool optionsEnded = false;
  for (size_t i = 0; i < raw.size(); ++i) {
    const std::string& word = raw[i];
    if (optionsEnded || word.size() < 2 || word[0] != '-') {
      out.positional_.push_back(word);
      continue;
    }
    if (word == "--") {
      optionsEnded = true;
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& s) { return s.name == name; });
    if (spec == specs.end()) return invalidArgument("unknown option ", name);
    if (!spec->takesValue) {
      if (equals != std::string::npos) return invalidArgument("option ", name, " takes no value");
      out.values_[name].push_back("");
    } else if (equals != std::string::npos) {
      out.values_[name].push_back(word.substr(equals + 1));
    } else if (i + 1 < raw.size()) {
      out.values_[name].push_back(raw[++i]);
    } else {
      return invalidArgument("option ", name, " needs a value");
    }
  }
  return out;
}

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto it = values_.find(option);
  if (it == values_.end()) return std::nullopt;
  return it->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto it = values_.find(option);
  return it == values_.end() ? std::vector<std::string>{} : it->second;
}

Result<int64_t> Arguments::integer(std::string_view option, int64_t otherwise, int64_t minimum, int64_t maximum) const {
  const auto text = value(option);
  if (!text) return otherwise;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error == std::errc::result_out_of_range) return invalidArgument("option ", option, " must be from ", minimum, " to ", maximum, ", not ", *text);
  if (error != std::errc() || end != text->data() + text->size()) return invalidArgument("option ", option, " needs a whole number, not '", *text, "'");
  if (number < minimum) return invalidArgument("option ", option, " must be at least ", minimum, ", not ", number);
  if (number > maximum) return invalidArgument("option ", option, " must be at most ", maximum, ", not ", number);
  return number;
}

Result<int64_t> Arguments::memoryLimit() const {
  const auto text = value("--memory-limit");
  if (!text) return 0;
  auto bytes = memoryLimitOf(*text);
  if (!bytes.ok()) return invalidArgument("--memory-limit ", bytes.error().message);
  return bytes;
}

Result<double> Arguments::number(std::string_view option, double otherwise) const {
  const auto text = value(option);
  if (!text) return otherwise;
  char* end = nullptr;
  const double number = std::strtod(text->c_str(), &end);
  if (text->empty() || *end || !std::isfinite(number)) return invalidArgument("option ", option, " needs a number, not '", *text, "'");
  return number;
}

}  // namespace weft::cli
