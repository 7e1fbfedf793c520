#include <algorithm>

#include "ops/datasets.h"
#include "weft/records.h"

// Data sets that read files: records, lines, chunks of fixed length. A file is opened when its first element is requested.
namespace weft {
namespace {

/// Returns the elements of one file after another.
class FilesIterator : public DatasetIterator {
 public:
  FilesIterator(std::vector<std::string> files, Compression compression) : files_(std::move(files)), compression_(compression) {}
  Result<bool> next(const CallSite& site, Element& out) override {
    while (current_ < files_.size()) {
      WEFT_TRY(site.check());
      if (!open_) {
        WEFT_TRY(open(files_[current_], compression_));
        open_ = true;
        taken_ = 0;
      }
      std::string value;
      auto more = read(value);
      if (more.ok() && *more) {
        ++taken_;
        out.assign(1, Tensor::scalar(std::move(value)));
        return true;
      }
      // A broken file is skipped, so that the elements of the others remain available.
      open_ = false;
      ++current_;
      if (!more.ok()) return more;
    }
    return false;
  }
  Status exchange(IteratorState& s) override {
    WEFT_TRY(s.value("file", current_));
    WEFT_TRY(s.value("open", open_));
    WEFT_TRY(s.value("taken", taken_));
    if (!s.restores() || !open_) return {};
    if (current_ >= files_.size()) return dataLoss("The saved state is at file ", current_, " of ", files_.size());
    WEFT_TRY(open(files_[current_], compression_));
    for (int64_t i = 0; i < taken_; ++i) {
      if (i % 1024 == 0) WEFT_TRY(s.site().check());
      std::string passed;
      WEFT_LET(const bool more, read(passed));
      if (!more) return outOfRange("The file ", files_[current_], " has ", i, " records; the saved position is behind ", taken_);
    }
    return {};
  }

 protected:
  virtual Status open(const std::string& path, Compression compression) = 0;
  virtual Result<bool> read(std::string& value) = 0;

 private:
  std::vector<std::string> files_;
  Compression compression_;
  size_t current_ = 0;
  bool open_ = false;
  int64_t taken_ = 0;  // records of the open file
};

class RecordsIterator final : public FilesIterator {
 public:
  using FilesIterator::FilesIterator;

 protected:
  Status open(const std::string& path, Compression compression) override {
    WEFT_LET(reader_, RecordReader::open(path, compression));
    return {};
  }
  Result<bool> read(std::string& value) override { return reader_->next(&value); }

 private:
  std::unique_ptr<RecordReader> reader_;
};

/// A buffered reader of a stream.
class Buffered {
 public:
  Status open(const std::string& path, Compression compression) {
    WEFT_LET(stream_, ByteStream::open(path, compression));
    begin_ = end_ = 0;
    return {};
  }
  /// Tries to have `bytes` bytes in the buffer; returns how many there are.
  Result<size_t> fill(size_t bytes) {
    while (end_ - begin_ < bytes) {
      if (begin_ > 0) {
        buffer_.erase(0, begin_);
        end_ -= begin_;
        begin_ = 0;
      }
      const size_t room = std::max(kStep, end_ / 2);  // do not trust a claimed length
      buffer_.resize(end_ + room);
      WEFT_LET(const size_t got, stream_->read(buffer_.data() + end_, room));
      end_ += got;
      if (got == 0) break;
    }
    return end_ - begin_;
  }
  std::string_view bytes() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void drop(size_t n) { begin_ += n; }

 private:
  static constexpr size_t kStep = size_t(64) << 10;
  std::unique_ptr<ByteStream> stream_;
  std::string buffer_;
  size_t begin_ = 0, end_ = 0;
};

class LinesIterator final : public FilesIterator {
 public:
  using FilesIterator::FilesIterator;

