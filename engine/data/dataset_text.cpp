// Text files as sequences of characters or words, or as pairs of neighbouring words.
#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "data/dataset_kinds.h"
#include "weft/arrays.h"

namespace weft::data {
namespace {

constexpr int kLongestSequence = 1 << 16;
constexpr int kMostWords = 1 << 20;
constexpr const char* kOther = "<other>";

/// Length of the UTF-8 character that begins at `at`; 0 if there is none.
size_t characterAt(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const size_t length = byte < 0x80 ? 1 : byte >= 0xC2 && byte < 0xE0 ? 2 : byte >= 0xE0 && byte < 0xF0 ? 3 : byte >= 0xF0 && byte < 0xF5 ? 4 : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
  return length;
}

/// The characters of the text as ids, in the order of their code points.
Result<std::vector<int32_t>> characters(std::string_view text, std::vector<std::string>* vocabulary) {
  std::vector<std::string_view> pieces;
  pieces.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t length = characterAt(text, at);
    if (length == 0) return invalidArgument("is no UTF-8 text: byte ", at, " begins no character").ofKind("bad_syntax");
    pieces.push_back(text.substr(at, length));
    at += length;
  }
  const std::set<std::string_view> kinds(pieces.begin(), pieces.end());
  std::map<std::string_view, int32_t> number;
  for (const std::string_view kind : kinds) {
    number.emplace(kind, int32_t(vocabulary->size()));
    vocabulary->emplace_back(kind);
  }
  std::vector<int32_t> ids;
  ids.reserve(pieces.size());
  for (const std::string_view piece : pieces) ids.push_back(number[piece]);
  return ids;
}

/// Words in lower case: letters of any script, digits, and apostrophes inside words. The `most` - 1 most frequent words get ids from 1 on; all others are 0.
std::vector<int32_t> words(std::string_view text, size_t most, std::vector<std::string>* vocabulary) {
  std::vector<std::string> all;
  std::string word;
  const auto end = [&] {
    while (!word.empty() && word.back() == '\'') word.pop_back();
    if (!word.empty()) all.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= 'A' && c <= 'Z') word += char(c + 32);
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || byte >= 0x80 || (c == '\'' && !word.empty())) word += c;
    else end();
  }
  end();
  std::map<std::string_view, int64_t> counts;
  for (const std::string& w : all) ++counts[w];
  std::vector<std::pair<std::string_view, int64_t>> ranked(counts.begin(), counts.end());
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });  // ties in alphabetical order
  if (ranked.size() + 1 > most) ranked.resize(most - 1);
  std::map<std::string_view, int32_t> number;
  vocabulary->emplace_back(kOther);
  for (const auto& [kind, count] : ranked) {
    number.emplace(kind, int32_t(vocabulary->size()));
    vocabulary->emplace_back(kind);
  }
  std::vector<int32_t> ids;
  ids.reserve(all.size());
  for (const std::string& w : all) {
    const auto it = number.find(w);
    ids.push_back(it == number.end() ? 0 : it->second);
  }
  return ids;
}

/// Windows [n, length] at intervals of `stride`, and the same windows shifted by one position.
Result<Dataset> windows(const std::vector<int32_t>& ids, int length, int stride, const char* unit) {
  if (int64_t(ids.size()) < int64_t(length) + 1)
    return invalidArgument("has ", ids.size(), " ", unit, ", expected more than ", length, ", the length of a sequence");
  const int64_t rows = (int64_t(ids.size()) - 1 - length) / stride + 1;
  WEFT_LET(Tensor inputs, Tensor::allocate(DType::Int32, Shape{rows, length}));
  WEFT_LET(Tensor targets, Tensor::allocate(DType::Int32, Shape{rows, length}));
  int32_t* in = inputs.mutableData<int32_t>();
  int32_t* out = targets.mutableData<int32_t>();
  for (int64_t r = 0; r < rows; ++r) {
    const auto from = ids.begin() + std::ptrdiff_t(r * stride);
    std::copy_n(from, length, in + r * length);
    std::copy_n(from + 1, length, out + r * length);
  }
  Dataset data;
  data.columns.emplace_back("inputs", std::move(inputs));
  data.columns.emplace_back("targets", std::move(targets));
  return data;
}

/// Pairs each word with its neighbours at a distance of up to `window`. Pairs with a word outside the vocabulary are left out.
Result<Dataset> pairs(const std::vector<int32_t>& ids, int window) {
  std::vector<int32_t> center, context;
  const int64_t n = int64_t(ids.size());
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = std::max<int64_t>(0, i - window); j <= std::min(n - 1, i + window); ++j) {
      if (i == j || ids[size_t(i)] == 0 || ids[size_t(j)] == 0) continue;
      center.push_back(ids[size_t(i)]);
      context.push_back(ids[size_t(j)]);
    }
  }
  if (center.empty()) return invalidArgument("has no two words of the vocabulary next to each other");
  Dataset data;
  data.columns.emplace_back("center", Tensor::vector(center));
  data.columns.emplace_back("context", Tensor::vector(context));
  return data;
}

}  // namespace

Result<Dataset> loadText(const DatasetBinding& binding, const std::string& path) {
  const std::string level = optionOf(binding, "level", "characters");
  if (level != "characters" && level != "words") return invalidArgument("the option level of the data is ", level, ", expected characters or words");
  WEFT_LET(const int length, sizeOption(binding, "length", "64", kLongestSequence));
  WEFT_LET(const int stride, sizeOption(binding, "stride", std::to_string(length), kLongestSequence));
  WEFT_LET(const int most, sizeOption(binding, "vocabulary", "10000", kMostWords));
  const bool neighbours = !optionOf(binding, "window", "").empty();
  WEFT_LET(const int window, sizeOption(binding, "window", "2", 100));
  if (neighbours && level != "words") return invalidArgument("the option window of the data needs level=words");
  WEFT_LET(const std::string text, readMaybeGzip(path));
  std::vector<std::string> vocabulary;
  std::vector<int32_t> ids;
  if (level == "characters") {
    auto read = characters(text, &vocabulary);
    if (!read.ok()) return Error(read.error()).inFile(path);
    ids = std::move(*read);
  } else {
    ids = words(text, size_t(most), &vocabulary);
  }
  auto data = neighbours ? pairs(ids, window) : windows(ids, length, stride, level.c_str());
  if (!data.ok()) return Error(data.error()).inFile(path);
  for (const auto& [name, column] : data->columns) data->vocabularies[name] = vocabulary;
  data->classes = std::move(vocabulary);
  return data;
}

}  // namespace weft::data
