#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "sweep/space.h"

// Parameters as text and as places in [0, 1].
namespace weft {
namespace {

constexpr int kGridPoints = 5;
constexpr int kRuns = 16;
constexpr int64_t kMostRuns = 1000000;

struct KindName {
  SweepParameter::Kind kind;
  const char* name;
};
constexpr KindName kKinds[] = {{SweepParameter::Kind::Uniform, "uniform"},
                               {SweepParameter::Kind::Log, "log"},
                               {SweepParameter::Kind::Integer, "int"},
                               {SweepParameter::Kind::LogInteger, "logint"},
                               {SweepParameter::Kind::Choice, "choice"}};

bool isWhole(SweepParameter::Kind kind) { return kind == SweepParameter::Kind::Integer || kind == SweepParameter::Kind::LogInteger; }
bool isLog(SweepParameter::Kind kind) { return kind == SweepParameter::Kind::Log || kind == SweepParameter::Kind::LogInteger; }

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(at, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == text.npos) return parts;
    begin = end + 1;
  }
}

std::optional<double> numberOf(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

/// Six digits: a value of a range needs no more, and short texts can be read and typed again.
std::string numberText(double value, bool whole) {
  char text[40];
  if (whole) return std::string(text, std::to_chars(text, text + sizeof text, int64_t(std::llround(value))).ptr);
  return std::string(text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr);
}

Status checkParameter(const SweepParameter& p) {
  if (p.name.empty()) return invalidArgument("a parameter has no name, expected NAME=SPACE");
  if (p.kind == SweepParameter::Kind::Choice) {
    if (p.choices.empty()) return invalidArgument(p.name, ": there are no choices, expected choice:A,B,…");
    if (std::set<std::string>(p.choices.begin(), p.choices.end()).size() != p.choices.size()) return invalidArgument(p.name, ": a choice is named twice");
    return {};
  }
  if (!(p.low <= p.high)) return invalidArgument(p.name, " is from ", p.low, " to ", p.high, ", expected the smaller value first");
  if (isLog(p.kind) && !(p.low > 0)) return invalidArgument(p.name, " begins at ", p.low, ", expected a number above 0 for a logarithmic range");
  if (isWhole(p.kind) && (p.low != std::floor(p.low) || p.high != std::floor(p.high)))
    return invalidArgument(p.name, " is from ", p.low, " to ", p.high, ", expected whole numbers");
  if (isWhole(p.kind) && std::max(std::abs(p.low), std::abs(p.high)) > 9e15) return invalidArgument(p.name, ": expected whole numbers below 2^53");
  if (p.gridPoints < 0) return invalidArgument(p.name, " has ", p.gridPoints, " values in a grid, expected 1 or more");
  return {};
}

}  // namespace

std::string SweepParameter::at(double place) const {
  place = std::clamp(place, 0.0, 1.0);
  if (kind == Kind::Choice) return choices.empty() ? std::string() : choices[std::min(size_t(place * double(choices.size())), choices.size() - 1)];
  const bool whole = isWhole(kind);
  // A whole number gets as much of the range as any other, those at the ends too.
  const double from = whole ? low - 0.5 : low, to = whole ? high + 0.5 : high;
  double value = 0;
  if (isLog(kind)) {
    const double least = std::log(whole ? std::max(from, 0.5) : from);
    value = std::exp(least + place * (std::log(to) - least));
  } else {
    value = from + place * (to - from);
  }
  if (whole) value = std::floor(value + 0.5);
  return numberText(std::clamp(value, low, high), whole);
}

std::optional<double> SweepParameter::placeOf(std::string_view value) const {
  if (kind == Kind::Choice) {
    const auto it = std::find(choices.begin(), choices.end(), value);
    if (it == choices.end()) return {};
    return (double(it - choices.begin()) + 0.5) / double(choices.size());
  }
  const auto number = numberOf(value);
  if (!number || (isLog(kind) && *number <= 0)) return {};
  const bool whole = isWhole(kind);
  const double from = whole ? low - 0.5 : low, to = whole ? high + 0.5 : high;
  if (to <= from) return 0.5;
  double place = 0;
  if (isLog(kind)) {
    const double least = std::log(whole ? std::max(from, 0.5) : from);
    place = (std::log(*number) - least) / (std::log(to) - least);
  } else {
    place = (*number - from) / (to - from);
  }
  return std::clamp(place, 0.0, 1.0);
}

std::vector<std::string> SweepParameter::grid() const {
  if (kind == Kind::Choice) return choices;
  int points = gridPoints > 0 ? gridPoints : kGridPoints;
  if (isWhole(kind)) points = int(std::min(double(points), high - low + 1));
  if (low == high) points = 1;
  std::vector<std::string> values;
  for (int i = 0; i < points; ++i) {
    const double share = points == 1 ? 0.5 : double(i) / (points - 1);  // both ends are in the grid
    const double value = isLog(kind) ? std::exp(std::log(low) + share * (std::log(high) - std::log(low))) : low + share * (high - low);
    std::string text = numberText(std::clamp(value, low, high), isWhole(kind));
    if (values.empty() || values.back() != text) values.push_back(std::move(text));
  }
  return values;
}

