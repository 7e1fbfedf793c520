#include <unicode/appendable.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <memory>

#include "ops/registry.h"
#include "ops/text_map.h"

// Conversion of strings to code points and back, between encodings, and the script of a code point. ICU implements the encodings.
namespace weft {
namespace {

struct ErrorRules {
  UChar32 substitute = 0xFFFD;
  bool skip = false, strict = false, replaceControl = false;
  bool isBad(UChar32 ch, bool malformed) const { return malformed || (replaceControl && ch <= 0x1F); }
};

Result<ErrorRules> errorRules(const AttrMap& attrs) {
  ErrorRules r;
  const std::string policy = attrs.text("errors", "replace");
  r.skip = policy == "ignore";
  r.strict = policy == "strict";
  const int64_t substitute = attrs.integer("replacement_char", 65533);
  if (substitute < UCHAR_MIN_VALUE || substitute > UCHAR_MAX_VALUE) return invalidArgument("replacement_char out of unicode codepoint range");
  r.substitute = UChar32(substitute);
  r.replaceControl = attrs.flag("replace_control_characters");
  return r;
}

constexpr const char* kMalformed = "Invalid formatting on input string";

struct CloseConverter {
  void operator()(UConverter* c) const { ucnv_close(c); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

Result<Converter> openConverter(const std::string& encoding) {
  UErrorCode status = U_ZERO_ERROR;
  Converter c(ucnv_open(encoding.c_str(), &status));
  if (U_FAILURE(status) || !c) return invalidArgument("Could not create converter for input encoding: ", encoding);
  return c;
}

/// ICU's callback for malformed input: records it and replaces it by U+FFFD.
void noteMalformed(const void* context, UConverterToUnicodeArgs* args, const char* units, int32_t length, UConverterCallbackReason reason, UErrorCode* error) {
  if (reason == UCNV_UNASSIGNED || reason == UCNV_ILLEGAL || reason == UCNV_IRREGULAR) *static_cast<bool*>(const_cast<void*>(context)) = true;
  UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, args, units, length, reason, error);
}

/// Calls f(code point, number of bytes, whether they were malformed) for each code point of `text`.
template <typename F>
Status eachCodePoint(const std::string& text, UConverter* converter, F&& f) {
  UErrorCode status = U_ZERO_ERROR;
  bool malformed = false;
  ucnv_reset(converter);
  ucnv_setToUCallBack(converter, noteMalformed, &malformed, nullptr, nullptr, &status);
  if (U_FAILURE(status)) return internalError("ICU: ", u_errorName(status));
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    const char* before = at;
    const UChar32 ch = ucnv_getNextUChar(converter, &at, end, &status);
    if (U_FAILURE(status)) at = end;
    f(ch, int64_t(at - before), malformed);
    malformed = false;
  }
  return {};
}

enum class Encoding { Utf8, Utf16, Utf32 };

Encoding encodingOf(const std::string& name) { return name == "UTF-16-BE" ? Encoding::Utf16 : name == "UTF-32-BE" ? Encoding::Utf32 : Encoding::Utf8; }

std::string encoded(const icu::UnicodeString& text, Encoding encoding) {
  std::string out;
  if (encoding == Encoding::Utf8) {
    text.toUTF8String(out);
  } else if (encoding == Encoding::Utf16) {
    for (int32_t i = 0; i < text.length(); ++i) {
      const char16_t unit = text.charAt(i);
      out += {char(unit >> 8), char(unit & 0xFF)};
    }
  } else {
    for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
      const UChar32 ch = text.char32At(i);
      out += {char(ch >> 24), char((ch >> 16) & 0xFF), char((ch >> 8) & 0xFF), char(ch & 0xFF)};
    }
  }
  return out;
}

// UnicodeDecode, UnicodeDecodeWithOffsets.

template <typename S>
Status decode(KernelContext& c, const std::string& encoding, const ErrorRules& rules) {
  WEFT_LET(const Converter converter, openConverter(encoding));
  const Tensor& in = c.input(0);
  const bool offsets = c.outputCount() > 2;
  std::vector<int32_t> chars;
  std::vector<int64_t> begins;
  WEFT_LET(Tensor* splits, c.allocate(0, Shape{in.elements() + 1}));
  S* ends = splits->mutableData<S>();
  ends[0] = 0;
  bool failed = false;
  for (int64_t i = 0; i < in.elements(); ++i) {
    int64_t at = 0;
    WEFT_TRY(eachCodePoint(in.data<std::string>()[i], converter.get(), [&](UChar32 ch, int64_t bytes, bool malformed) {
      failed = failed || (rules.strict && malformed);
      const int64_t begin = at;
      at += bytes;
      if (rules.isBad(ch, malformed)) {
        if (rules.skip) return;
        ch = rules.substitute;
      }
      chars.push_back(ch);
      if (offsets) begins.push_back(begin);
    }));
    if (failed) return invalidArgument(kMalformed);
    if (int64_t(S(chars.size())) != int64_t(chars.size()))
      return invalidArgument(int64_t(chars.size()), " code points cannot be counted by the type of the splits");
    ends[i + 1] = S(chars.size());
  }
  c.setOutput(1, Tensor::vector(chars));
  if (offsets) c.setOutput(2, Tensor::vector(begins));
  return {};
}

Result<std::unique_ptr<Kernel>> makeDecode(KernelInit& init) {
  WEFT_LET(const ErrorRules rules, errorRules(init.attrs()));
  const std::string encoding = init.attrs().text("input_encoding");
  WEFT_TRY(openConverter(encoding).status());
  const bool wide = init.attrs().type("Tsplits", DType::Int64) == DType::Int64;
  return functionKernel([=](KernelContext& c) { return wide ? decode<int64_t>(c, encoding, rules) : decode<int32_t>(c, encoding, rules); });
}

Status decodeShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  const int64_t n = in.hasRank() ? in.elements() : Shape::kUnknownDim;
  c.setOutput(0, Shape{n < 0 ? Shape::kUnknownDim : n + 1});
  for (int k = 1; k < c.outputCount(); ++k) c.setOutput(k, Shape::unknownOfRank(1));
  return {};
}

