#pragma once

#include <string>
#include <utility>

#include "weft/file_system.h"

namespace weft {

/// The name of a file that is written beside another to take its place: unless place() has succeeded, the file is removed when this ends, also by
/// an exception (memory may be out at any moment).
class TemporaryFile {
 public:
  TemporaryFile(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!created_) return;
    try {
      (void)files_.remove(path_);
    } catch (...) {  // a leftover is better than the end of the program
    }
  }

  Result<std::unique_ptr<WritableFile>> create() {
    created_ = true;  // before it is: what fails half way is removed, too
    return files_.create(path_);
  }
  /// Replaces `to` in one step.
  Status place(const std::string& to) {
    WEFT_TRY(files_.rename(path_, to));
    created_ = false;
    return {};
  }

 private:
  FileSystem& files_;
  const std::string path_;
  bool created_ = false;
};

}  // namespace weft