Result<SweepParameter> sweepParameterOf(std::string_view text) {
  const auto expected = [&] {
    return invalidArgument(text, ": expected NAME=uniform:LOW:HIGH, NAME=log:LOW:HIGH, NAME=int:LOW:HIGH, NAME=logint:LOW:HIGH or NAME=choice:A,B,…");
  };
  const size_t equals = text.find('='), colon = equals == text.npos ? equals : text.find(':', equals);
  if (equals == 0 || colon == text.npos) return expected();
  SweepParameter p;
  p.name = std::string(text.substr(0, equals));
  const std::string_view kind = text.substr(equals + 1, colon - equals - 1), rest = text.substr(colon + 1);
  const auto known = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindName& k) { return kind == k.name; });
  if (known == std::end(kKinds)) return expected();
  p.kind = known->kind;
  if (p.kind == SweepParameter::Kind::Choice) {
    if (!rest.empty()) p.choices = split(rest, ',');
  } else {
    const auto parts = split(rest, ':');
    if (parts.size() != 2 && parts.size() != 3) return expected();
    const auto low = numberOf(parts[0]), high = numberOf(parts[1]), points = parts.size() == 3 ? numberOf(parts[2]) : std::optional<double>(0);
    if (!low || !high || !points) return expected();
    if (parts.size() == 3 && (*points < 1 || *points > 1e6 || *points != std::floor(*points)))
      return invalidArgument(text, ": the number of values in a grid is ", parts[2], ", expected a whole number from 1");
    p.low = *low;
    p.high = *high;
    p.gridPoints = int(*points);
  }
  WEFT_TRY(checkParameter(p));
  return p;
}

std::string textOf(const SweepParameter& p) {
  std::string text = p.name + "=";
  for (const KindName& k : kKinds)
    if (k.kind == p.kind) text += k.name;
  if (p.kind == SweepParameter::Kind::Choice) {
    for (size_t i = 0; i < p.choices.size(); ++i) text += (i == 0 ? ":" : ",") + p.choices[i];
    return text;
  }
  text += ":" + numberText(p.low, isWhole(p.kind)) + ":" + numberText(p.high, isWhole(p.kind));
  return p.gridPoints > 0 ? text + ":" + std::to_string(p.gridPoints) : text;
}

namespace {
constexpr std::pair<SweepMethod, std::string_view> kMethods[] = {
    {SweepMethod::Grid, "grid"}, {SweepMethod::Random, "random"}, {SweepMethod::Sobol, "sobol"}, {SweepMethod::Bayesian, "bayesian"}};
constexpr std::pair<StopRule::Kind, std::string_view> kStops[] = {
    {StopRule::Kind::None, "none"}, {StopRule::Kind::Median, "median"}, {StopRule::Kind::Asha, "asha"}, {StopRule::Kind::Hyperband, "hyperband"}};
}  // namespace

Result<SweepMethod> sweepMethodNamed(std::string_view name) {
  for (const auto& [method, known] : kMethods)
    if (name == known) return method;
  return invalidArgument("the method is ", name, ", expected grid, random, sobol or bayesian");
}
std::string_view nameOf(SweepMethod method) { return kMethods[size_t(method)].second; }

Result<StopRule::Kind> stopRuleNamed(std::string_view name) {
  for (const auto& [kind, known] : kStops)
    if (name == known) return kind;
  return invalidArgument("the rule for stopping is ", name, ", expected none, median, asha or hyperband");
}
std::string_view nameOf(StopRule::Kind kind) { return kStops[size_t(kind)].second; }

bool SweepPlan::better(double a, double b) const {
  if (std::isnan(a)) return false;
  if (std::isnan(b)) return true;
  return maximize ? a > b : a < b;
}

Status checkPlan(const SweepPlan& plan) {
  if (plan.parameters.empty()) return invalidArgument("a sweep needs a parameter, as in lr=log:1e-4:1e-1");
  std::set<std::string> names;
  for (const SweepParameter& p : plan.parameters) {
    WEFT_TRY(checkParameter(p));
    if (!names.insert(p.name).second) return invalidArgument("the parameter ", p.name, " is given twice");
  }
  if (plan.runs < 0 || plan.runs > kMostRuns) return outOfRange("the number of runs is ", plan.runs, ", expected 1 to ", kMostRuns);
  if (plan.method == SweepMethod::Sobol && plan.parameters.size() > kMostSobolDims)
    return invalidArgument("there are ", plan.parameters.size(), " parameters, expected at most ", kMostSobolDims, " for sobol; use random");
  if (plan.method == SweepMethod::Grid && runsOf(plan) > kMostRuns) return outOfRange("the grid has over ", kMostRuns, " points; state --runs or fewer values");
  if (plan.stop.eta < 2) return outOfRange("eta is ", plan.stop.eta, ", expected 2 or more");
  return {};
}

int64_t runsOf(const SweepPlan& plan) {
  if (plan.method != SweepMethod::Grid) return plan.runs > 0 ? plan.runs : kRuns;
  double size = 1;
  for (const SweepParameter& p : plan.parameters) size *= double(p.grid().size());
  return int64_t(std::min(plan.runs > 0 ? std::min(double(plan.runs), size) : size, double(kMostRuns) + 1));
}

namespace sweep {

uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

double randomPlace(uint64_t seed, uint64_t index, uint64_t dim) { return double(mixed(mixed(mixed(seed) + index) + dim) >> 11) * 0x1p-53; }

SweepPoint pointAt(const std::vector<SweepParameter>& parameters, const std::vector<double>& places) {
  SweepPoint point;
  for (size_t d = 0; d < parameters.size(); ++d) point.emplace_back(parameters[d].name, parameters[d].at(places[d]));
  return point;
}

std::optional<std::vector<double>> placesOf(const std::vector<SweepParameter>& parameters, const SweepPoint& point) {
  std::vector<double> places;
  for (const SweepParameter& p : parameters) {
    const auto it = std::find_if(point.begin(), point.end(), [&](const auto& v) { return v.first == p.name; });
    const auto place = it == point.end() ? std::nullopt : p.placeOf(it->second);
    if (!place) return {};
    places.push_back(*place);
  }
  return places;
}

}  // namespace sweep
}  // namespace weft
