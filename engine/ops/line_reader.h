#pragma once

#include <memory>
#include <string>

#include "weft/file_system.h"

namespace weft {

/// The lines of a text file, one after another, in memory that does not depend on the file's size.
class LineReader {
 public:
  static Result<std::unique_ptr<LineReader>> open(const std::string& path);

  /// The next line, without its newline and without carriage returns, or false at the end. What follows the last newline is a line if it is
  /// not empty.
  Result<bool> next(std::string* line);
  /// Bytes of the file that were read as lines so far.
  uint64_t position() const { return position_; }
  /// Goes on at this byte.
  void seek(uint64_t position);

 private:
  explicit LineReader(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}

  std::unique_ptr<ReadableFile> file_;
  std::string chunk_;
  size_t at_ = 0;  // in chunk_
  uint64_t position_ = 0;
};

}  // namespace weft
