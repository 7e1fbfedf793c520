#include <charconv>

#include "ops/line_reader.h"
#include "ops/lookup_table.h"

// Tables from text files: a line is a pair, or a key whose value is the line number.
namespace weft {
namespace {

constexpr int64_t kLineNumber = -1, kWholeLine = -2;

class TextSource final : public TableSource {
 public:
  TextSource(TextTableOptions options, std::unique_ptr<LineReader> reader) : options_(std::move(options)), reader_(std::move(reader)) {}

  /// Reads the first line, so that its errors are reported before the table is modified.
  Status begin() {
    if (options_.size == 0) return outOfRange("Finished reading 0 of lines from ", options_.file);
    WEFT_LET(const bool any, read());
    if (!any) return outOfRange("Read less bytes than requested");
    waiting_ = true;
    return {};
  }

  Result<int64_t> total() override {
    if (options_.size >= 0) return options_.size;
    WEFT_LET(auto again, LineReader::open(options_.file));
    int64_t lines = 0;
    std::string line;
    while (true) {
      WEFT_LET(const bool more, again->next(&line));
      if (!more) return lines;
      ++lines;
    }
  }

  Result<bool> next(Tensor* keys, Tensor* values) override {
    if (!waiting_) {
      if (options_.size >= 0 && number_ >= options_.size) return false;
      WEFT_LET(const bool more, read());
      if (!more) {
        if (options_.size >= 0 && number_ != options_.size)
          return invalidArgument("Invalid vocab_size in ", options_.file, ": expected ", options_.size, " but got ", number_);
        return false;
      }
    }
    waiting_ = false;
    *keys = key_;
    *values = value_;
    return true;
  }

 private:
  Result<bool> read() {
    std::string line;
    WEFT_LET(const bool more, reader_->next(&line));
    if (!more) return false;
    if (line.empty()) return invalidArgument("Invalid content in ", options_.file, ": empty line found at position ", reader_->position(), ".");
    std::vector<std::string> columns;
    const int64_t last = std::max(options_.keyColumn, options_.valueColumn);
    if (last >= 0) {
      for (size_t begin = 0; begin <= line.size();) {
        const size_t end = std::min(line.find(options_.delimiter, begin), line.size());
        columns.push_back(line.substr(begin, end - begin));
        begin = end + 1;
      }
      if (last >= int64_t(columns.size()))
        return invalidArgument("Invalid number of columns in ", options_.file, " line ", number_, " (", line, ") : expected ", last, " got ", columns.size());
    }
    WEFT_LET(key_, field(options_.keyColumn, options_.keyType, line, columns));
    WEFT_LET(value_, field(options_.valueColumn, options_.valueType, line, columns));
    ++number_;
    return true;
  }

  Result<Tensor> field(int64_t column, DType type, const std::string& line, const std::vector<std::string>& columns) const {
    if (column == kLineNumber) return Tensor::vector<int64_t>({number_});
    const std::string& text = column == kWholeLine ? line : columns[size_t(column)];
    switch (type) {
      case DType::String: return Tensor::vector<std::string>({text});
      case DType::Int32: return number<int32_t>(text, "int32");
      case DType::Int64: return number<int64_t>(text, "int64");
      case DType::Float: return number<float>(text, "float");
      case DType::Double: return number<double>(text, "double");
      default: return invalidArgument("Data type ", dtypeShortName(type), " not supported.");
    }
  }

  template <typename T>
  Result<Tensor> number(std::string_view text, const char* what) const {
    std::string_view rest = text;
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\t')) rest.remove_suffix(1);
    if (rest.starts_with('+')) rest.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || end != rest.data() + rest.size()) return invalidArgument("Field ", text, " in line ", number_, " is not a valid ", what, ".");
    return Tensor::vector<T>({value});
  }

  const TextTableOptions options_;
  std::unique_ptr<LineReader> reader_;
  int64_t number_ = 0;
  Tensor key_, value_;
  bool waiting_ = false;
};

}  // namespace

Result<std::unique_ptr<TableSource>> openTextTable(const TextTableOptions& o) {
  if (o.keyColumn == kLineNumber && o.keyType != DType::Int64)
    return invalidArgument("Key index for line number requires table key dtype of int64, got ", dtypeShortName(o.keyType));
  if (o.keyColumn == kWholeLine && o.keyType != DType::String && o.keyType != DType::Int64 && o.keyType != DType::Int32)
    return invalidArgument("Key index for whole line requires string or integer table key, got ", dtypeShortName(o.keyType));
  if (o.valueColumn == kLineNumber && o.valueType != DType::Int64)
    return invalidArgument("Value index for line number requires table value dtype of int64, got ", dtypeShortName(o.valueType));
  if (o.valueColumn == kWholeLine && o.valueType != DType::String)
    return invalidArgument("Value index for whole line requires table value dtype of string, got ", dtypeShortName(o.valueType));
  WEFT_LET(auto reader, LineReader::open(o.file));
  auto source = std::make_unique<TextSource>(o, std::move(reader));
  WEFT_TRY(source->begin());
  return std::unique_ptr<TableSource>(std::move(source));
}

}  // namespace weft
