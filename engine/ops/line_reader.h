#pragma once

#include <memory>
#include <string>

#include "weft/file_system.h"

namespace weft {

/// Reads a text file line by line, with memory independent of the file's size.
class LineReader {
 public:
  static Result<std::unique_ptr<LineReader>> open(const std::string& path);

  /// The next line, without its newline and without carriage returns; false at the end. Text after the last newline is a line unless it is empty.
  Result<bool> next(std::string* line);
  /// Number of bytes read as lines so far.
  uint64_t position() const { return position_; }
  /// Continues at this byte.
  void seek(uint64_t position);

 private:
  explicit LineReader(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}

  std::unique_ptr<ReadableFile> file_;
  std::string chunk_;
  size_t at_ = 0;  // in chunk_
  uint64_t position_ = 0;
};

}  // namespace weft