// UnicodeTranscode.

Result<std::unique_ptr<Kernel>> makeTranscode(KernelInit& init) {
  WEFT_LET(const ErrorRules rules, errorRules(init.attrs()));
  const std::string encoding = init.attrs().text("input_encoding");
  const Encoding to = encodingOf(init.attrs().text("output_encoding"));
  WEFT_TRY(openConverter(encoding).status());
  return functionKernel([=](KernelContext& c) -> Status {
    WEFT_LET(const Converter converter, openConverter(encoding));
    const Tensor& in = c.input(0);
    WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
    bool failed = false;
    for (int64_t i = 0; i < in.elements(); ++i) {
      icu::UnicodeString text;
      WEFT_TRY(eachCodePoint(in.data<std::string>()[i], converter.get(), [&](UChar32 ch, int64_t, bool malformed) {
        if (rules.isBad(ch, malformed)) {
          failed = true;
          if (rules.skip) return;
          ch = rules.substitute;
        }
        text.append(ch);
      }));
      out->mutableData<std::string>()[i] = encoded(text, to);
    }
    return rules.strict && failed ? Status(invalidArgument(kMalformed)) : Status();
  });
}

// UnicodeEncode.

Result<std::unique_ptr<Kernel>> makeEncode(KernelInit& init) {
  WEFT_LET(const ErrorRules rules, errorRules(init.attrs()));
  const Encoding to = encodingOf(init.attrs().text("output_encoding"));
  return functionKernel([=](KernelContext& c) -> Status {
    const Tensor &values = c.input(0), &splits = c.input(1);
    if (splits.rank() != 1 || splits.elements() < 1)
      return invalidArgument("input_splits must be a vector with at least one number, but has shape ", splits.shape().toString());
    const int64_t rows = splits.elements() - 1;
    WEFT_LET(Tensor* out, c.allocate(0, Shape{rows}));
    int64_t at = 0;
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t end = splits.asInt(r + 1);
      if (end > values.elements()) return invalidArgument("input_splits[", r + 1, "] = ", end, " points past the ", values.elements(), " input_values");
      icu::UnicodeString text;
      icu::UnicodeStringAppendable to32(text);
      for (; at < end; ++at) {
        UChar32 ch = values.at<int32_t>(at);
        if (ch < UCHAR_MIN_VALUE || ch > UCHAR_MAX_VALUE) {
          if (rules.strict) return invalidArgument("Code point value out of valid Unicode range.");
          if (rules.skip) continue;
          ch = rules.substitute;
        }
        to32.appendCodePoint(ch);
      }
      out->mutableData<std::string>()[r] = encoded(text, to);
    }
    return {};
  });
}

