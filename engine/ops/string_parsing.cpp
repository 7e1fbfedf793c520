#include <atomic>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>

#include "ops/registry.h"
#include "ops/text_map.h"
#include "tensor/element_types.h"
#include "tensor/scratch.h"

// Conversion of strings: numbers, CSV, base 64. Raw bytes: string_bytes.cpp.
namespace weft {
namespace {

// AsString.

constexpr int64_t kLongText = 1 << 16;  ///< Length of one element's text beyond which the allocator is asked for memory.

/// The printf format for the attributes; `letters`: "d", "lld" or the letter of a float notation.
Result<std::string> printFormat(const AttrMap& attrs, DType type, std::string letters) {
  const int64_t width = attrs.integer("width", -1), precision = attrs.integer("precision", -1);
  const bool scientific = attrs.flag("scientific"), shortest = attrs.flag("shortest"), isFloat = isFloating(type) || isComplex(type);
  const std::string fill = attrs.text("fill");
  if (!isFloat && (scientific || shortest)) return invalidArgument("scientific and shortest format not supported for datatype ", dtypeName(type));
  if (!isFloat && precision > -1) return invalidArgument("precision not supported for datatype ", dtypeName(type));
  if (scientific && shortest) return invalidArgument("Cannot select both scientific and shortest notation");
  if (fill.size() > 1) return invalidArgument("Fill string must be one or fewer characters");
  if (!fill.empty() && std::string(" +-0#").find(fill) == std::string::npos) return invalidArgument("Fill argument not supported: \"", fill, "\"");
  std::string format = "%" + fill;
  if (width > -1) format += std::to_string(width);
  if (precision > -1) format += "." + std::to_string(precision);
  return format + (isFloat ? scientific ? "e" : shortest ? "g" : "f" : letters);
}

template <typename... T>
std::string printed(const std::string& format, T... values) {
  char usual[64];
  const int n = std::snprintf(usual, sizeof usual, format.c_str(), values...);
  if (n >= 0 && size_t(n) < sizeof usual) return std::string(usual, size_t(n));
  std::string out(size_t(std::max(n, 0)), '\0');
  std::snprintf(out.data(), out.size() + 1, format.c_str(), values...);
  return out;
}

Result<std::unique_ptr<Kernel>> makeAsString(KernelInit& init) {
  const DType type = init.inputType(0);
  std::string format;
  if (type != DType::Bool) {
    WEFT_LET(format, printFormat(init.attrs(), type, "lld"));
    if (isComplex(type)) format = "(" + format + "," + format + ")";
  }
  const int64_t letters = std::max<int64_t>({0, init.attrs().integer("width", -1), init.attrs().integer("precision", -1)});
  if (letters >= std::numeric_limits<int32_t>::max()) return invalidArgument("AsString: a width or precision of ", letters, " is too large");
  return functionKernel([type, format, letters](KernelContext& c) -> Status {
    const Tensor& in = c.input(0);
    if (letters > kLongText) WEFT_TRY(reserveScratch(in.elements(), size_t(letters)));
    WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
    std::string* y = out->mutableData<std::string>();
    const auto print = [&](int64_t i) {
      switch (type) {
        case DType::Bool: y[i] = in.data<bool>()[i] ? "true" : "false"; break;
        case DType::Complex64:
          y[i] = printed(format, double(in.data<std::complex<float>>()[i].real()), double(in.data<std::complex<float>>()[i].imag()));
          break;
        case DType::Complex128: y[i] = printed(format, in.data<std::complex<double>>()[i].real(), in.data<std::complex<double>>()[i].imag()); break;
        case DType::Float:
        case DType::Double: y[i] = printed(format, in.asDouble(i)); break;
        default: y[i] = format == "%lld" ? std::to_string(in.asInt(i)) : printed(format, static_cast<long long>(in.asInt(i)));
      }
    };
    parallelFor(in.elements(), kTextGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) print(i);
    });
    return {};
  });
}

