#pragma once

#include <string>
#include <utility>

#include "weft/file_system.h"

namespace weft {

/// The end of the name of a temporary file: ".tempstate" and a number that no other call in any process is likely to return.
std::string temporarySuffix();

/// A temporary file beside the file that it will replace. Unless place() has succeeded, the destructor removes it, including during stack unwinding (memory may
/// run out at any moment).
class TemporaryFile {
 public:
  TemporaryFile(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!created_) return;
    try {
      (void)files_.remove(path_);
    } catch (...) {  // a leftover file is better than terminating the program
    }
  }

  Result<std::unique_ptr<WritableFile>> create() {
    created_ = true;  // set before the file exists, so that a partly written file is removed too
    return files_.create(path_);
  }
  /// The file was created by other means.
  void adopt() { created_ = true; }
  /// Replaces `to` atomically.
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