Status encodeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  const int64_t n = c.input(1).hasRank() ? c.input(1).dim(0) : Shape::kUnknownDim;
  if (n == 0) return invalidArgument("Negative dimension size caused by subtracting 1 from 0");
  c.setOutput(0, Shape{n < 0 ? Shape::kUnknownDim : n - 1});
  return {};
}

// UnicodeScript.

Status runScript(KernelContext& c) {
  WEFT_LET(Tensor* out, c.allocate(0, c.input(0).shape()));
  for (int64_t i = 0; i < out->elements(); ++i) {
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c.input(0).at<int32_t>(i), &status);
    out->mutableData<int32_t>()[i] = U_FAILURE(status) ? -1 : int32_t(script);
  }
  return {};
}

OpRecord& withErrors(OpRecord& r, bool control) {
  r.attr("errors: {'strict', 'replace', 'ignore'} = 'replace'",
         "Handling of invalid input: strict fails, replace substitutes the replacement character, ignore skips it.")
      .attr("replacement_char: int = 65533", "Code point used by `replace`.");
  if (control) r.attr("replace_control_characters: bool = false", "Whether control characters (below 32) count as invalid.");
  return r;
}

}  // namespace

void registerUnicode(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    OpRecord& r = ops.add(name).category("Strings").summary(summary).keywords("unicode utf encoding code point").noGradient(kNoNumbers);
    r.gradientIsError = true;
    return r;
  };
  for (const bool offsets : {false, true}) {
    OpRecord& r = add(offsets ? "UnicodeDecodeWithOffsets" : "UnicodeDecode",
                      offsets ? "Decodes strings to code points and returns the byte offset of each." : "Decodes strings to code points.");
    r.input("input: string", "Strings.")
        .output("row_splits: Tsplits", "[strings + 1]: row splits of the code points.")
        .output("char_values: int32", "The code points of all strings.");
    if (offsets) r.output("char_to_byte_starts: int64", "Byte offset of each code point in its string.");
    r.attr("input_encoding: string", "Encoding of the input; any name that ICU knows.");
    withErrors(r, true).attr("Tsplits: {int32, int64} = DT_INT64", "Type of the splits.").shape(decodeShape).cpu({{"Tsplits", types::kIndex}}, makeDecode);
  }
  withErrors(add("UnicodeTranscode", "Converts strings from one encoding to another.")
                 .input("input: string", "Strings.")
                 .output("output: string", "The converted strings.")
                 .attr("input_encoding: string", "Encoding of the input; any name that ICU knows.")
                 .attr("output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}", "Encoding of the output."),
             true)
      .shape(shapes::unchanged)
      .cpu({}, makeTranscode);
  OpRecord& encode = add("UnicodeEncode", "Encodes code points to strings.")
                         .input("input_values: int32", "The code points of all strings.")
                         .input("input_splits: Tsplits", "[strings + 1]: row splits of the code points.")
                         .output("output: string", "The strings.")
                         .attr("errors: {'ignore', 'replace', 'strict'} = 'replace'",
                               "Handling of invalid code points: ignore skips them, replace substitutes the replacement character, strict fails.")
                         .attr("output_encoding: {'UTF-8', 'UTF-16-BE', 'UTF-32-BE'}", "Encoding of the output.")
                         .attr("replacement_char: int = 65533", "Code point used by `replace`.")
                         .attr("Tsplits: {int32, int64} = DT_INT64", "Type of the splits.");
  encode.shape(encodeShape).cpu({{"Tsplits", types::kIndex}}, makeEncode);
  add("UnicodeScript", "Unicode script of each code point.")
      .input("input: int32", "Code points.")
      .output("output: int32", "ICU script code (Latin 25, Han 17, common 0, …); -1 for invalid code points.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runScript));
}

}  // namespace weft