// Numbers in strings. Only white space is allowed around them.

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && isSpace(s.front())) s.remove_prefix(1);
  while (!s.empty() && isSpace(s.back())) s.remove_suffix(1);
  return s;
}

template <typename T>
std::optional<T> numberIn(std::string_view text) {
  std::string_view s = trimmed(text);
  if (s.empty()) return std::nullopt;
  if constexpr (std::is_integral_v<T>) {
    if (s.front() == '+') s.remove_prefix(1);
    T value;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
    return value;
  } else {
    // The C library also reads hexadecimal numbers, and results that are too large or too small.
    if (T value; s.front() != '+' && s.find_first_not_of("0123456789.eE+-") == std::string_view::npos) {
      const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
      if (error == std::errc() && end == s.data() + s.size()) return value;
    }
    const std::string copy(s);
    char* end = nullptr;
    const T value = std::is_same_v<T, float> ? T(std::strtof(copy.c_str(), &end)) : T(std::strtod(copy.c_str(), &end));
    if (end != copy.c_str() + copy.size()) return std::nullopt;
    return value;
  }
}

/// Calls f(type_identity<T>) with one of the types that strings can be parsed as.
template <typename F>
void withParsed(DType type, F&& f) {
  switch (type) {
    case DType::Float: return f(std::type_identity<float>());
    case DType::Double: return f(std::type_identity<double>());
    case DType::Int32: return f(std::type_identity<int32_t>());
    default: return f(std::type_identity<int64_t>());
  }
}

Status runToNumber(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const std::string* x = in.data<std::string>();
  std::atomic<int64_t> bad{in.elements()};  // the first string that is not a number
  withParsed(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    T* y = out->mutableData<T>();
    parallelFor(in.elements(), kTextGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto v = numberIn<T>(x[i]);
        if (!v) {
          for (int64_t least = bad; i < least && !bad.compare_exchange_weak(least, i);) {
          }
          return;
        }
        y[i] = *v;
      }
    });
  });
  if (bad < in.elements()) return invalidArgument("StringToNumberOp could not correctly convert string: ", x[bad]);
  return {};
}

// DecodeCSV.

/// The fields of one record, or the error in it. Quoted fields may contain separators and doubled quotation marks.
Result<std::vector<std::string>> fieldsOf(const std::string& record, char separator, bool quotes) {
  std::vector<std::string> out;
  size_t at = 0;
  for (;;) {
    std::string field;
    if (quotes && at < record.size() && record[at] == '"') {
      ++at;
      for (;; ++at) {
        if (at >= record.size()) return invalidArgument("Quoted field has to end with quote followed by delim or end");
        if (record[at] != '"') {
          field += record[at];
        } else if (at + 1 < record.size() && record[at + 1] == '"') {
          field += '"';
          ++at;
        } else {
          break;
        }
      }
      ++at;
      if (at < record.size() && record[at] != separator) return invalidArgument("Quoted field has to end with quote followed by delim or end");
    } else {
      for (; at < record.size() && record[at] != separator; ++at) {
        if (record[at] == '\n' || record[at] == '\r') {
          if (at + 1 == record.size() || (at + 2 == record.size() && record[at + 1] == '\n')) continue;
          return invalidArgument("Unquoted fields cannot have quotes/CRLFs inside");
        }
        if (quotes && record[at] == '"') return invalidArgument("Unquoted fields cannot have quotes/CRLFs inside");
        field += record[at];
      }
    }
    out.push_back(std::move(field));
    if (at >= record.size()) return out;
    ++at;  // the separator; a record that ends with one has an empty last field
  }
}

Status csvShape(ShapeContext& c) {
  for (int i = 1; i < c.inputCount(); ++i) {
    const Shape& s = c.input(i);
    WEFT_TRY(c.requireRankAtMost(s, 1));
    if (s.hasRank() && s.rank() == 1 && s.dim(0) > 1) return invalidArgument("Shape of a default must be a length-0 or length-1 vector, or a scalar.");
  }
  for (int i = 0; i < c.outputCount(); ++i) c.setOutput(i, c.input(0));
  return {};
}

