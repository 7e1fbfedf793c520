#include "weft/length_records.h"

#include <zlib.h>

#include <cstring>

#include "base/crc32c.h"
#include "base/record_frame.h"
#include "base/table.h"

namespace weft {
namespace {

constexpr size_t kBuffer = 1 << 18;
constexpr size_t kStep = 16 << 20;  // a record's declared length is trusted in steps of this size

class FileBytes final : public ByteStream {
 public:
  explicit FileBytes(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}
  Result<size_t> read(void* into, size_t bytes) override {
    size_t done = 0;
    while (done < bytes) {
      if (at_ == buffer_.size()) {
        buffer_.resize(kBuffer);
        WEFT_LET(const size_t got, file_->read(offset_, buffer_.data(), kBuffer));
        buffer_.resize(got);
        offset_ += got;
        at_ = 0;
        if (got == 0) break;
      }
      const size_t part = std::min(bytes - done, buffer_.size() - at_);
      std::memcpy(static_cast<char*>(into) + done, buffer_.data() + at_, part);
      at_ += part;
      done += part;
    }
    return done;
  }

 private:
  std::unique_ptr<ReadableFile> file_;
  std::string buffer_;
  size_t at_ = 0;
  uint64_t offset_ = 0;
};

class MemoryBytes final : public ByteStream {
 public:
  explicit MemoryBytes(std::string_view bytes) : left_(bytes) {}
  Result<size_t> read(void* into, size_t bytes) override {
    const size_t part = std::min(bytes, left_.size());
    std::memcpy(into, left_.data(), part);
    left_.remove_prefix(part);
    return part;
  }

 private:
  std::string_view left_;
};

/// Inflates zlib and gzip streams; consecutive gzip members form one stream.
class InflatedBytes final : public ByteStream {
 public:
  InflatedBytes(std::unique_ptr<ByteStream> source, Compression kind) : source_(std::move(source)), kind_(kind) {
    ready_ = inflateInit2(&z_, kind == Compression::Gzip ? 31 : 15) == Z_OK;
  }
  ~InflatedBytes() override {
    if (ready_) inflateEnd(&z_);
  }
  Result<size_t> read(void* into, size_t bytes) override {
    if (!ready_) return resourceExhausted("inflateInit() failed");
    size_t done = 0;
    while (done < bytes) {
      if (z_.avail_in == 0) {
        input_.resize(kBuffer);
        WEFT_LET(const size_t got, source_->read(input_.data(), kBuffer));
        z_.next_in = reinterpret_cast<Bytef*>(input_.data());
        z_.avail_in = uInt(got);
        if (got == 0) {
          if (ended_ || !started_) break;
          return dataLoss("the compressed stream is cut after ", done + total_, " bytes of content").ofKind("truncated");
        }
      }
      if (ended_) {
        // Another member may follow; zlib streams and padding end here.
        if (kind_ != Compression::Gzip || z_.next_in[0] != 0x1f) break;
        inflateReset(&z_);
        ended_ = false;
      }
      started_ = true;
      const auto part = uInt(std::min(bytes - done, size_t(1) << 30));
      z_.next_out = static_cast<Bytef*>(into) + done;
      z_.avail_out = part;
      const int code = inflate(&z_, Z_NO_FLUSH);
      done += part - z_.avail_out;
      if (code == Z_STREAM_END) {
        ended_ = true;
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        const std::string_view why = z_.msg ? z_.msg : "";
        return dataLoss("inflate() failed with error ", code, ": ", why)
            .ofKind(why == "incorrect data check" || why == "incorrect length check" ? "bad_checksum" : "malformed");
      }
    }
    total_ += done;
    return done;
  }