 protected:
  Status open(const std::string& path, Compression compression) override { return in_.open(path, compression); }
  Result<bool> read(std::string& value) override {
    size_t looked = 0;
    bool any = false;
    for (size_t there = 0;;) {
      WEFT_LET(const size_t now, in_.fill(there + 1));
      const bool end = now == there;
      there = now;
      any |= there > 0;
      const size_t newline = in_.bytes().find('\n', looked);
      if (newline == std::string_view::npos && !end) {
        looked = there;
        continue;
      }
      if (!any) return false;
      const std::string_view line = in_.bytes().substr(0, newline);
      std::remove_copy(line.begin(), line.end(), std::back_inserter(value), '\r');
      in_.drop(newline == std::string_view::npos ? there : newline + 1);
      // TensorFlow drops a last line that consists of '\r' only.
      return newline != std::string_view::npos || !value.empty();
    }
  }

 private:
  Buffered in_;
};

struct Layout {
  int64_t header = 0, record = 0, footer = 0;
};

class FixedLengthIterator final : public FilesIterator {
 public:
  FixedLengthIterator(std::vector<std::string> files, Compression compression, Layout layout) : FilesIterator(std::move(files), compression), layout_(layout) {}

 protected:
  Status open(const std::string& path, Compression compression) override {
    if (compression == Compression::None) {
      WEFT_LET(const FileInfo info, posixFileSystem().stat(path));
      const int64_t body = int64_t(info.bytes) - layout_.header - layout_.footer;
      if (body % layout_.record != 0) {
        return invalidArgument("Excluding the header (", layout_.header, " bytes) and footer (", layout_.footer, " bytes), input file \"", path,
                               "\" has body length ", body, " bytes, which is not an exact multiple of the record length (", layout_.record, " bytes).");
      }
    }
    WEFT_TRY(in_.open(path, compression));
    WEFT_LET(const size_t there, in_.fill(size_t(layout_.header)));
    in_.drop(std::min(there, size_t(layout_.header)));
    return {};
  }
  Result<bool> read(std::string& value) override {
    WEFT_LET(const size_t there, in_.fill(size_t(layout_.record + layout_.footer)));
    if (there < size_t(layout_.record + layout_.footer)) return false;
    value.assign(in_.bytes().substr(0, size_t(layout_.record)));
    in_.drop(size_t(layout_.record));
    return true;
  }

 private:
  Layout layout_;
  Buffered in_;
};

class FilesDataset final : public DatasetBase {
 public:
  enum class Kind { Records, Lines, FixedLength };
  FilesDataset(Kind kind, std::vector<std::string> files, Compression compression, Layout layout = {})
      : DatasetBase({{DType::String}, {Shape{}}}), kind_(kind), files_(std::move(files)), compression_(compression), layout_(layout) {}
  Result<std::unique_ptr<DatasetIterator>> makeIterator(const IteratorContext&) const override {
    switch (kind_) {
      case Kind::Records: return std::unique_ptr<DatasetIterator>(new RecordsIterator(files_, compression_));
      case Kind::Lines: return std::unique_ptr<DatasetIterator>(new LinesIterator(files_, compression_));
      case Kind::FixedLength: break;
    }
    return std::unique_ptr<DatasetIterator>(new FixedLengthIterator(files_, compression_, layout_));
  }