class DecodeCsv final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(KernelInit& init) {
    auto k = std::make_unique<DecodeCsv>();
    const std::string separator = init.attrs().text("field_delim", ",");
    if (separator.size() != 1) return invalidArgument("field_delim should be only 1 char");
    k->separator_ = separator[0];
    k->quotes_ = init.attrs().flag("use_quote_delim", true);
    k->missing_ = init.attrs().text("na_value");
    k->columns_ = init.attrs().integers("select_cols");
    const int wanted = int(init.node().outputTypes.size());
    if (!k->columns_.empty() && int(k->columns_.size()) != wanted) return invalidArgument("select_cols should match output size");
    for (size_t i = 0; i < k->columns_.size(); ++i) {
      if (k->columns_[i] < 0) return invalidArgument("select_cols should be non-negative indices");
      if (i > 0 && k->columns_[i] <= k->columns_[i - 1]) return invalidArgument("select_cols should be strictly increasing indices");
    }
    return std::unique_ptr<Kernel>(std::move(k));
  }

  Status compute(KernelContext& c) override {
    const Tensor& records = c.input(0);
    const int n = c.outputCount();
    std::vector<Tensor*> outs;
    for (int i = 0; i < n; ++i) {
      if (c.input(i + 1).elements() > 1) return invalidArgument("There should only be 1 default per field but field ", i, " has ", c.input(i + 1).elements());
      WEFT_LET(Tensor* out, c.allocate(i, records.shape()));
      outs.push_back(out);
    }
    for (int64_t r = 0; r < records.elements(); ++r) {
      WEFT_LET(std::vector<std::string> all, fieldsOf(records.data<std::string>()[r], separator_, quotes_));
      if (!columns_.empty()) {
        std::vector<std::string> picked;
        for (int64_t k : columns_) {
          if (k < int64_t(all.size())) picked.push_back(all[size_t(k)]);
        }
        all = std::move(picked);
      }
      if (int(all.size()) != n) return invalidArgument("Expect ", n, " fields but have ", all.size(), " in record ", r);
      for (int i = 0; i < n; ++i) WEFT_TRY(store(*outs[size_t(i)], r, i, all[size_t(i)], c.input(i + 1)));
    }
    return {};
  }

 private:
  Status store(Tensor& out, int64_t record, int field, const std::string& text, const Tensor& otherwise) const {
    const bool missing = text.empty() || text == missing_;
    if (missing && otherwise.elements() != 1) return invalidArgument("Field ", field, " is required but missing in record ", record, "!");
    if (out.dtype() == DType::String) {
      out.mutableData<std::string>()[record] = missing ? otherwise.data<std::string>()[0] : text;
      return {};
    }
    Status status;
    withParsed(out.dtype(), [&]<typename T>(std::type_identity<T>) {
      if (missing) {
        out.mutableData<T>()[record] = otherwise.data<T>()[0];
      } else if (const auto v = numberIn<T>(text)) {
        out.mutableData<T>()[record] = *v;
      } else {
        const char* name = std::is_same_v<T, float> ? "float" : std::is_same_v<T, double> ? "double" : std::is_same_v<T, int32_t> ? "int32" : "int64";
        status = invalidArgument("Field ", field, " in record ", record, " is not a valid ", name, ": ", text);
      }
    });
    return status;
  }

  char separator_ = ',';
  bool quotes_ = true;
  std::string missing_;
  std::vector<int64_t> columns_;
};

// Base 64 with the URL-safe alphabet ('-' and '_').

constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

