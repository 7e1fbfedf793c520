#include <algorithm>

#include "base/record_frame.h"
#include "weft/examples.h"

namespace weft {
namespace {

struct Place {
  uint64_t offset = 0;  // of the payload, in the uncompressed stream
  uint64_t bytes = 0;
};

class IndexedRecords : public RecordFile {
 public:
  IndexedRecords(FileSystem& files, std::string path, Compression compression) : files_(files), path_(std::move(path)), compression_(compression) {}

  Status index(int64_t most, const Progress& progress) {
    WEFT_LET(const FileInfo info, files_.stat(path_));
    WEFT_LET(auto reader, RecordReader::open(path_, compression_, &files_));
    std::string record;
    for (complete_ = false; count() < most;) {
      const uint64_t offset = reader->offset();
      auto next = reader->next(&record);
      if (!next.ok()) {
        damage_ = next.error();
        complete_ = true;
        return {};
      }
      if (!*next) {
        complete_ = true;
        return {};
      }
      places_.push_back({offset + kRecordHeader, record.size()});
      if (progress && places_.size() % 256 == 0 && !progress(std::min(1.0, double(offset) / double(std::max<uint64_t>(1, info.bytes)))))
        return cancelledError("reading the records was cancelled");
    }
    return {};
  }

  int64_t count() const override { return int64_t(places_.size()); }
  bool isComplete() const override { return complete_; }
  Compression compression() const override { return compression_; }
  int64_t bytesOf(int64_t record) const override { return int64_t(places_[size_t(record)].bytes); }
  const Status& damage() const override { return damage_; }

  Result<std::string> read(int64_t record) override {
    if (record < 0 || record >= count()) return outOfRange("record ", record, " of ", count());
    return compression_ == Compression::None ? readPlain(places_[size_t(record)]) : readStreamed(record);
  }

 private:
  Result<std::string> readPlain(const Place& place) {
    if (!file_) {
      WEFT_LET(file_, files_.openForReading(path_));
    }
    std::string bytes(size_t(place.bytes), '\0');
    WEFT_LET(const size_t got, file_->read(place.offset, bytes.data(), bytes.size()));
    if (got != bytes.size()) return dataLoss("the file became shorter while it was read").ofKind("truncated");
    return bytes;
  }

  Result<std::string> readStreamed(int64_t record) {
    if (!stream_ || record < next_) {
      WEFT_LET(stream_, RecordReader::open(path_, compression_, &files_));
      next_ = 0;
    }
    std::string bytes;
    for (; next_ <= record; ++next_) {
      WEFT_LET(const bool more, stream_->next(&bytes));
      if (!more) return dataLoss("the file became shorter while it was read").ofKind("truncated");
    }
    return bytes;
  }

  FileSystem& files_;
  std::string path_;
  Compression compression_;
  std::vector<Place> places_;
  Status damage_;
  bool complete_ = false;
  std::unique_ptr<ReadableFile> file_;
  std::unique_ptr<RecordReader> stream_;
  int64_t next_ = 0;  // record that stream_ returns next
};

}  // namespace

Result<std::unique_ptr<RecordFile>> RecordFile::open(const std::string& path, int64_t most, const Progress& progress, FileSystem* fileSystem) {
  FileSystem& files = fileSystem ? *fileSystem : posixFileSystem();
  WEFT_LET(auto file, files.openForReading(path));
  std::string head(16, '\0');
  WEFT_LET(const size_t got, file->read(0, head.data(), head.size()));
  head.resize(got);
  auto records = std::make_unique<IndexedRecords>(files, path, guessCompression(head));
  WEFT_TRY(records->index(most, progress));
  return std::unique_ptr<RecordFile>(std::move(records));
}

}  // namespace weft
