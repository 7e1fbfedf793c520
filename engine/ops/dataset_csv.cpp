#include <charconv>
#include <cstdlib>

#include "ops/datasets.h"
#include "ops/old_names.h"
#include "weft/records.h"

// Data sets of CSV records (RFC 4180 with a configurable delimiter): one component per selected column.
namespace weft {
namespace {

struct CsvSettings {
  std::vector<std::string> files;
  Compression compression = Compression::None;
  bool header = false, quotes = true;
  char delimiter = ',';
  std::string missing;
  std::vector<int64_t> columns;  ///< Empty: all.
  std::vector<Tensor> defaults;  ///< No elements: the column must have a value.
};

/// The bytes of a file, one by one.
class Bytes {
 public:
  static Result<std::unique_ptr<Bytes>> open(const std::string& path, Compression compression) {
    auto bytes = std::make_unique<Bytes>();
    WEFT_LET(bytes->stream_, ByteStream::open(path, compression));
    return bytes;
  }
  /// The next byte, without consuming it; -1 at the end.
  Result<int> peek() {
    if (at_ == end_) {
      buffer_.resize(size_t(64) << 10);
      WEFT_LET(end_, stream_->read(buffer_.data(), buffer_.size()));
      at_ = 0;
    }
    return at_ == end_ ? -1 : int(static_cast<unsigned char>(buffer_[at_]));
  }
  void take() { ++at_; }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::string buffer_;
  size_t at_ = 0, end_ = 0;
};

class CsvIterator final : public DatasetIterator {
 public:
  explicit CsvIterator(std::shared_ptr<const CsvSettings> s) : s_(std::move(s)) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    for (;;) {
      WEFT_TRY(site.check());
      if (!bytes_) {
        if (file_ == s_->files.size()) return false;
        ++file_;
        WEFT_TRY(openFile());
      }
      WEFT_LET(const int first, bytes_->peek());
      if (first < 0) {
        bytes_.reset();
        continue;
      }
      ++taken_;
      WEFT_TRY(readRecord(out));
      return true;
    }
  }
  Status exchange(IteratorState& s) override {
    bool open = bytes_ != nullptr;
    int64_t taken = taken_;
    WEFT_TRY(s.value("open", open));
    WEFT_TRY(s.value("file", file_));
    WEFT_TRY(s.value("taken", taken));
    if (!s.restores()) return {};
    if (file_ > s_->files.size() || (open && file_ == 0)) return dataLoss("The saved state is at file ", file_, " of ", s_->files.size());
    if (!open) return {};
    WEFT_TRY(openFile());
    for (Element passed; taken_ < taken; ++taken_) {
      WEFT_LET(const int first, bytes_->peek());
      if (first < 0) return outOfRange("The file ", s_->files[file_ - 1], " has ", taken_, " records; the saved position is behind ", taken);
      (void)readRecord(passed);  // a record that fails was passed as well
    }
    return {};
  }

 private:
  /// Opens the file before `file_`, at its first record.
  Status openFile() {
    taken_ = 0;
    WEFT_LET(bytes_, Bytes::open(s_->files[file_ - 1], s_->compression));
    if (!s_->header) return {};
    WEFT_LET(const int first, bytes_->peek());
    if (first < 0) {
      bytes_.reset();
      return invalidArgument("Can't read header of file");
    }
    return skipLine();
  }
  /// Consumes the rest of the line and its terminator.
  Status skipLine() {
    for (;;) {
      WEFT_LET(const int c, bytes_->peek());
      if (c < 0) return {};
      bytes_->take();
      if (c == '\n') return {};
      if (c == '\r') return takeNewline();
    }
  }
  Status takeNewline() {
    WEFT_LET(const int c, bytes_->peek());
    if (c == '\n') bytes_->take();
    return {};
  }

