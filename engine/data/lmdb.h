#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/file_system.h"

namespace weft {

/// Reads the main database of an LMDB environment (format of liblmdb 0.9, version 1) in the order of its keys.
///
/// liblmdb maps the file into memory and trusts its contents, so a truncated or damaged file can crash the process. This reader reads pages and checks
/// every offset against its page and every page against the file. It takes no lock: like TensorFlow's reader it uses the last transaction committed
/// when it was opened, and the file must not be written meanwhile.
///
/// Not thread-safe. Errors: NOT_FOUND if there is no file, DATA_LOSS if it is damaged or not an LMDB file, UNIMPLEMENTED for databases whose keys
/// have several values.
class LmdbReader {
 public:
  /// `path`: the folder of the environment (its data.mdb), or the file itself.
  static Result<std::unique_ptr<LmdbReader>> open(const std::string& path, FileSystem* files = nullptr);
  /// The next key and its value; false after the last one.
  Result<bool> next(std::string* key, std::string* value);

 private:
  /// A page on the path from the root to the leaf, and the index of its current entry.
  struct Level {
    std::string page;
    size_t entry = 0, entries = 0;
    bool isLeaf = false;
  };
  struct Entry {
    size_t at = 0;  ///< Where the entry begins in its page.
    uint32_t low = 0;
    uint16_t flags = 0, keyBytes = 0;
  };

  LmdbReader(std::string path, std::unique_ptr<ReadableFile> file) : path_(std::move(path)), file_(std::move(file)) {}
  Error damaged(std::string_view what) const;
  Status readMeta();
  Result<std::string> readPage(uint64_t number);
  Status descend(uint64_t number);
  Result<Entry> entryOf(const Level& level) const;
  Result<std::string> valueOf(const Level& level, const Entry& entry);

  const std::string path_;
  const std::unique_ptr<ReadableFile> file_;
  uint64_t bytes_ = 0, pageBytes_ = 0, pages_ = 0, root_ = 0, visited_ = 0;
  bool started_ = false;
  std::vector<Level> way_;
};

}  // namespace weft
