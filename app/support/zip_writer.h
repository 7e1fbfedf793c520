#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Builds a zip archive in memory, for a handful of small files, deflated where that makes them smaller. Names are UTF-8 with slashes.
class ZipWriter {
 public:
  void add(std::string_view name, std::string_view data);
  /// The whole archive. Format: PKWARE APPNOTE 6.3, version 2.0, no zip64 (an archive above 4 GB cannot be made).
  std::string finish() const;

 private:
  struct Entry {
    std::string name;
    unsigned crc = 0, packed = 0, size = 0, offset = 0;
    bool deflated = false;
  };
  std::string body_;
  std::vector<Entry> entries_;
};

}  // namespace weft
