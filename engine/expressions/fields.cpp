// Training settings as fields, and values as fields take them.
#include "expressions/fields.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/nearest_name.h"
#include "expressions/arithmetic.h"
#include "train/parameter_changes.h"
#include "weft/train.h"

namespace weft::expressions {
namespace {

using List = ExpressionValue::List;

constexpr double kExactBelow = 0x1p53;

Error notOfType(const ExpressionValue& value, std::string_view expected) { return invalidArgument("is ", value.toString(), ", expected ", expected); }

/// A whole number, also where a computation with real numbers gave one.
std::optional<int64_t> wholeOf(const ExpressionValue& value) {
  if (const auto* n = std::get_if<int64_t>(&value.value)) return *n;
  const auto* r = std::get_if<double>(&value.value);
  if (!r || *r != std::floor(*r) || std::abs(*r) > kExactBelow) return {};
  return int64_t(*r);
}

std::string_view expectedOf(std::string_view type) {
  if (type == "int") return "a whole number";
  if (type == "float") return "a number";
  if (type == "bool") return "true or false";
  if (type == "shape") return "a shape such as [?,64]";
  if (type == "list(int)" || type == "ints") return "a list of whole numbers";
  if (type == "list(float)" || type == "floats") return "a list of numbers";
  if (type == "type" || type == "dtype") return "a type in quotes, such as 'float32'";
  if (type == "tensor") return "a number, a truth value, a word or a list of them";
  return "a word in quotes";
}

bool holds(const ExpressionValue& now, const ExpressionValue& value, bool wholeType) {
  const List *left = std::get_if<List>(&now.value), *right = std::get_if<List>(&value.value);
  if (left && right) {
    // Long tensors read shortened.
    return left->size() != right->size() ||
           std::equal(left->begin(), left->end(), right->begin(), [&](const auto& a, const auto& b) { return holds(a, b, wholeType); });
  }
  if (left) return std::all_of(left->begin(), left->end(), [&](const ExpressionValue& v) { return holds(v, value, wholeType); });
  const auto number = [](const ExpressionValue& v) -> std::optional<double> {
    if (const auto* b = std::get_if<bool>(&v.value)) return *b ? 1 : 0;
    if (const auto* n = std::get_if<int64_t>(&v.value)) return double(*n);
    if (const auto* r = std::get_if<double>(&v.value)) return *r;
    return {};
  };
  const auto expected = number(value), is = number(now);
  if (!expected) return true;
  if (!is) {
    const auto* word = std::get_if<std::string>(&now.value);
    return !word || (word->find("inf") == word->npos && word->find("nan") == word->npos);
  }
  constexpr double kFewestDigits = 0.01;  // a bfloat16 has 8 bits
  if (wholeType || std::holds_alternative<bool>(now.value)) return *is == *expected;
  return std::abs(*is - *expected) <= kFewestDigits * std::abs(*expected);
}

}  // namespace

bool isSettingName(std::string_view name) {
  static const std::set<std::string_view> kNames = {"learning_rate",
                                                    "lr",
                                                    "batch_size",
                                                    "optimizer",
                                                    "epochs",
                                                    "steps",
                                                    "seed",
                                                    "shuffle",
                                                    "precision",
                                                    "max_to_keep",
                                                    "summary_every_steps",
                                                    "checkpoint_every_steps",
                                                    "checkpoint_every_secs",
                                                    "eval_every_steps",
                                                    "validation_fraction"};
  return kNames.count(name) > 0;
}

bool holdsValue(std::string_view now, const ExpressionValue& value, bool wholeType) { return holds(ExpressionValue::fromText(now), value, wholeType); }

Result<std::string> textForType(std::string_view type, const ExpressionValue& value) {
  const std::string_view expected = expectedOf(type);
  const List* list = std::get_if<List>(&value.value);
  if (type == "int") {
    const auto n = wholeOf(value);
    return n ? Result<std::string>(std::to_string(*n)) : notOfType(value, expected);
  }
  if (type == "float") {
    const bool number = std::holds_alternative<int64_t>(value.value) || std::holds_alternative<double>(value.value);
    return number ? Result<std::string>(value.toString()) : notOfType(value, expected);
  }
  if (type == "bool") return std::holds_alternative<bool>(value.value) ? Result<std::string>(value.toString()) : notOfType(value, expected);
  if (type == "shape" || type == "ints" || type.starts_with("list(") || type == "floats") {
    if (!list) {
      // A size that is the same in all directions, as in kernel_size = 3.
      if (type == "ints" && wholeOf(value)) return std::to_string(*wholeOf(value));
      return notOfType(value, expected);
    }
    const std::string_view inner = type == "floats" ? "float" : type.starts_with("list(") ? type.substr(5, type.size() - 6) : "int";
    std::string out = "[";
    for (size_t i = 0; i < list->size(); ++i) {
      const ExpressionValue& element = (*list)[i];
      if (i > 0) out += ",";
      if (type == "shape" && std::holds_alternative<ExpressionValue::Unknown>(element.value)) {
        out += "?";
        continue;
      }
      const auto text = textForType(inner, element);
      if (!text.ok()) return notOfType(value, expected);
      if (type == "shape" && text->starts_with('-')) return notOfType(value, "a shape without negative sizes; ? is an unknown one");
      out += *text;
    }
    return out + "]";
  }
  if (type == "tensor")
    return std::holds_alternative<ExpressionValue::Unknown>(value.value) ? Result<std::string>(notOfType(value, expected)) : value.toString();
  const bool word = std::holds_alternative<std::string>(value.value);
  // A parameter that takes several types says itself what it expects.
  if (word || (type != "string" && type != "type" && type != "dtype" && !std::holds_alternative<ExpressionValue::Unknown>(value.value)))
    return value.toString();
  return notOfType(value, expected);
}

std::vector<ExpressionScope::Field> trainingFields(const MetaGraph& meta) {
  std::vector<ExpressionScope::Field> out;
  const bool trains = meta.collections.count("weft/training") > 0, fed = meta.collections.count("weft/dataset") > 0;
  if (!trains && !fed) return out;
  for (const DocumentParameter& p : everyParameter(meta)) {
    if (p.group == DocumentParameter::Group::Layer || p.group == DocumentParameter::Group::Name) continue;
    std::string_view type = "float";
    if (p.type == DocumentParameter::Type::Integer) type = "int";
    if (p.type == DocumentParameter::Type::Word) type = p.value == "true" || p.value == "false" ? "bool" : "string";
    out.push_back({p.name, std::string(type), p.value, {}});
  }
  const auto settings = trainingSettingsOf(meta);
  const auto bindings = datasetBindingsOf(meta);
  const auto add = [&](const char* name, const char* type, std::string value) {
    for (const auto& f : out)
      if (f.name == name) return;
    out.push_back({name, type, std::move(value), {}});
  };
  if (settings.ok() && trains) {
    add("epochs", "int", std::to_string(settings->epochs));
    add("steps", "int", std::to_string(settings->steps));
    add("summary_every_steps", "int", std::to_string(settings->summaryEverySteps));
    add("checkpoint_every_steps", "int", std::to_string(settings->checkpointEverySteps));
    add("checkpoint_every_secs", "float", realText(settings->checkpointEverySecs));
    add("eval_every_steps", "int", std::to_string(settings->evalEverySteps));
    add("max_to_keep", "int", std::to_string(settings->maxToKeep));
  }
  if (bindings.ok() && !bindings->empty()) add("validation_fraction", "float", realText(bindings->front().validationFraction));
  return out;
}

Error unknownName(const std::string& name, const std::vector<NamedValue>& names) {
  std::vector<std::string> all;
  for (const NamedValue& n : names) all.push_back(n.name);
  const std::string near = nearestName(name, all);
  return notFound("there is no name ", name, near.empty() ? "" : "; did you mean ", near, near.empty() ? "" : "?");
}

}  // namespace weft::expressions

namespace weft {

Result<std::string> fieldText(std::string_view type, const ExpressionValue& value) { return expressions::textForType(type, value); }

ExpressionValue fieldValue(std::string_view type, std::string_view text) {
  return type == "string" || type == "type" ? ExpressionValue{std::string(text)} : ExpressionValue::fromText(text);
}

}  // namespace weft
