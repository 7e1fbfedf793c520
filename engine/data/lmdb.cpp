#include "data/lmdb.h"

#include <cstring>

// The file is a sequence of pages. Pages 0 and 1 are meta pages; the one with the higher transaction number was committed last and points to the root of a B+
// tree. Numbers have the byte order and word size of the machine that wrote them: here little-endian, 64 bits.
//
//   page      number (8), pad (2), flags (2), then [lower (2), upper (2)], or for overflow pages (large values) the number of pages (4);
//             from byte 16 the positions of the entries in the page, two bytes each, up to `lower`
//   entry     low (2), high (2), flags (2), bytes of the key (2), key; in a leaf the value follows, low | high << 16 bytes, or the number of its
//             first page; in a branch low | high << 16 | flags << 32 is the page below
//   meta      from byte 16: magic (4), version (4), address (8), size of the map (8), two databases, last page (8), transaction (8)
//   database  pad, of the first one the size of a page (4), flags (2), depth (2), counts of pages (3 * 8), entries (8), root (8)
namespace weft {
namespace {

constexpr uint32_t kMagic = 0xBEEFC0DE, kVersion = 1;
constexpr size_t kPageHeader = 16, kEntryHeader = 8, kMetaBytes = 16 + 24 + 2 * 48 + 16;
constexpr size_t kMainDatabase = kPageHeader + 24 + 48;
constexpr uint16_t kBranch = 1, kLeaf = 2, kOverflow = 4, kMeta = 8;
constexpr uint16_t kBigValue = 1, kSeveralValues = 4;  // of entries
constexpr uint16_t kDupSort = 4;                       // of databases
constexpr uint64_t kNoPage = ~uint64_t(0);
constexpr size_t kDeepest = 64;

template <typename T>
T numberAt(std::string_view page, size_t at) {
  T v;
  std::memcpy(&v, page.data() + at, sizeof v);
  return v;
}

}  // namespace

Error LmdbReader::damaged(std::string_view what) const { return dataLoss(path_, ": damaged LMDB file: ", what); }

Result<std::unique_ptr<LmdbReader>> LmdbReader::open(const std::string& path, FileSystem* files) {
  FileSystem& system = files ? *files : posixFileSystem();
  WEFT_LET(const FileInfo info, system.stat(path));
  const std::string name = info.isFolder ? joinPath(path, "data.mdb") : path;
  WEFT_LET(auto file, system.openForReading(name));
  std::unique_ptr<LmdbReader> reader(new LmdbReader(name, std::move(file)));
  WEFT_TRY(reader->readMeta());
  return reader;
}

Status LmdbReader::readMeta() {
  WEFT_LET(bytes_, file_->size());
  bool any = false;
  uint64_t latest = 0, at = 0;
  for (int k = 0; k < 2; ++k, at = pageBytes_) {
    std::string page(kMetaBytes, '\0');
    WEFT_LET(const size_t got, file_->read(at, page.data(), page.size()));
    if (got < page.size()) {
      if (any) return damaged("it ends before its second meta page");
      return dataLoss(path_, ": no LMDB file: it has ", bytes_, " bytes");
    }
    const bool isMeta = (numberAt<uint16_t>(page, 10) & kMeta) && numberAt<uint32_t>(page, kPageHeader) == kMagic;
    if (!isMeta) {
      if (any) return damaged("its second meta page is none");
      return dataLoss(path_, ": no LMDB file: it does not begin with a meta page of this machine's byte order");
    }
    const uint32_t version = numberAt<uint32_t>(page, kPageHeader + 4);
    if (version != kVersion) return unimplemented(path_, ": LMDB files of version ", version, " are not known, those of version ", kVersion, " are");
    if (k == 0) {
      pageBytes_ = numberAt<uint32_t>(page, kPageHeader + 24);
      if (pageBytes_ < 256 || pageBytes_ > 65536 || (pageBytes_ & (pageBytes_ - 1))) return damaged(concat("pages of ", pageBytes_, " bytes"));
      pages_ = bytes_ / pageBytes_;
    }
    const uint64_t transaction = numberAt<uint64_t>(page, kMetaBytes - 8);
    if (any && transaction <= latest) continue;
    any = true;
    latest = transaction;
    if (numberAt<uint16_t>(page, kMainDatabase + 4) & kDupSort) {
      return unimplemented(path_, ": LMDB databases whose keys have several values (MDB_DUPSORT) are not read");
    }
    root_ = numberAt<uint64_t>(page, kMainDatabase + 40);
  }
  return {};
}

Result<std::string> LmdbReader::readPage(uint64_t number) {
  if (number < 2 || number >= pages_) return damaged(concat("page ", number, " of ", pages_));
  // Each page occurs once in a tree, so visiting more pages than there are means a cycle.
  if (++visited_ > pages_) return damaged("its pages form a circle");
  std::string page(pageBytes_, '\0');
  WEFT_LET(const size_t got, file_->read(number * pageBytes_, page.data(), page.size()));
  if (got < page.size()) return damaged(concat("page ", number, " is cut off"));
  return page;
}

/// Goes down to the first leaf below a page.
Status LmdbReader::descend(uint64_t number) {
  for (;;) {
    if (way_.size() >= kDeepest) return damaged("its tree is too deep");
    Level level;
    WEFT_LET(level.page, readPage(number));
    const uint16_t flags = numberAt<uint16_t>(level.page, 10);
    const size_t lower = numberAt<uint16_t>(level.page, 12);
    if (!(flags & (kBranch | kLeaf)) || (flags & kOverflow)) return damaged(concat("page ", number, " is none of a tree"));
    if (lower < kPageHeader || lower > pageBytes_) return damaged(concat("page ", number, " has no list of entries"));
    level.isLeaf = flags & kLeaf;
    level.entries = (lower - kPageHeader) / 2;
    way_.push_back(std::move(level));
    if (way_.back().isLeaf) return {};
    if (way_.back().entries == 0) return damaged(concat("page ", number, " leads nowhere"));
    WEFT_LET(const Entry entry, entryOf(way_.back()));
    number = entry.low | uint64_t(entry.flags) << 32;
  }
}

Result<LmdbReader::Entry> LmdbReader::entryOf(const Level& level) const {
  Entry entry;
  entry.at = numberAt<uint16_t>(level.page, kPageHeader + 2 * level.entry);
  if (entry.at + kEntryHeader > pageBytes_) return damaged("an entry lies outside of its page");
  entry.low = numberAt<uint32_t>(level.page, entry.at);
  entry.flags = numberAt<uint16_t>(level.page, entry.at + 4);
  entry.keyBytes = numberAt<uint16_t>(level.page, entry.at + 6);
  if (entry.at + kEntryHeader + entry.keyBytes > pageBytes_) return damaged("a key leaves its page");
  return entry;
}

Result<std::string> LmdbReader::valueOf(const Level& level, const Entry& entry) {
  const size_t at = entry.at + kEntryHeader + entry.keyBytes;
  if (entry.flags & kSeveralValues) return unimplemented(path_, ": LMDB databases whose keys have several values (MDB_DUPSORT) are not read");
  if (!(entry.flags & kBigValue)) {
    if (at + entry.low > pageBytes_) return damaged("a value leaves its page");
    return level.page.substr(at, entry.low);
  }
  if (at + 8 > pageBytes_) return damaged("an entry leaves its page");
  const uint64_t number = numberAt<uint64_t>(level.page, at);
  if (number < 2 || number >= pages_ || kPageHeader + entry.low > bytes_ - number * pageBytes_) return damaged("a large value leaves the file");
  std::string header(kPageHeader, '\0');
  WEFT_LET(size_t got, file_->read(number * pageBytes_, header.data(), header.size()));
  if (got < header.size() || !(numberAt<uint16_t>(header, 10) & kOverflow)) return damaged(concat("page ", number, " holds no value"));
  std::string value(entry.low, '\0');
  WEFT_LET(got, file_->read(number * pageBytes_ + kPageHeader, value.data(), value.size()));
  if (got < value.size()) return damaged("a large value is cut off");
  return value;
}

Result<bool> LmdbReader::next(std::string* key, std::string* value) {
  if (!started_) {
    started_ = true;
    if (root_ == kNoPage) return false;
    WEFT_TRY(descend(root_));
  }
  while (!way_.empty()) {
    Level& level = way_.back();
    if (!level.isLeaf) {
      if (++level.entry >= level.entries) {
        way_.pop_back();
        continue;
      }
      WEFT_LET(const Entry below, entryOf(level));
      WEFT_TRY(descend(below.low | uint64_t(below.flags) << 32));
      continue;
    }
    if (level.entry >= level.entries) {
      way_.pop_back();
      continue;
    }
    WEFT_LET(const Entry entry, entryOf(level));
    *key = level.page.substr(entry.at + kEntryHeader, entry.keyBytes);
    WEFT_LET(*value, valueOf(level, entry));
    ++level.entry;
    return true;
  }
  return false;
}

}  // namespace weft
