#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/file_system.h"

namespace weft {

/// Integers in the formats of this folder. Readers consume the bytes from `in` and return false if it ends too early.
void putVarint(std::string* out, uint64_t value);
bool getVarint(std::string_view* in, uint64_t* value);
void putFixed32(std::string* out, uint32_t value);
uint32_t fixed32At(const char* p);
uint64_t fixed64At(const char* p);

/// Writes a sorted table: data blocks, an empty metadata block, an index of the blocks, a footer. Block size, restart interval and key shortening are
/// TensorFlow's, so that equal entries give equal bytes. Blocks are not compressed.
class TableBuilder {
 public:
  explicit TableBuilder(WritableFile* file) : file_(file), index_(1) {}
  /// REQUIRES: keys come in increasing order.
  Status add(std::string_view key, std::string_view value);
  Status finish();

 private:
  struct Block {
    explicit Block(int interval) : interval(interval) {}
    void add(std::string_view key, std::string_view value);
    std::string finish();
    size_t estimatedBytes() const { return bytes.size() + restarts.size() * 4 + 4; }
    const int interval;
    std::string bytes, lastKey;
    std::vector<uint32_t> restarts{0};
    int sinceRestart = 0;
    bool empty = true;
  };
  struct Handle {
    uint64_t offset = 0, size = 0;
  };
  Status flush();
  Result<Handle> writeBlock(std::string contents);
  void indexPending(std::string key);

  WritableFile* const file_;
  Block data_{16}, index_;
  uint64_t offset_ = 0;
  std::string lastKey_;
  bool pending_ = false;  // the last data block has no index entry yet, because its key depends on the first key of the next block
  Handle pendingHandle_;
};

/// Reads a sorted table. Errors have the kinds truncated, unrecognized, bad_checksum, malformed, out_of_range. Thread-safe.
class Table {
 public:
  static Result<std::unique_ptr<Table>> open(FileSystem& files, const std::string& path);
  /// Whether the file ends like a table.
  static bool looksLikeOne(FileSystem& files, const std::string& path);

  /// Visits all entries in key order until `visit` returns an error.
  Status forEach(const std::function<Status(std::string_view key, std::string_view value)>& visit) const;
  /// The value of `key`; an empty optional if there is none.
  Result<std::optional<std::string>> get(std::string_view key) const;

 private:
  struct Handle {
    uint64_t offset = 0, size = 0;
  };
  struct IndexEntry {
    std::string lastKey;
    Handle block;
  };
  Result<std::string> readBlock(Handle handle) const;
  static Result<Handle> decodeHandle(std::string_view* in);
  static Status forEachIn(std::string_view block, const std::function<Status(std::string_view, std::string_view)>& visit);

  std::unique_ptr<ReadableFile> file_;
  uint64_t size_ = 0;
  std::vector<IndexEntry> index_;
};

}  // namespace weft