  /// Reads one field into `field`; returns whether the record ends after it. `problem` gets an error in the field.
  Result<bool> readField(std::string& field, Status& problem) {
    field.clear();
    WEFT_LET(const int first, bytes_->peek());
    const bool quoted = s_->quotes && first == '"';
    if (quoted) {
      bytes_->take();
      for (;;) {
        WEFT_LET(const int c, bytes_->peek());
        if (c < 0) {
          problem = invalidArgument("Reached end of file without closing quoted field in record");
          return true;
        }
        bytes_->take();
        if (c != '"') {
          field += char(c);
          continue;
        }
        WEFT_LET(const int after, bytes_->peek());
        if (after < 0) return true;
        if (after == '"') {
          bytes_->take();
          field += '"';
        } else if (after == s_->delimiter) {
          bytes_->take();
          return false;
        } else if (after == '\n' || after == '\r') {
          bytes_->take();
          if (after == '\r') WEFT_TRY(takeNewline());
          return true;
        } else {
          problem = invalidArgument("Quote inside a string has to be escaped by another quote");  // continue to the end of the field
        }
      }
    }
    for (;;) {
      WEFT_LET(const int c, bytes_->peek());
      if (c < 0) return true;
      bytes_->take();
      if (c == s_->delimiter) return false;
      if (c == '\n') return true;
      if (c == '\r') {
        WEFT_TRY(takeNewline());
        return true;
      }
      if (c == '"' && s_->quotes) {
        problem = invalidArgument("Unquoted fields cannot have quotes inside");
        WEFT_TRY(skipLine());
        return true;
      }
      field += char(c);
    }
  }

  /// Consumes the whole record even if it has errors.
  Status readRecord(Element& out) {
    out.clear();
    Status problem;
    std::string field;
    size_t wanted = 0;
    int64_t column = 0;
    for (bool end = false; !end; ++column) {
      Status here;
      WEFT_LET(end, readField(field, here));
      const bool selected = s_->columns.empty() || (wanted < s_->columns.size() && s_->columns[wanted] == column);
      if (problem.ok() && !here.ok()) problem = here;
      if (!problem.ok() || !selected) continue;
      if (wanted == s_->defaults.size()) {
        problem = invalidArgument("Expect ", s_->defaults.size(), " fields but have more in record");
        continue;
      }
      auto value = convert(field, wanted++);
      if (value.ok()) out.push_back(std::move(*value));
      else problem = value.status();
    }
    if (problem.ok() && wanted < s_->defaults.size()) {
      problem = s_->columns.empty() ? invalidArgument("Expect ", s_->defaults.size(), " fields but have ", column, " in record")
                                    : invalidArgument("Expect at least ", s_->columns.back() + 1, " fields but have ", column, " in record");
    }
    return problem;
  }

  Result<Tensor> convert(const std::string& field, size_t i) const {
    const Tensor& otherwise = s_->defaults[i];
    if (field.empty() || field == s_->missing) {
      if (otherwise.elements() != 1) return invalidArgument("Field ", i, " is required but missing in record!");
      return otherwise.reshaped({});
    }
    const auto bad = [&](const char* type) { return invalidArgument("Field ", i, " in record is not a valid ", type, ": ", field); };
    const char *begin = field.c_str(), *end = begin + field.size();
    while (begin != end && (*begin == ' ' || *begin == '\t')) ++begin;
    while (end != begin && (end[-1] == ' ' || end[-1] == '\t')) --end;
    const auto whole = [&]<typename T>(T, const char* type) -> Result<Tensor> {
      T value{};
      const char* from = begin != end && *begin == '+' ? begin + 1 : begin;
      const auto [at, error] = std::from_chars(from, end, value);
      if (error != std::errc() || at != end || from == end) return bad(type);
      return Tensor::scalar(value);
    };
    switch (otherwise.dtype()) {
      case DType::Int32: return whole(int32_t(), "int32");
      case DType::Int64: return whole(int64_t(), "int64");
      case DType::Float:
      case DType::Double: {
        char* at = nullptr;
        const std::string text(begin, end);
        const double value = otherwise.dtype() == DType::Double ? std::strtod(text.c_str(), &at) : double(std::strtof(text.c_str(), &at));
        if (text.empty() || at != text.c_str() + text.size()) return bad(otherwise.dtype() == DType::Double ? "double" : "float");
        if (otherwise.dtype() == DType::Double) return Tensor::scalar(value);
        return Tensor::scalar(float(value));
      }
      default: return Tensor::scalar(field);
    }
  }

  const std::shared_ptr<const CsvSettings> s_;
  size_t file_ = 0;
  std::unique_ptr<Bytes> bytes_;
  int64_t taken_ = 0;  // records of the open file
};

class CsvDataset final : public DatasetBase {
 public:
  CsvDataset(ElementSpec spec, std::shared_ptr<const CsvSettings> s) : DatasetBase(std::move(spec)), settings_(std::move(s)) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override {
    return std::unique_ptr<DatasetIterator>(new CsvIterator(settings_));
  }