 private:
  Kind kind_;
  std::vector<std::string> files_;
  Compression compression_;
  Layout layout_;
};

Result<std::vector<std::string>> filenamesOf(const KernelContext& c) {
  const Tensor& t = c.input(0);
  if (t.rank() > 1) return invalidArgument("`filenames` must be a scalar or a vector.");
  return std::vector<std::string>(t.data<std::string>(), t.data<std::string>() + t.elements());
}

Result<Compression> compressionOf(const KernelContext& c, int i) {
  WEFT_LET(const std::string name, scalarArgument<std::string>(c, i, "compression_type"));
  auto compression = compressionFromName(name);
  if (!compression.ok()) return invalidArgument("Unsupported compression_type.");
  return compression;
}

Status checkBufferSize(const KernelContext& c, int i) {
  WEFT_LET(const int64_t size, scalarArgument<int64_t>(c, i, "buffer_size"));
  if (size < 0) return invalidArgument("`buffer_size` must be >= 0 (0 == no buffering)");
  return {};
}

template <FilesDataset::Kind kKind>
Result<DatasetPtr> makeFiles(KernelContext& c) {
  WEFT_LET(auto files, filenamesOf(c));
  WEFT_LET(const Compression compression, compressionOf(c, 1));
  WEFT_TRY(checkBufferSize(c, 2));
  return DatasetPtr(std::make_shared<FilesDataset>(kKind, std::move(files), compression));
}

Result<DatasetPtr> makeFixedLength(KernelContext& c) {
  WEFT_LET(auto files, filenamesOf(c));
  Layout layout;
  WEFT_LET(layout.header, scalarArgument<int64_t>(c, 1, "header_bytes"));
  WEFT_LET(layout.record, scalarArgument<int64_t>(c, 2, "record_bytes"));
  WEFT_LET(layout.footer, scalarArgument<int64_t>(c, 3, "footer_bytes"));
  if (layout.header < 0) return invalidArgument("`header_bytes` must be >= 0");
  if (layout.record <= 0) return invalidArgument("`record_bytes` must be > 0");
  if (layout.footer < 0) return invalidArgument("`footer_bytes` must be >= 0");
  constexpr int64_t kLongest = int64_t(1) << 31;
  if (layout.header > kLongest || layout.record > kLongest || layout.footer > kLongest) {
    return resourceExhausted("Records of ", layout.record, " bytes with a header of ", layout.header, " and a footer of ", layout.footer,
                             " bytes are too long");
  }
  WEFT_TRY(checkBufferSize(c, 4));
  Compression compression = Compression::None;
  if (c.inputCount() > 5) {
    WEFT_LET(compression, compressionOf(c, 5));
  }
  return DatasetPtr(std::make_shared<FilesDataset>(FilesDataset::Kind::FixedLength, std::move(files), compression, layout));
}

}  // namespace

void registerDatasetFiles(OpRegistry& ops) {
  constexpr const char *kFilesDoc = "File names; a scalar or a vector.", *kCompressionDoc = "Empty, ZLIB or GZIP.",
                       *kBufferDoc = "Size of the read buffer in bytes; checked, but ignored.";
  datasetOp(ops, "TFRecordDataset", "The records of TFRecord files, as strings.")
      .input("filenames: string", kFilesDoc)
      .input("compression_type: string", kCompressionDoc)
      .input("buffer_size: int64", kBufferDoc)
      .stateful()
      .cpu({}, datasetKernel(makeFiles<FilesDataset::Kind::Records>));
  datasetOp(ops, "TextLineDataset", "The lines of text files, without their line ends.")
      .input("filenames: string", kFilesDoc)
      .input("compression_type: string", kCompressionDoc)
      .input("buffer_size: int64", kBufferDoc)
      .stateful()
      .cpu({}, datasetKernel(makeFiles<FilesDataset::Kind::Lines>));
  for (const bool v2 : {false, true}) {
    OpRecord& record = datasetOp(ops, v2 ? "FixedLengthRecordDatasetV2" : "FixedLengthRecordDataset", "Fixed-length records of binary files, as strings.")
                           .input("filenames: string", kFilesDoc)
                           .input("header_bytes: int64", "Bytes to skip at the start of each file.")
                           .input("record_bytes: int64", "Bytes per record.")
                           .input("footer_bytes: int64", "Bytes to skip at the end of each file.")
                           .input("buffer_size: int64", kBufferDoc);
    if (v2) record.input("compression_type: string", kCompressionDoc);
    record.stateful().cpu({}, datasetKernel(makeFixedLength));
  }
  state(ops, OpRole::Dataset, Effect::File, "FixedLengthRecordDataset FixedLengthRecordDatasetV2 TFRecordDataset TextLineDataset");
}

}  // namespace weft
