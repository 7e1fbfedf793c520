#include <algorithm>

#include "ops/registry.h"
#include "ops/text_map.h"

// N-grams: adjacent tokens of ragged rows joined to one string.
namespace weft {
namespace {

struct NGrams {
  std::string separator, leftPad, rightPad;
  std::vector<int64_t> widths;
  int64_t padWidth = 0;
  bool keepShort = false;

  int64_t padOf(int64_t width) const { return std::min(padWidth < 0 ? width - 1 : padWidth, width - 1); }
  int64_t countOf(int64_t length, int64_t width) const { return width < 1 ? 0 : std::max<int64_t>(0, length + 2 * padOf(width) - width + 1); }
  /// Width of the single n-gram for a row that is too short for any; 0: none.
  int64_t shortWidth(int64_t length) const { return keepShort && length > 0 ? length + 2 * std::max<int64_t>(padWidth, 0) : 0; }

  std::string text(const std::string* row, int64_t i, int64_t count, int64_t width) const {
    const int64_t pad = padOf(width), left = std::max<int64_t>(0, pad - i), right = std::max<int64_t>(0, pad - (count - (i + 1)));
    const int64_t tokens = width - left - right, begin = left > 0 ? 0 : i - pad;
    std::string out;
    for (int64_t k = 0; k < width; ++k) {
      if (k > 0) out += separator;
      out += k < left ? leftPad : k < left + tokens ? row[begin + k - left] : rightPad;
    }
    return out;
  }
};

/// More characters than this are treated as an error.
constexpr double kMostCharacters = 4e9;

template <typename S>
Status runNGrams(KernelContext& c, const NGrams& n) {
  const Tensor &data = c.input(0), &splits = c.input(1);
  const int64_t rows = splits.elements() - 1;
  for (int64_t r = 0; r <= rows; ++r) {
    const int64_t at = splits.asInt(r);
    if (at < 0 || at > data.elements()) return invalidArgument("Invalid split value ", at, ", must be in [0,", data.elements(), "]");
    // A row that ends before it begins has no n-grams. If padding alone would make some, TensorFlow reads before the row.
    const int64_t length = r > 0 ? at - splits.asInt(r - 1) : 0;
    if (length < 0 && std::any_of(n.widths.begin(), n.widths.end(), [&](int64_t width) { return n.countOf(length, width) > 0; }))
      return invalidArgument("Invalid split value ", at, ", must be in [", splits.asInt(r - 1), ",", data.elements(), "]");
  }
  if (data.elements() == 0 || splits.elements() == 0) {
    WEFT_TRY(c.allocate(0, data.shape()).status());
    WEFT_LET(Tensor* none, c.allocate(1, splits.shape()));
    std::fill_n(none->mutableData<S>(), none->elements(), S(0));
    return {};
  }
  WEFT_LET(Tensor* outSplits, c.allocate(1, Shape{rows + 1}));
  S* ends = outSplits->mutableData<S>();
  ends[0] = 0;
  int64_t total = 0;
  double characters = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t length = splits.asInt(r + 1) - splits.asInt(r), before = total;
    const auto add = [&](int64_t count, int64_t width) {
      total += count;
      characters += double(count) * double(width) * double(1 + n.separator.size() + std::max(n.leftPad.size(), n.rightPad.size()));
    };
    for (const int64_t width : n.widths) add(n.countOf(length, width), width);
    if (total == before && n.shortWidth(length) > 0) add(1, n.shortWidth(length));
    if (characters > kMostCharacters)
      return resourceExhausted("The n-grams of ", data.elements(), " tokens take more than ", int64_t(kMostCharacters), " characters");
    if (int64_t(S(total)) != total) return invalidArgument(total, " n-grams cannot be counted by the type of the splits");
    ends[r + 1] = S(total);
  }
  WEFT_LET(Tensor* out, c.allocate(0, Shape{total}));
  std::string* to = out->mutableData<std::string>();
  for (int64_t r = 0; r < rows; ++r) {
    const std::string *row = data.data<std::string>() + splits.asInt(r), *first = to;
    const int64_t length = splits.asInt(r + 1) - splits.asInt(r);
    for (const int64_t width : n.widths) {
      for (int64_t i = 0, count = n.countOf(length, width); i < count; ++i) *to++ = n.text(row, i, count, width);
    }
    if (to == first && n.shortWidth(length) > 0) *to++ = n.text(row, 0, 1, n.shortWidth(length));
  }
  return {};
}

Result<std::unique_ptr<Kernel>> makeNGrams(KernelInit& init) {
  NGrams n;
  const AttrMap& attrs = init.attrs();
  n.separator = attrs.text("separator");
  n.leftPad = attrs.text("left_pad");
  n.rightPad = attrs.text("right_pad");
  n.widths = attrs.integers("ngram_widths");
  n.padWidth = attrs.integer("pad_width");
  n.keepShort = attrs.flag("preserve_short_sequences");
  constexpr int64_t kMost = int64_t(1) << 31;
  if (n.padWidth >= kMost) return invalidArgument("pad_width must be below 2^31, got ", n.padWidth);
  for (const int64_t width : n.widths) {
    if (width == 0 || width >= kMost) return invalidArgument("ngram_widths must lie between 1 and 2^31, got ", width);
  }
  const bool wide = attrs.type("Tsplits", DType::Int64) == DType::Int64;
  return functionKernel([n, wide](KernelContext& c) { return wide ? runNGrams<int64_t>(c, n) : runNGrams<int32_t>(c, n); });
}

}  // namespace

void registerStringNGrams(OpRegistry& ops) {
  ops.add("StringNGrams")
      .category("Strings")
      .summary("Joins neighbouring tokens of each row into n-grams.")
      .description("Two neighbouring splits delimit a row. Each row is padded, then each run of n tokens is joined into one string, for each width n.")
      .keywords("ngram bigram token ragged")
      .input("data: string", "The tokens of all rows.")
      .input("data_splits: Tsplits", "[rows + 1]: row splits.")
      .output("ngrams: string", "The n-grams of all rows; within a row, those of the first width come first.")
      .output("ngrams_splits: Tsplits", "[rows + 1]: row splits of the n-grams.")
      .attr("separator: string", "Separator between the tokens of an n-gram.")
      .attr("ngram_widths: list(int) >= 0", "Numbers of tokens per n-gram.")
      .attr("left_pad: string", "Padding token at the start of a row.")
      .attr("right_pad: string", "Padding token at the end of a row.")
      .attr("pad_width: int", "Number of padding tokens on each side, at most width - 1; -1: width - 1.")
      .attr("preserve_short_sequences: bool", "Return a row that is too short for any n-gram as one n-gram.")
      .attr("Tsplits: {int32, int64} = DT_INT64", "Type of the splits.")
      .shape([](ShapeContext& c) -> Status {
        WEFT_TRY(c.requireRank(c.input(0), 1));
        WEFT_TRY(c.requireRank(c.input(1), 1));
        c.setOutput(0, Shape::unknownOfRank(1));
        c.setOutput(1, c.input(1));
        return {};
      })
      .noGradient(kNoNumbers)
      .cpu({{"Tsplits", types::kIndex}}, makeNGrams)
      .gradientIsError = true;
}

}  // namespace weft
