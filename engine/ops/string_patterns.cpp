#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "ops/registry.h"
#include "ops/tensor_text.h"
#include "ops/text_map.h"

// Strings searched by patterns, split, and built from templates.
namespace weft {
namespace {

// Regular expressions.

Result<std::shared_ptr<const RE2>> compile(const std::string& pattern) {
  auto re = std::make_shared<RE2>(pattern, RE2::Quiet);
  if (!re->ok()) return invalidArgument("Invalid pattern: ", pattern, ", error: ", re->error());
  return std::shared_ptr<const RE2>(std::move(re));
}
/// The rewrite without groups that the pattern lacks: in TensorFlow 1.15 these are empty, whereas newer RE2 then replaces nothing.
std::string withPartsOf(const RE2& re, const std::string& rewrite) {
  std::string out;
  for (size_t i = 0; i < rewrite.size(); ++i) {
    const bool isEscape = rewrite[i] == '\\' && i + 1 < rewrite.size();
    if (isEscape && rewrite[i + 1] >= '0' && rewrite[i + 1] <= '9' && rewrite[i + 1] - '0' > re.NumberOfCapturingGroups()) {
      ++i;
      continue;
    }
    out += rewrite[i];
    if (isEscape) out += rewrite[++i];
  }
  return out;
}
Status replaceAll(KernelContext& c, const RE2& re, const std::string& pattern) {
  const std::string rewrite = withPartsOf(re, pattern);
  const bool global = c.node().attrs.flag("replace_global", true);
  return mapTexts(c, [&](std::string s) {
    global ? void(RE2::GlobalReplace(&s, re, rewrite)) : void(RE2::Replace(&s, re, rewrite));
    return s;
  });
}
Status matchAll(KernelContext& c, const RE2& re) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  for (int64_t i = 0; i < in.elements(); ++i) out->mutableData<bool>()[i] = RE2::FullMatch(in.data<std::string>()[i], re);
  return {};
}
Status runRegexReplace(KernelContext& c) {
  if (c.input(1).rank() != 0) return invalidArgument("Pattern must be scalar, but received ", c.input(1).shape().toString());
  if (c.input(2).rank() != 0) return invalidArgument("Rewrite must be scalar, but received ", c.input(2).shape().toString());
  WEFT_LET(const auto re, compile(c.input(1).data<std::string>()[0]));
  return replaceAll(c, *re, c.input(2).data<std::string>()[0]);
}
Status runRegexMatch(KernelContext& c) {
  if (c.input(1).rank() != 0) return invalidArgument("Pattern must be scalar, but received ", c.input(1).shape().toString());
  WEFT_LET(const auto re, compile(c.input(1).data<std::string>()[0]));
  return matchAll(c, *re);
}
template <bool replace>
Result<std::unique_ptr<Kernel>> staticRegex(KernelInit& init) {
  WEFT_LET(const auto re, compile(init.attrs().text("pattern")));
  return functionKernel(
      [re, rewrite = init.attrs().text("rewrite")](KernelContext& c) -> Status { return replace ? replaceAll(c, *re, rewrite) : matchAll(c, *re); });
}
Status regexShape(ShapeContext& c) {
  for (int i = 1; i < c.inputCount(); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  return shapes::unchanged(c);
}

// StringFormat.

int64_t placeholders(const AttrMap& attrs) {
  const std::string text = attrs.text("template"), mark = attrs.text("placeholder");
  int64_t n = 0;
  for (size_t at = 0; !mark.empty() && (at = text.find(mark, at)) != std::string::npos; at += mark.size()) ++n;
  return n;
}
Status formatShape(ShapeContext& c) {
  const int64_t n = placeholders(c.attrs());
  if (n != c.inputCount()) return invalidArgument("num placeholders in template and num inputs must match: ", n, " vs. ", c.inputCount());
  return shapes::scalar(c);
}
Status runFormat(KernelContext& c) {
  const std::string text = c.node().attrs.text("template"), mark = c.node().attrs.text("placeholder");
  const int64_t edge = c.node().attrs.integer("summarize", 3);
  if (const int64_t n = placeholders(c.node().attrs); n != c.inputCount())  // a file may contain a node that its shape function refuses
    return invalidArgument("num placeholders in template and num inputs must match: ", n, " vs. ", c.inputCount());
  std::string out;
  size_t from = 0;
  for (int i = 0; i < c.inputCount(); ++i) {
    const size_t at = text.find(mark, from);
    out += text.substr(from, at - from) + summarizeNested(c.input(i), edge);
    from = at + mark.size();
  }
  c.setOutput(0, Tensor::scalar(out + text.substr(from)));
  return {};
}

// StringSplit, StringSplitV2.

/// Calls put(begin, length) for each piece.
template <typename F>
void splitAny(const std::string& s, const std::string& delimiters, bool skipEmpty, F&& put) {
  if (delimiters.empty()) {
    for (size_t i = 0; i < s.size(); ++i) put(i, 1);
    return;
  }
  if (s.empty()) return;
  for (size_t from = 0;;) {
    const size_t at = delimiters.size() == 1 ? s.find(delimiters[0], from) : s.find_first_of(delimiters, from);
    const size_t end = at == std::string::npos ? s.size() : at;
    if (!skipEmpty || end > from) put(from, end - from);
    if (at == std::string::npos) return;
    from = at + 1;
  }
}
template <typename F>
void splitAt(const std::string& s, const std::string& separator, int64_t most, F&& put) {
  size_t from = 0;
  int64_t pieces = 0;
  if (separator.empty()) {  // runs of white space
    while (from < s.size() && isSpace(s[from])) ++from;
    for (; from < s.size(); ++pieces) {
      if (most >= 0 && pieces == most) return put(from, s.size() - from);
      size_t end = from;
      while (end < s.size() && !isSpace(s[end])) ++end;
      put(from, end - from);
      from = end;
      while (from < s.size() && isSpace(s[from])) ++from;
    }
    if (most > 0 && pieces == most) put(s.size(), 0);
    return;
  }
  for (; most < 0 || pieces < most; ++pieces) {
    const size_t at = s.find(separator, from);
    if (at == std::string::npos) break;
    put(from, at - from);
    from = at + separator.size();
  }
  put(from, s.size() - from);
}

Status splitShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  c.setOutput(0, Shape{Shape::kUnknownDim, 2});
  c.setOutput(1, Shape{Shape::kUnknownDim});
  c.setOutput(2, Shape{2});
  return {};
}
template <bool v2>
Status runSplit(KernelContext& c) {
  const Tensor &in = c.input(0), &separator = c.input(1);
  if (in.rank() != 1) return invalidArgument("input must be a vector, got shape: ", in.shape().toString());
  if (separator.rank() != 0) return invalidArgument(v2 ? "sep" : "delimiter", " must be a scalar, got shape: ", separator.shape().toString());
  const std::string& by = separator.data<std::string>()[0];
  const bool skipEmpty = c.node().attrs.flag("skip_empty", true);
  const int64_t most = c.node().attrs.integer("maxsplit", -1), n = in.elements();
  const std::string* x = in.data<std::string>();
  const auto overPieces = [&](int64_t i, auto&& put) {
    if (v2) splitAt(x[i], by, most, put);
    else splitAny(x[i], by, skipEmpty, put);
  };
  // Twice: the numbers of pieces determine where each string's pieces go.
  std::vector<int64_t> counts(static_cast<size_t>(n) + 1, 0);
  parallelFor(n, kTextGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) overPieces(i, [&](size_t, size_t) { ++counts[size_t(i) + 1]; });
  });
  int64_t widest = 0;
  for (size_t i = 1; i < counts.size(); ++i) {
    widest = std::max(widest, counts[i]);
    counts[i] += counts[i - 1];
  }
  WEFT_LET(Tensor* indices, c.allocate(0, Shape{counts.back(), 2}));
  WEFT_LET(Tensor* values, c.allocate(1, Shape{counts.back()}));
  int64_t* places = indices->mutableData<int64_t>();
  std::string* pieces = values->mutableData<std::string>();
  parallelFor(n, kTextGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t at = counts[size_t(i)], k = 0;
      overPieces(i, [&](size_t from, size_t length) {
        places[2 * at] = i;
        places[2 * at + 1] = k++;
        pieces[at++].assign(x[i], from, length);
      });
    }
  });
  c.setOutput(2, Tensor::vector(std::vector<int64_t>{in.elements(), widest}));
  return {};
}

}  // namespace