 private:
  std::shared_ptr<const CsvSettings> settings_;
};

Result<DatasetPtr> makeCsv(KernelContext& c) {
  auto s = std::make_shared<CsvSettings>();
  const Tensor& names = c.input(0);
  if (names.rank() > 1) return invalidArgument("`filenames` must be a scalar or a vector.");
  s->files.assign(names.data<std::string>(), names.data<std::string>() + names.elements());
  WEFT_LET(const std::string compression, scalarArgument<std::string>(c, 1, "compression_type"));
  WEFT_LET(const int64_t buffer, scalarArgument<int64_t>(c, 2, "buffer_size"));
  if (buffer <= 0) return invalidArgument("buffer_size should be positive");
  WEFT_LET(s->header, scalarArgument<bool>(c, 3, "header"));
  WEFT_LET(const std::string delimiter, scalarArgument<std::string>(c, 4, "field_delim"));
  if (delimiter.size() != 1) return invalidArgument("field_delim should be only 1 char");
  s->delimiter = delimiter[0];
  WEFT_LET(s->quotes, scalarArgument<bool>(c, 5, "use_quote_delim"));
  WEFT_LET(s->missing, scalarArgument<std::string>(c, 6, "na_value"));
  const Tensor& columns = c.input(7);
  if (columns.rank() != 1) return invalidArgument("`select_cols` must be a vector.");
  const auto kind = compressionFromName(compression);
  if (!kind.ok()) return invalidArgument("Unsupported compression_type: ", compression, ".");
  s->compression = *kind;
  for (int i = 8; i < c.inputCount(); ++i) {
    const Tensor& t = c.input(i);
    if (t.rank() > 1) return invalidArgument("Each record default should be at most rank 1");
    if (t.elements() >= 2) return invalidArgument("There should only be 1 default per field but field ", i - 8, " has ", t.elements());
    s->defaults.push_back(t);
  }
  for (int64_t i = 0; i < columns.elements(); ++i) {
    const int64_t column = columns.at<int64_t>(i);
    if (column < 0) return invalidArgument("select_cols should be non-negative indices");
    if (i > 0 && column <= s->columns.back()) return invalidArgument("select_cols should be strictly increasing indices");
    s->columns.push_back(column);
  }
  if (!s->columns.empty() && s->columns.size() != s->defaults.size()) return invalidArgument("select_cols should match output size");
  return DatasetPtr(std::make_shared<CsvDataset>(declaredSpec(c.node().attrs), std::move(s)));
}

Status csvShape(ShapeContext& c) {
  WEFT_TRY(shapes::scalar(c));
  if (c.input(0).hasRank() && c.input(0).rank() > 1) return invalidArgument("Shape must be at most rank 1 but is rank ", c.input(0).rank());
  for (int i = 1; i < 7; ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  WEFT_TRY(c.requireRank(c.input(7), 1));
  for (int i = 8; i < c.inputCount(); ++i) {
    WEFT_TRY(c.requireRankAtMost(c.input(i), 1));
    if (c.input(i).hasRank() && c.input(i).rank() == 1 && c.input(i).dim(0) > 1)
      return invalidArgument("Shape of a default must be a length-0 or length-1 vector, or a scalar.");
  }
  return {};
}

}  // namespace

void registerDatasetCsv(OpRegistry& ops) {
  datasetOp(ops, "CSVDataset", "Parses the records of CSV files.")
      .input("filenames: string", "File names.")
      .input("compression_type: string", "\"\", \"ZLIB\" or \"GZIP\".")
      .input("buffer_size: int64", "Ignored; files are read in chunks of 64 KiB.")
      .input("header: bool", "Skip the first line of each file.")
      .input("field_delim: string", "Field delimiter; one character.")
      .input("use_quote_delim: bool", "Whether double quotes delimit fields.")
      .input("na_value: string", "String that marks a missing value.")
      .input("select_cols: int64", "Indices of the columns to read, ascending; empty: all.")
      .input("record_defaults: list(output_types)", "Default value of each column; empty: the field is required.")
      .attr("output_types: list({float, double, int32, int64, string}) >= 1", "Types of the columns.")
      .attr("output_shapes: list(shape) >= 1", "Shapes of the columns: scalars.")
      .stateful()
      .shape(csvShape)
      .cpu({}, datasetKernel(makeCsv));
  state(ops, OpRole::Dataset, Effect::File, "CSVDataset");
  oldName(ops, "ExperimentalCSVDataset", "CSVDataset");
}

}  // namespace weft
