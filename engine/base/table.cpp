#include "base/table.h"

#include <snappy.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/crc32c.h"
#include "base/file_errors.h"

namespace weft {
namespace {

constexpr uint64_t kMagic = 0xdb4775248b80fb57ull;
constexpr size_t kFooterBytes = 48;
constexpr size_t kBlockBytes = 256 << 10;
constexpr size_t kTrailerBytes = 5;  // compression type and checksum

/// A short key in [start, limit).
std::string separator(const std::string& start, std::string_view limit) {
  const size_t shared =
      size_t(std::mismatch(start.begin(), start.begin() + ptrdiff_t(std::min(start.size(), limit.size())), limit.begin()).first - start.begin());
  if (shared >= std::min(start.size(), limit.size())) return start;
  const auto byte = uint8_t(start[shared]);
  if (byte == 0xff || byte + 1 >= uint8_t(limit[shared])) return start;
  std::string out = start.substr(0, shared + 1);
  ++out.back();
  return out;
}

/// A short key that is not less than `key`.
std::string successor(const std::string& key) {
  for (size_t i = 0; i < key.size(); ++i) {
    if (uint8_t(key[i]) == 0xff) continue;
    std::string out = key.substr(0, i + 1);
    ++out.back();
    return out;
  }
  return key;
}

}  // namespace

void putVarint(std::string* out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out->push_back(char(value | 0x80));
  out->push_back(char(value));
}

bool getVarint(std::string_view* in, uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 64 && !in->empty(); shift += 7) {
    const auto byte = uint8_t(in->front());
    in->remove_prefix(1);
    *value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return false;
}

void putFixed32(std::string* out, uint32_t value) { out->append(reinterpret_cast<const char*>(&value), 4); }

uint32_t fixed32At(const char* p) {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return v;
}

uint64_t fixed64At(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}

void TableBuilder::Block::add(std::string_view key, std::string_view value) {
  size_t shared = 0;
  if (sinceRestart < interval) {
    const size_t most = std::min(key.size(), lastKey.size());
    while (shared < most && key[shared] == lastKey[shared]) ++shared;
  } else {
    restarts.push_back(uint32_t(bytes.size()));
    sinceRestart = 0;
  }
  putVarint(&bytes, shared);
  putVarint(&bytes, key.size() - shared);
  putVarint(&bytes, value.size());
  bytes.append(key.substr(shared));
  bytes.append(value);
  lastKey.assign(key);
  ++sinceRestart;
  empty = false;
}

std::string TableBuilder::Block::finish() {
  for (const uint32_t r : restarts) putFixed32(&bytes, r);
  putFixed32(&bytes, uint32_t(restarts.size()));
  std::string out = std::move(bytes);
  bytes.clear();
  lastKey.clear();
  restarts.assign(1, 0);
  sinceRestart = 0;
  empty = true;
  return out;
}

Status TableBuilder::add(std::string_view key, std::string_view value) {
  if (key.size() + value.size() >= 2 * kBlockBytes) WEFT_TRY(flush());  // a very large entry gets a block of its own
  if (pending_) indexPending(separator(lastKey_, key));
  lastKey_.assign(key);
  data_.add(key, value);
  if (data_.estimatedBytes() >= kBlockBytes) WEFT_TRY(flush());
  return {};
}

void TableBuilder::indexPending(std::string key) {
  std::string handle;
  putVarint(&handle, pendingHandle_.offset);
  putVarint(&handle, pendingHandle_.size);
  index_.add(key, handle);
  pending_ = false;
}

Status TableBuilder::flush() {
  if (data_.empty) return {};
  WEFT_LET(pendingHandle_, writeBlock(data_.finish()));
  pending_ = true;
  return {};
}

Result<TableBuilder::Handle> TableBuilder::writeBlock(std::string contents) {
  const Handle handle{offset_, contents.size()};
  contents.push_back(0);  // not compressed
  putFixed32(&contents, maskCrc(crc32c(contents)));
  WEFT_TRY(file_->append(contents));
  offset_ += contents.size();
  return handle;
}

Status TableBuilder::finish() {
  WEFT_TRY(flush());
  WEFT_LET(const Handle metadata, writeBlock(Block(16).finish()));
  if (pending_) indexPending(successor(lastKey_));
  WEFT_LET(const Handle index, writeBlock(index_.finish()));
  std::string footer;
  for (const uint64_t v : {metadata.offset, metadata.size, index.offset, index.size}) putVarint(&footer, v);
  footer.resize(kFooterBytes - 8);
  footer.append(reinterpret_cast<const char*>(&kMagic), 8);
  return file_->append(footer);
}

bool Table::looksLikeOne(FileSystem& files, const std::string& path) {
  auto file = files.openForReading(path);
  if (!file.ok()) return false;
  auto size = (*file)->size();
  char magic[8];
  if (!size.ok() || *size < kFooterBytes) return false;
  auto got = (*file)->read(*size - 8, magic, 8);
  return got.ok() && *got == 8 && fixed64At(magic) == kMagic;
}

Result<Table::Handle> Table::decodeHandle(std::string_view* in) {
  Handle handle;
  if (!getVarint(in, &handle.offset) || !getVarint(in, &handle.size)) return damaged("malformed", "bad block handle");
  return handle;
}

Result<std::unique_ptr<Table>> Table::open(FileSystem& files, const std::string& path) {
  auto table = std::make_unique<Table>();
  WEFT_LET(table->file_, files.openForReading(path));
  WEFT_LET(table->size_, table->file_->size());
  if (table->size_ < kFooterBytes)
    return damaged("truncated", "file is too short to be an sstable: ", table->size_, " bytes, expected ", kFooterBytes, " or more");
  char footer[kFooterBytes];
  WEFT_LET(const size_t got, table->file_->read(table->size_ - kFooterBytes, footer, kFooterBytes));
  if (got != kFooterBytes) return damaged("truncated", "the footer cannot be read whole");
  if (fixed64At(footer + 40) != kMagic) return damaged("unrecognized", "not an sstable (bad magic number)");
  std::string_view in(footer, 40);
  WEFT_LET(const Handle metadata, decodeHandle(&in));
  WEFT_TRY(table->readBlock(metadata));
  WEFT_LET(const Handle index, decodeHandle(&in));
  WEFT_LET(const std::string block, table->readBlock(index));
  WEFT_TRY(forEachIn(block, [&](std::string_view key, std::string_view value) -> Status {
    WEFT_LET(const Handle handle, decodeHandle(&value));
    table->index_.push_back({std::string(key), handle});
    return {};
  }));
  return table;
}

Result<std::string> Table::readBlock(Handle handle) const {
  if (handle.offset > size_ || handle.size > size_ - handle.offset || size_ - handle.offset - handle.size < kTrailerBytes)
    return damaged("out_of_range", "block at ", handle.offset, " of ", handle.size, " bytes lies outside the file of ", size_, " bytes");
  std::string block(handle.size + kTrailerBytes, '\0');
  WEFT_LET(const size_t got, file_->read(handle.offset, block.data(), block.size()));
  if (got != block.size()) return damaged("truncated", "truncated block read at ", handle.offset);
  const uint32_t stored = unmaskCrc(fixed32At(block.data() + handle.size + 1));
  if (stored != crc32c(0, block.data(), handle.size + 1)) return damaged("bad_checksum", "block checksum mismatch at ", handle.offset);
  const int kind = block[handle.size];
  block.resize(handle.size);
  if (kind == 0) return block;
  if (kind != 1) return damaged("malformed", "bad block type ", kind, " at ", handle.offset, ", expected 0 (plain) or 1 (snappy)");
  // Upper bound of the uncompressed size: the densest Snappy element produces 64 bytes from three.
  size_t plain = 0;
  if (!snappy::GetUncompressedLength(block.data(), block.size(), &plain) || plain > block.size() * 32 + 64)
    return damaged("malformed", "the compressed block at ", handle.offset, " claims an impossible length");
  std::string out(plain, '\0');
  if (!snappy::RawUncompress(block.data(), block.size(), out.data())) return damaged("malformed", "corrupted compressed block contents at ", handle.offset);
  return out;
}

Status Table::forEachIn(std::string_view block, const std::function<Status(std::string_view, std::string_view)>& visit) {
  if (block.size() < 4) return damaged("malformed", "bad block contents: ", block.size(), " bytes");
  const uint64_t restarts = fixed32At(block.data() + block.size() - 4);
  if (restarts > (block.size() - 4) / 4) return damaged("malformed", "a block of ", block.size(), " bytes claims ", restarts, " restart points");
  std::string_view in = block.substr(0, block.size() - 4 - size_t(restarts) * 4);
  std::string key;
  bool first = true;
  while (!in.empty()) {
    uint64_t shared, fresh, length;
    if (!getVarint(&in, &shared) || !getVarint(&in, &fresh) || !getVarint(&in, &length) || shared > key.size() || fresh > in.size() ||
        length > in.size() - fresh)
      return damaged("malformed", "bad entry in block at byte ", block.size() - in.size());
    const std::string before = first ? std::string() : key;
    key.resize(shared);
    key.append(in.substr(0, fresh));
    if (!first && key <= before) return damaged("malformed", "keys of a block are not in increasing order");
    first = false;
    WEFT_TRY(visit(key, in.substr(fresh, length)));
    in.remove_prefix(fresh + length);
  }
  return {};
}

Status Table::forEach(const std::function<Status(std::string_view, std::string_view)>& visit) const {
  for (const IndexEntry& entry : index_) {
    WEFT_LET(const std::string block, readBlock(entry.block));
    WEFT_TRY(forEachIn(block, visit));
  }
  return {};
}

Result<std::optional<std::string>> Table::get(std::string_view key) const {
  const auto at = std::lower_bound(index_.begin(), index_.end(), key, [](const IndexEntry& e, std::string_view k) { return e.lastKey < k; });
  std::optional<std::string> found;
  if (at == index_.end()) return found;
  WEFT_LET(const std::string block, readBlock(at->block));
  WEFT_TRY(forEachIn(block, [&](std::string_view k, std::string_view value) -> Status {
    if (k == key) found = std::string(value);
    return {};
  }));
  return found;
}

}  // namespace weft