void registerStringPatterns(OpRegistry& ops) {
  addText(ops, "RegexReplace", "Replaces matches of a regular expression in strings.")
      .input("input: string", "Strings.")
      .input("pattern: string", "A regular expression (RE2).")
      .input("rewrite: string", "Replacement; \\0 to \\9 insert the matched groups.")
      .output("output: string", "The rewritten strings.")
      .attr("replace_global: bool = true", "Replace all matches, not only the first.")
      .shape(regexShape)
      .cpu({}, simpleKernel(runRegexReplace));
  addText(ops, "StaticRegexReplace", "RegexReplace with pattern and replacement as attributes.")
      .input("input: string", "Strings.")
      .output("output: string", "The rewritten strings.")
      .attr("pattern: string", "A regular expression (RE2).")
      .attr("rewrite: string", "Replacement; \\0 to \\9 insert the matched groups.")
      .attr("replace_global: bool = true", "Replace all matches, not only the first.")
      .shape(shapes::unchanged)
      .cpu({}, staticRegex<true>);
  addText(ops, "RegexFullMatch", "Whether a regular expression matches each whole string.")
      .input("input: string", "Strings.")
      .input("pattern: string", "A regular expression (RE2).")
      .output("output: bool", "The result for each string.")
      .shape(regexShape)
      .cpu({}, simpleKernel(runRegexMatch));
  addText(ops, "StaticRegexFullMatch", "RegexFullMatch with the pattern as an attribute.")
      .input("input: string", "Strings.")
      .output("output: bool", "The result for each string.")
      .attr("pattern: string", "A regular expression (RE2).")
      .shape(shapes::unchanged)
      .cpu({}, staticRegex<false>);
  addText(ops, "StringFormat", "Formats tensors into a template string.")
      .input("inputs: list(T)", "One tensor per placeholder.")
      .output("output: string", "A scalar.")
      .attr("T: list(type) >= 0", "Types of the tensors.")
      .attr("template: string = '%s'", "The formatted string.")
      .attr("placeholder: string = '%s'", "Placeholder to replace in the template.")
      .attr("summarize: int = 3", "Number of elements shown at each end of a dimension; -1: all.")
      .shape(formatShape)
      .cpu({}, simpleKernel(runFormat));
  const auto split = [&](const char* name, const char* separator, const char* about, const char* attr, const char* attrDoc, KernelFactory create,
                         const char* summary) {
    addText(ops, name, summary)
        .input("input: string", "A vector of strings.")
        .input(std::string(separator) + ": string", about)
        .output("indices: int64", "[pieces, 2]: index of the string and of the piece within it.")
        .output("values: string", "The pieces.")
        .output("shape: int64", "[2]: number of strings and maximum number of pieces.")
        .attr(attr, attrDoc)
        .shape(splitShape)
        .cpu({}, std::move(create));
  };
  split("StringSplit", "delimiter", "Delimiter characters, each of which separates; empty: split into bytes.", "skip_empty: bool = true", "Omit empty pieces.",
        simpleKernel(runSplit<false>), "Splits strings at delimiter characters into a sparse matrix of pieces.");
  split("StringSplitV2", "sep", "Separator string; empty: split at whitespace.", "maxsplit: int = -1", "Maximum number of splits; -1: unlimited.",
        simpleKernel(runSplit<true>), "Splits strings like Python's str.split, into a sparse matrix of pieces.");
}

}  // namespace weft
