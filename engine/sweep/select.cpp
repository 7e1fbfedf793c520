#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "weft/experiments.h"

// Filters, groups and orders of a table of experiments.
namespace weft {
namespace {

using Test = ExperimentFilter::Test;
constexpr std::pair<Test, std::string_view> kTests[] = {{Test::LessEqual, "<="}, {Test::GreaterEqual, ">="}, {Test::NotEqual, "!="}, {Test::Less, "<"},
                                                        {Test::Greater, ">"},    {Test::Equal, "="},         {Test::Contains, "~"}};

bool isOrder(Test test) { return test != Test::Equal && test != Test::NotEqual && test != Test::Contains; }

bool holds(Test test, double a, double b) {
  switch (test) {
    case Test::Less: return a < b;
    case Test::LessEqual: return a <= b;
    case Test::Equal: return a == b;
    case Test::NotEqual: return !(a == b);
    case Test::GreaterEqual: return a >= b;
    case Test::Greater: return a > b;
    case Test::Contains: break;
  }
  return false;
}

bool holds(Test test, std::string_view a, std::string_view b) {
  return test == Test::Contains ? a.find(b) != a.npos : test == Test::NotEqual ? a != b : a == b;
}

/// Texts of the columns that runs have themselves.
std::string ownText(const ExperimentRun& run, const std::string& column) {
  return column == "status" ? std::string(nameOf(run.status)) : column == "name" ? run.name : std::to_string(run.sweep);
}
bool isOwn(const std::string& column) { return column == "status" || column == "name" || column == "sweep" || column == "number"; }

/// Ranks for sorting: equal ranks keep their order; NaN: no value.
Result<std::vector<double>> ranksOf(ExperimentTable& table, const std::string& column) {
  const auto& runs = table.runs();
  std::vector<double> ranks(runs.size());
  if (column == "number" || column == "sweep") {
    for (size_t i = 0; i < runs.size(); ++i) ranks[i] = double(column == "sweep" ? runs[i].sweep : runs[i].number);
    return ranks;
  }
  if (isOwn(column)) {
    std::vector<std::string> texts;
    for (const ExperimentRun& r : runs) texts.push_back(ownText(r, column));
    std::vector<std::string> distinct = texts;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (size_t i = 0; i < runs.size(); ++i) ranks[i] = double(std::lower_bound(distinct.begin(), distinct.end(), texts[i]) - distinct.begin());
    return ranks;
  }
  WEFT_LET(const auto values, table.column(column));
  if (values->isNumber) return values->numbers;
  std::vector<int32_t> order(values->texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return values->texts[size_t(a)] < values->texts[size_t(b)]; });
  std::vector<double> rankOf(order.size());
  for (size_t i = 0; i < order.size(); ++i) rankOf[size_t(order[i])] = double(i);
  for (size_t i = 0; i < runs.size(); ++i) ranks[i] = values->words[i] < 0 ? std::nan("") : rankOf[size_t(values->words[i])];
  return ranks;
}

Status keep(ExperimentTable& table, const ExperimentFilter& filter, std::vector<char>& kept) {
  const auto& runs = table.runs();
  double number = 0;
  const auto [end, problem] = std::from_chars(filter.value.data(), filter.value.data() + filter.value.size(), number);
  const bool isNumber = problem == std::errc() && end == filter.value.data() + filter.value.size();
  if (isOrder(filter.test) && !isNumber) return invalidArgument(filter.column, " is compared with ", filter.value, ", expected a number");
  if (isOwn(filter.column) && filter.column != "number") {
    if (isOrder(filter.test)) return invalidArgument(filter.column, " has no order, expected =, != or ~");
    for (size_t i = 0; i < runs.size(); ++i) kept[i] = char(kept[i] && holds(filter.test, ownText(runs[i], filter.column), filter.value));
    return {};
  }
  if (filter.column == "number") {
    for (size_t i = 0; i < runs.size(); ++i) kept[i] = char(kept[i] && holds(filter.test, double(runs[i].number), number));
    return {};
  }
  WEFT_LET(const auto column, table.column(filter.column));
  if (filter.test == Test::Contains || (!isNumber && !column->isMetric)) {
    if (column->isMetric) return invalidArgument(filter.column, " is a metric, expected <, <=, =, !=, >= or > and a number");
    std::vector<char> ofText;
    for (const std::string& text : column->texts) ofText.push_back(char(holds(filter.test, text, filter.value)));
    for (size_t i = 0; i < runs.size(); ++i)
      kept[i] = char(kept[i] && (column->words[i] < 0 ? filter.test == Test::NotEqual : ofText[size_t(column->words[i])] != 0));
    return {};
  }
  if (!isNumber) return invalidArgument(filter.column, " is compared with ", filter.value, ", expected a number");
  for (size_t i = 0; i < runs.size(); ++i) kept[i] = char(kept[i] && holds(filter.test, column->numbers[i], number));
  return {};
}

struct Sum {
  ExperimentGroup group;
  double sum = 0, squares = 0;
};

void finish(Sum& s) {
  ExperimentGroup& g = s.group;
  if (g.measured == 0) {
    g.mean = g.least = g.most = g.deviation = std::nan("");
    return;
  }
  g.mean = s.sum / double(g.measured);
  g.deviation = std::sqrt(std::max(s.squares / double(g.measured) - g.mean * g.mean, 0.0));
}

}  // namespace