 private:
  std::unique_ptr<ByteStream> source_;
  const Compression kind_;
  z_stream z_{};
  bool ready_ = false, started_ = false, ended_ = false;
  std::string input_;
  uint64_t total_ = 0;
};

std::unique_ptr<ByteStream> decoded(std::unique_ptr<ByteStream> source, Compression compression) {
  if (compression == Compression::None) return source;
  return std::make_unique<InflatedBytes>(std::move(source), compression);
}

class FileRecordWriter final : public RecordWriter {
 public:
  /// `checked`: with checksums.
  FileRecordWriter(std::unique_ptr<WritableFile> file, Compression compression, bool checked = true)
      : file_(std::move(file)), compression_(compression), checked_(checked) {
    if (compression != Compression::None)
      ready_ = deflateInit2(&z_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, compression == Compression::Gzip ? 31 : 15, 9, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~FileRecordWriter() override {
    (void)close();
    if (ready_) deflateEnd(&z_);
  }
  Status write(std::string_view record) override {
    if (!file_) return failedPrecondition("the record file is closed");
    char header[kRecordHeader], footer[kRecordFooter];
    encodeRecordHeader(record.size(), header);
    if (!checked_) {
      WEFT_TRY(put({header, sizeof(uint64_t)}, Z_NO_FLUSH));
      return put(record, Z_NO_FLUSH);
    }
    const uint32_t crc = recordChecksum(record);
    std::memcpy(footer, &crc, 4);
    WEFT_TRY(put({header, kRecordHeader}, Z_NO_FLUSH));
    WEFT_TRY(put(record, Z_NO_FLUSH));
    return put({footer, kRecordFooter}, Z_NO_FLUSH);
  }
  Status flush() override {
    if (!file_) return failedPrecondition("the record file is closed");
    WEFT_TRY(put({}, Z_SYNC_FLUSH));
    return file_->flush();
  }
  Status close() override {
    if (!file_) return {};
    Status status = put({}, Z_FINISH);
    Status closed = file_->close();
    file_.reset();
    return status.ok() ? closed : status;
  }

 private:
  Status put(std::string_view bytes, int mode) {
    if (compression_ == Compression::None) return bytes.empty() ? Status() : file_->append(bytes);
    if (!ready_) return resourceExhausted("deflateInit() failed");
    char out[1 << 14];
    do {
      const size_t part = std::min(bytes.size(), size_t(1) << 30);
      z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      z_.avail_in = uInt(part);
      bytes.remove_prefix(part);
      do {
        z_.next_out = reinterpret_cast<Bytef*>(out);
        z_.avail_out = sizeof out;
        deflate(&z_, mode);
        WEFT_TRY(file_->append({out, sizeof out - z_.avail_out}));
      } while (z_.avail_out == 0);
    } while (!bytes.empty());
    return {};
  }

  std::unique_ptr<WritableFile> file_;
  const Compression compression_;
  const bool checked_;
  z_stream z_{};
  bool ready_ = false;
};

}  // namespace

void encodeRecordHeader(uint64_t length, char* header) {
  std::memcpy(header, &length, 8);
  const uint32_t crc = maskCrc(crc32c(0, header, 8));
  std::memcpy(header + 8, &crc, 4);
}

bool decodeRecordHeader(const char* header, uint64_t* length) {
  *length = fixed64At(header);
  return unmaskCrc(fixed32At(header + 8)) == crc32c(0, header, 8);
}

uint32_t recordChecksum(std::string_view payload) { return maskCrc(crc32c(payload)); }

Result<Compression> compressionFromName(std::string_view name) {
  if (name.empty()) return Compression::None;
  if (name == "ZLIB") return Compression::Zlib;
  if (name == "GZIP") return Compression::Gzip;
  return invalidArgument("Unsupported compression_type: ", name, ".");
}

Compression guessCompression(std::string_view head) {
  uint64_t length;
  if (head.size() >= kRecordHeader && decodeRecordHeader(head.data(), &length)) return Compression::None;
  if (head.size() >= 2 && uint8_t(head[0]) == 0x1f && uint8_t(head[1]) == 0x8b) return Compression::Gzip;
  // The two bytes of a zlib header are a multiple of 31; the first names deflate and a window of up to 32 KiB.
  if (head.size() >= 2 && (head[0] & 0x0f) == 8 && uint8_t(head[0]) >> 4 <= 7 && (uint8_t(head[0]) * 256 + uint8_t(head[1])) % 31 == 0)
    return Compression::Zlib;
  return Compression::None;
}

Result<std::unique_ptr<ByteStream>> ByteStream::open(const std::string& path, Compression compression, FileSystem* files) {
  WEFT_LET(auto file, (files ? *files : posixFileSystem()).openForReading(path));
  return decoded(std::make_unique<FileBytes>(std::move(file)), compression);
}

std::unique_ptr<ByteStream> ByteStream::over(std::string_view bytes, Compression compression) {
  return decoded(std::make_unique<MemoryBytes>(bytes), compression);
}

Result<std::string> ByteStream::readAll(uint64_t limit) {
  std::string out;
  for (;;) {
    const size_t before = out.size();
    out.resize(before + std::max(kBuffer, before / 2));
    WEFT_LET(const size_t got, read(out.data() + before, out.size() - before));
    const bool end = got < out.size() - before;
    out.resize(before + got);
    if (out.size() > limit) return resourceExhausted("over ", limit, " bytes").ofKind("too_large");
    if (end) return out;
  }
}

Result<std::unique_ptr<RecordReader>> RecordReader::open(const std::string& path, Compression compression, FileSystem* files) {
  WEFT_LET(auto stream, ByteStream::open(path, compression, files));
  return std::make_unique<RecordReader>(std::move(stream));
}

Result<bool> RecordReader::next(std::string* record) {
  char header[kRecordHeader], footer[kRecordFooter];
  const auto truncated = [&] { return dataLoss("truncated record at ", offset_).ofKind("truncated"); };
  const auto corrupted = [&] { return dataLoss("corrupted record at ", offset_).ofKind("bad_checksum"); };
  WEFT_LET(const size_t got, stream_->read(header, kRecordHeader));
  if (got < kRecordHeader) return false;
  uint64_t length;
  if (!decodeRecordHeader(header, &length)) return corrupted();
  record->clear();
  while (record->size() < length) {
    const size_t before = record->size();
    record->resize(before + size_t(std::min<uint64_t>(kStep, length - before)));
    WEFT_LET(const size_t part, stream_->read(record->data() + before, record->size() - before));
    if (part < record->size() - before) return truncated();
  }
  WEFT_LET(const size_t last, stream_->read(footer, kRecordFooter));
  if (last < kRecordFooter) return truncated();
  if (fixed32At(footer) != recordChecksum(*record)) return corrupted();
  offset_ += kRecordHeader + length + kRecordFooter;
  return true;
}

Result<std::unique_ptr<RecordWriter>> RecordWriter::create(const std::string& path, Compression compression, FileSystem* files) {
  WEFT_LET(auto file, (files ? *files : posixFileSystem()).create(path));
  return std::unique_ptr<RecordWriter>(std::make_unique<FileRecordWriter>(std::move(file), compression));
}

Result<std::unique_ptr<RecordWriter>> createLengthRecords(const std::string& path, Compression compression) {
  WEFT_LET(auto file, posixFileSystem().create(path));
  return std::unique_ptr<RecordWriter>(std::make_unique<FileRecordWriter>(std::move(file), compression, false));
}

Result<bool> nextLengthRecord(ByteStream& stream, std::string* record) {
  char header[sizeof(uint64_t)];
  WEFT_LET(const size_t got, stream.read(header, sizeof header));
  if (got == 0) return false;
  const uint64_t length = fixed64At(header);
  record->clear();
  bool whole = got == sizeof header;
  while (whole && record->size() < length) {
    const size_t before = record->size();
    record->resize(before + size_t(std::min<uint64_t>(kStep, length - before)));
    WEFT_LET(const size_t part, stream.read(record->data() + before, record->size() - before));
    whole = part == record->size() - before;
  }
  if (!whole) return dataLoss("truncated record").ofKind("truncated");
  return true;
}

}  // namespace weft
