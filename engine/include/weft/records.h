#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weft/file_system.h"

namespace weft {

enum class Compression { None, Zlib, Gzip };

/// "", "ZLIB", "GZIP" as in TensorFlow's options; INVALID_ARGUMENT for anything else.
WEFT_API Result<Compression> compressionFromName(std::string_view name);
/// The compression of a file, by its first bytes; `head` should hold at least 12.
WEFT_API Compression guessCompression(std::string_view head);

/// A sequential stream of bytes, possibly from a compressed file.
class WEFT_API ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Reads up to `bytes` bytes; fewer only at the end. Errors of compressed data have the kinds truncated, bad_checksum, malformed.
  virtual Result<size_t> read(void* into, size_t bytes) = 0;

  static Result<std::unique_ptr<ByteStream>> open(const std::string& path, Compression compression, FileSystem* files = nullptr);
  /// A stream over bytes in memory, which must outlive it.
  static std::unique_ptr<ByteStream> over(std::string_view bytes, Compression compression);
  /// Everything left in the stream. RESOURCE_EXHAUSTED (kind too_large) beyond `limit` bytes.
  Result<std::string> readAll(uint64_t limit = uint64_t(4) << 30);
};

/// Reads the records of a TFRecord file: length, checksum of the length, payload, checksum of the payload.
class WEFT_API RecordReader {
 public:
  explicit RecordReader(std::unique_ptr<ByteStream> stream) : stream_(std::move(stream)) {}
  static Result<std::unique_ptr<RecordReader>> open(const std::string& path, Compression compression = Compression::None, FileSystem* files = nullptr);
  /// Reads the next record; false at the end. As in TensorFlow, a partial header counts as the end of the file. A partial payload or
  /// checksum returns DATA_LOSS "truncated record at OFFSET"; a wrong checksum returns DATA_LOSS "corrupted record at OFFSET".
  Result<bool> next(std::string* record);
  /// Offset of the next record in the uncompressed stream.
  uint64_t offset() const { return offset_; }

 private:
  std::unique_ptr<ByteStream> stream_;
  uint64_t offset_ = 0;
};

/// Writes a TFRecord file. Not thread-safe.
class WEFT_API RecordWriter {
 public:
  virtual ~RecordWriter() = default;
  static Result<std::unique_ptr<RecordWriter>> create(const std::string& path, Compression compression = Compression::None, FileSystem* files = nullptr);
  virtual Status write(std::string_view record) = 0;
  /// Passes everything written so far to the system, as far as the compression allows.
  virtual Status flush() = 0;
  virtual Status close() = 0;
};

}  // namespace weft
