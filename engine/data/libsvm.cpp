#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/file_errors.h"
#include "weft/arrays.h"

namespace weft {
namespace {

constexpr int64_t kLargestColumn = int64_t(1) << 40;

/// The next word of a row; empty at its end. Spaces and tabs separate words.
std::string_view nextWord(std::string_view& rest) {
  const size_t first = rest.find_first_not_of(" \t\r");
  if (first == rest.npos) return rest = {};
  const size_t end = std::min(rest.find_first_of(" \t\r", first), rest.size());
  const std::string_view word = rest.substr(first, end - first);
  rest.remove_prefix(end);
  return word;
}

template <typename T>
bool readNumber(std::string_view text, T* out) {
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return !text.empty() && problem == std::errc() && end == text.data() + text.size();
}

/// Numbers too small for float32 are 0, as in NumPy; those too large are no numbers.
bool readNumber(std::string_view text, float* out) {
  double value = 0;
  if (!readNumber(text, &value) || std::fabs(value) > std::numeric_limits<float>::max()) return false;
  *out = float(value);
  return true;
}

}  // namespace

Result<LibsvmTable> decodeLibsvm(std::string_view text) {
  std::vector<float> labels, values;
  std::vector<int64_t> at;
  int64_t smallest = kLargestColumn, largest = -1, line = 0;
  while (!text.empty()) {
    ++line;
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    row = row.substr(0, row.find('#'));
    const std::string_view label = nextWord(row);
    if (label.empty()) continue;
    const auto bad = [&](const auto&... what) { return unreadable("bad_syntax", line, ":1: ", what...); };
    if (!readNumber(label, &labels.emplace_back())) return bad("the label is '", label.substr(0, 40), "', expected a number");
    for (std::string_view word = nextWord(row); !word.empty(); word = nextWord(row)) {
      const size_t colon = word.find(':');
      if (word.substr(0, colon) == "qid") continue;  // the group of a ranking
      int64_t column = 0;
      float value = 0;
      if (colon == word.npos || !readNumber(word.substr(0, colon), &column) || !readNumber(word.substr(colon + 1), &value) || column < 0 ||
          column >= kLargestColumn)
        return bad("'", word.substr(0, 40), "', expected COLUMN:NUMBER");
      at.push_back(int64_t(labels.size()) - 1);
      at.push_back(column);
      values.push_back(value);
      smallest = std::min(smallest, column);
      largest = std::max(largest, column);
    }
  }
  LibsvmTable out;
  out.countsFromOne = !values.empty() && smallest > 0;
  if (out.countsFromOne)
    for (size_t i = 1; i < at.size(); i += 2) --at[i];
  out.columns = largest + (out.countsFromOne ? 0 : 1);
  out.labels = Tensor::vector(labels);
  out.values = Tensor::vector(values);
  WEFT_LET(out.indices, Tensor::allocate(DType::Int64, Shape{int64_t(values.size()), 2}));
  std::copy(at.begin(), at.end(), out.indices.mutableData<int64_t>());
  return out;
}

}  // namespace weft
