// Titles of groups, derived from the titles of their members.
#include <algorithm>
#include <limits>

#include "layout/blocks.h"

namespace weft::layout {
namespace {

constexpr size_t kTwoNames = 20;  // maximum length of two names to show both

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string stemOf(const std::string& title) {
  std::string out;
  for (size_t i = 0; i < title.size();) {
    if (!isDigit(title[i])) {
      out += title[i++];
      continue;
    }
    while (i < title.size() && isDigit(title[i])) ++i;
    out += '#';
  }
  if (out.size() > 2 && out.ends_with("_#")) out.resize(out.size() - 2);
  return out;
}

bool isPlainTitle(const std::string& title) {
  static const char* const kPlain[] = {"Add",         "Cast",    "Const",         "ConstantFolding",
                                       "ExpandDims",  "Fill",    "GatherV2",      "Identity",
                                       "Log",         "Max",     "Maximum",       "Mean",
                                       "Min",         "Mul",     "Neg",           "NotEqual",
                                       "Pack",        "Pow",     "RealDiv",       "Reshape",
                                       "Shape",       "Size",    "Slice",         "Split",
                                       "Sqrt",        "Square",  "Squeeze",       "Sub",
                                       "Sum",         "Tile",    "ToFloat",       "ToInt32",
                                       "Transpose",   "add",     "concat",        "div",
                                       "global_step", "metrics", "mul",           "one_hot",
                                       "ones",        "pow",     "range",         "split",
                                       "stack",       "sub",     "strided_slice", "transpose",
                                       "truediv",     "unstack", "zeros",         "Sign",
                                       "ArgMax"};
  const std::string stem = title.substr(0, title.find_last_not_of("0123456789_[]–") + 1);
  return std::any_of(std::begin(kPlain), std::end(kPlain), [&](const char* plain) { return stem == plain; });
}

std::string commonTitle(const std::vector<std::string>& titles) {
  if (titles.empty()) return {};
  size_t common = titles.front().size();
  for (const std::string& t : titles) {
    size_t k = 0;
    while (k < std::min(common, t.size()) && t[k] == titles.front()[k]) ++k;
    common = k;
  }
  const std::string prefix = titles.front().substr(0, common);
  // A common prefix and numbers: from the least to the greatest. For 10 and 11 the common 1 is not part of the prefix.
  size_t head = common;
  while (head > 0 && isDigit(prefix[head - 1])) --head;
  long long least = std::numeric_limits<long long>::max(), most = -1;
  bool numbers = head > 0, more = false;  // more: names continue after their numbers
  for (const std::string& t : titles) {
    const std::string rest = t.substr(head);
    if (rest.empty()) continue;
    const size_t from = rest[0] == '_' ? 1 : 0;
    size_t end = from;
    while (end < rest.size() && isDigit(rest[end])) ++end;
    if (end == from || end - from > 9) {
      numbers = false;
      break;
    }
    more = more || end < rest.size();
    const long long number = std::stoll(rest.substr(from, end - from));
    least = std::min(least, number);
    most = std::max(most, number);
  }
  if (numbers && most >= 0 && (!more || least < most)) {
    const bool bare = std::any_of(titles.begin(), titles.end(), [&](const std::string& t) { return t.size() == head; });
    if (bare)
      return prefix.substr(0, head).ends_with('_') ? prefix.substr(0, head - 1)
                                                   : prefix.substr(0, head);  // `cond` for cond, cond_1, …: the stack shows the count
    return prefix.substr(0, head) + "[" + std::to_string(least) + "–" + std::to_string(most) + "]" + (more ? "…" : "");
  }
  if (titles.front() != titles.back() && titles.front().size() + titles.back().size() < kTwoNames) return titles.front() + " … " + titles.back();
  size_t end = common;
  while (end > 0 && (prefix[end - 1] == '_' || prefix[end - 1] == '-' || prefix[end - 1] == '.' || prefix[end - 1] == '[')) --end;
  if (end >= 2) return prefix.substr(0, end) + (end < titles.front().size() ? "…" : "");
  return titles.size() == 1 || titles.front() == titles.back() ? titles.front() : titles.front() + " … " + titles.back();
}

}  // namespace weft::layout