Result<ExperimentFilter> experimentFilterOf(std::string_view text) {
  size_t best = text.npos;
  std::pair<Test, std::string_view> found;
  for (const auto& test : kTests)
    if (const size_t at = text.find(test.second); at != text.npos && (at < best)) best = at, found = test;
  if (best == text.npos || best == 0) return invalidArgument(text, ": expected a column, one of < <= = != >= > ~, and a value, as in test_loss<0.3");
  const auto trimmed = [](std::string_view t) {
    while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
    while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
    return std::string(t);
  };
  ExperimentFilter filter{trimmed(text.substr(0, best)), found.first, trimmed(text.substr(best + found.second.size()))};
  if (filter.column.empty() || filter.value.empty()) return invalidArgument(text, ": expected a column, one of < <= = != >= > ~, and a value");
  return filter;
}

Result<ExperimentRows> ExperimentTable::select(const ExperimentQuery& query) {
  const size_t n = runs().size();
  std::vector<char> kept(n, 1);
  for (const ExperimentFilter& filter : query.filters) WEFT_TRY(keep(*this, filter, kept));
  ExperimentRows out;
  for (size_t i = 0; i < n; ++i)
    if (kept[i]) out.rows.push_back(int32_t(i));

  if (!query.sort.empty()) {
    WEFT_LET(const std::vector<double> ranks, ranksOf(*this, query.sort));
    struct Key {
      double rank;
      int32_t row;
    };
    std::vector<Key> keys;
    std::vector<int32_t> without;
    for (const int32_t row : out.rows) {
      if (std::isnan(ranks[size_t(row)])) without.push_back(row);
      else keys.push_back({query.descending ? -ranks[size_t(row)] : ranks[size_t(row)], row});
    }
    std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.rank != b.rank ? a.rank < b.rank : a.row < b.row; });
    out.rows.clear();
    for (const Key& key : keys) out.rows.push_back(key.row);
    out.rows.insert(out.rows.end(), without.begin(), without.end());
  } else if (query.descending) {
    std::reverse(out.rows.begin(), out.rows.end());
  }
  if (query.group.empty()) return out;

  // Groups in the order of their values; within a group the order found above stays.
  WEFT_LET(const std::vector<double> ranks, ranksOf(*this, query.group));
  std::shared_ptr<const ExperimentColumn> metric, grouping;
  if (!query.metric.empty()) {
    WEFT_LET(metric, column(query.metric));
  }
  if (!isOwn(query.group)) {
    WEFT_LET(grouping, column(query.group));
  }
  std::vector<double> distinct;
  for (const int32_t row : out.rows)
    if (!std::isnan(ranks[size_t(row)])) distinct.push_back(ranks[size_t(row)]);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<Sum> sums(distinct.size() + 1);  // the last: without a value
  std::vector<uint32_t> groupOf(out.rows.size());
  for (size_t k = 0; k < out.rows.size(); ++k) {
    const auto row = size_t(out.rows[k]);
    const size_t g = std::isnan(ranks[row]) ? distinct.size() : size_t(std::lower_bound(distinct.begin(), distinct.end(), ranks[row]) - distinct.begin());
    groupOf[k] = uint32_t(g);
    Sum& s = sums[g];
    if (s.group.runs++ == 0 && g < distinct.size()) {
      if (!grouping) {
        s.group.value = query.group == "number" ? std::to_string(runs()[row].number) : ownText(runs()[row], query.group);
      } else if (grouping->isMetric) {
        char text[40];
        s.group.value = std::string(text, std::to_chars(text, text + sizeof text, grouping->numbers[row]).ptr);
      } else {
        s.group.value = grouping->texts[size_t(grouping->words[row])];
      }
    }
    const double value = metric ? metric->numbers[row] : std::nan("");
    if (std::isnan(value)) continue;
    s.sum += value;
    s.squares += value * value;
    s.group.least = s.group.measured == 0 ? value : std::min(s.group.least, value);
    s.group.most = s.group.measured == 0 ? value : std::max(s.group.most, value);
    ++s.group.measured;
  }
  std::vector<size_t> begin(sums.size() + 1);
  for (size_t g = 0; g < sums.size(); ++g) begin[g + 1] = begin[g] + size_t(sums[g].group.runs);
  std::vector<int32_t> ordered(out.rows.size());
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (size_t k = 0; k < out.rows.size(); ++k) ordered[next[groupOf[k]]++] = out.rows[k];
  out.rows = std::move(ordered);
  for (Sum& s : sums) {
    finish(s);
    if (s.group.runs > 0) out.groups.push_back(std::move(s.group));
  }
  return out;
}

}  // namespace weft