Status runEncode64(KernelContext& c) {
  const bool pad = c.node().attrs.flag("pad");
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  for (int64_t i = 0; i < in.elements(); ++i) {
    const std::string& s = in.data<std::string>()[i];
    std::string& y = out->mutableData<std::string>()[i];
    for (size_t k = 0; k < s.size(); k += 3) {
      const size_t n = std::min<size_t>(3, s.size() - k);
      uint32_t bits = 0;
      for (size_t b = 0; b < 3; ++b) bits = bits << 8 | (b < n ? uint8_t(s[k + b]) : 0u);
      for (size_t l = 0; l < 4; ++l) {
        if (l <= n) y += kLetters[bits >> (18 - 6 * l) & 63];
        else if (pad) y += '=';
      }
    }
  }
  return {};
}

Result<std::string> decoded64(std::string_view s) {
  if (s.size() % 4 == 0 && !s.empty() && s.back() == '=') {
    s.remove_suffix(1);
    if (s.back() == '=') s.remove_suffix(1);
  }
  if (s.size() % 4 == 1) return invalidArgument("Base64 string length cannot be 1 modulo 4.");
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (char ch : s) {
    const char* at = ch ? std::strchr(kLetters, ch) : nullptr;
    if (!at) return invalidArgument("Invalid character found in base64.");
    bits = bits << 6 | uint32_t(at - kLetters);
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += char(bits >> have & 0xff);
    }
  }
  return out;
}
Status runDecode64(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  for (int64_t i = 0; i < in.elements(); ++i) {
    WEFT_LET(out->mutableData<std::string>()[i], decoded64(in.data<std::string>()[i]));
  }
  return {};
}

}  // namespace

void registerStringParsing(OpRegistry& ops) {
  addText(ops, "AsString", "Converts numbers and booleans to strings.")
      .input("input: T", "Values of any shape.")
      .output("output: string", "One string per element.")
      .attr("T: {int8, int16, int32, int64, complex64, complex128, float, double, bool}", "Type of the elements.")
      .attr("precision: int = -1", "Number of digits after the decimal point.")
      .attr("scientific: bool = false", "Use scientific notation for floats.")
      .attr("shortest: bool = false", "Use the shorter of decimal and scientific notation for floats.")
      .attr("width: int = -1", "Minimum width in characters.")
      .attr("fill: string = ''", "printf flag: empty, space, 0 (zero padding), + (always a sign), - (left-aligned) or #.")
      .shape(shapes::unchanged)
      .cpu({}, makeAsString);
  addText(ops, "StringToNumber", "Parses strings as numbers.")
      .input("string_tensor: string", "Strings.")
      .output("output: out_type", "The numbers.")
      .attr("out_type: {float, double, int32, int64} = DT_FLOAT", "Type of the numbers.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runToNumber));
  addText(ops, "DecodeCSV", "Parses CSV records into one tensor per column.")
      .input("records: string", "Records.")
      .input("record_defaults: list(OUT_TYPE)", "Default value of each column; empty: the field is required.")
      .output("output: list(OUT_TYPE)", "The columns, each in the shape of the records.")
      .attr("OUT_TYPE: list({float, double, int32, int64, string}) >= 1", "Types of the columns.")
      .attr("field_delim: string = ','", "Field delimiter; one character.")
      .attr("use_quote_delim: bool = true", "Whether double quotes delimit fields.")
      .attr("na_value: string = ''", "Additional string that marks a missing value.")
      .attr("select_cols: list(int) = []", "Indices of the columns to return; empty: all.")
      .shape(csvShape)
      .cpu({}, DecodeCsv::create);
  addText(ops, "EncodeBase64", "Encodes strings in web-safe base64.")
      .input("input: string", "Strings.")
      .output("output: string", "The encoded strings.")
      .attr("pad: bool = false", "Pad with '=' to a multiple of four characters.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runEncode64));
  addText(ops, "DecodeBase64", "Decodes strings from web-safe base64.")
      .input("input: string", "Strings in web-safe base64, with or without '=' padding.")
      .output("output: string", "The decoded strings.")
      .shape(shapes::unchanged)
      .cpu({}, simpleKernel(runDecode64));
}

}  // namespace weft
