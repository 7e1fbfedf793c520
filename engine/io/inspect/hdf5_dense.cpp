// HDF5's newer structures (superblock 2 and 3, libver='latest'): object headers of version 2, links as messages, and the "dense" storage of many
// links or attributes: their messages lie in a fractal heap, and a B-tree of version 2 lists where. Chapters III.A.2, III.G and IV of the HDF5
// file format specification 3.0.

#include <bit>
#include <cstring>

#include "io/inspect/hdf5.h"
#include "io/inspect/report.h"

namespace weft::inspect {
namespace {

constexpr int kMaxRecords = 200000;  // of one B-tree

/// Number of bytes needed for numbers up to `most`.
int bytesFor(uint64_t most) { return most == 0 ? 1 : (int(std::bit_width(most)) - 1) / 8 + 1; }

}  // namespace

/// Objects of a few bytes to many, found by an id. Blocks double in size row by row; a table of tables holds them.
struct Hdf5File::FractalHeap {
  const Hdf5File& file;
  int idBytes, offsetBytes, lengthBytes, rows;
  bool filtered, checksums;
  uint64_t hugeTree, start, maxDirect, root;
  int width;

  FractalHeap(const Hdf5File& f, uint64_t address) : file(f) {
    const std::string_view h = f.range(address, 142);
    if (h.substr(0, 4) != "FRHP") throw OutOfRange{};
    idBytes = int(numberAt(h, 5, 2));
    filtered = numberAt(h, 7, 2) != 0;
    checksums = h[9] & 2;
    hugeTree = numberAt(h, 22, 8);
    width = int(numberAt(h, 110, 2));
    start = numberAt(h, 112, 8);
    maxDirect = numberAt(h, 120, 8);
    offsetBytes = (int(numberAt(h, 128, 2)) + 7) / 8;
    root = numberAt(h, 132, 8);
    rows = int(numberAt(h, 140, 2));
    lengthBytes = std::min(bytesFor(maxDirect), bytesFor(numberAt(h, 10, 4)));
    if (idBytes < 1 || width < 1 || start < 1 || maxDirect < start || offsetBytes > 8) throw OutOfRange{};
  }

  std::string object(std::string_view id) const {
    if (id.empty()) throw OutOfRange{};
    const int type = (id[0] >> 4) & 3;
    if (type == 2) return std::string(id.substr(1, size_t(id[0] & 15) + 1));
    if (type == 1) return hugeObject(numberAt(id, 1, std::min(8, idBytes - 1)));
    if (filtered) return {};  // compressed blocks: not used for links or attributes in practice
    const uint64_t offset = numberAt(id, 1, offsetBytes), length = numberAt(id, 1 + size_t(offsetBytes), lengthBytes);
    const uint64_t at = rows == 0 ? root + offset : inIndirect(root, rows, 0, offset, 0);
    return std::string(file.range(at, length));
  }

 private:
  uint64_t rowBlock(int row) const { return row == 0 ? start : start << std::min(row - 1, 62); }

  /// Address of a heap offset below an indirect block that starts at heap offset `base`.
  uint64_t inIndirect(uint64_t address, int tableRows, uint64_t base, uint64_t offset, int depth) const {
    if (depth > 8 || tableRows > 64 || file.range(address, 4) != "FHIB") throw OutOfRange{};
    uint64_t entry = address + 13 + uint64_t(offsetBytes), begin = base;
    for (int row = 0; row < tableRows; ++row) {
      const uint64_t size = rowBlock(row);
      for (int column = 0; column < width; ++column, entry += 8, begin += size) {
        if (offset < begin || offset - begin >= size) continue;
        const auto child = file.at<uint64_t>(entry);
        if (size <= maxDirect) return child + (offset - begin);
        return inIndirect(child, int(std::bit_width(size / start)) - int(std::bit_width(uint64_t(width))) + 1, begin, offset, depth + 1);
      }
    }
    throw OutOfRange{};
  }

  std::string hugeObject(uint64_t wanted) const {
    std::string found;
    file.forRecords(hugeTree, [&](std::string_view record) {
      if (numberAt(record, 16, 8) == wanted) found = std::string(file.range(numberAt(record, 0, 8), numberAt(record, 8, 8)));
    });
    return found;
  }
};

void Hdf5File::forRecords(uint64_t tree, const std::function<void(std::string_view)>& use) const {
  if (tree == kNowhere) return;
  const std::string_view h = range(tree, 34);
  if (h.substr(0, 4) != "BTHD") throw OutOfRange{};
  Records records{use, {}, size_t(numberAt(h, 10, 2)), 0, kMaxRecords};
  const auto nodeBytes = int64_t(numberAt(h, 6, 4));
  const int depth = int(numberAt(h, 12, 2));
  if (records.bytes == 0 || depth > 16 || nodeBytes < 16) throw OutOfRange{};
  // A node holds as many records as fit beside its pointers; the width of a pointer depends on the record counts of the nodes below.
  constexpr int64_t kOverhead = 10;
  auto most = uint64_t(nodeBytes - kOverhead) / records.bytes, below = most;
  records.countBytes = bytesFor(most);
  records.totalBytes = {0};
  for (int level = 1; level <= depth; ++level) {
    const auto pointer = uint64_t(8 + records.countBytes + records.totalBytes.back());
    if (uint64_t(nodeBytes) < uint64_t(kOverhead) + pointer) throw OutOfRange{};
    most = (uint64_t(nodeBytes) - uint64_t(kOverhead) - pointer) / (records.bytes + pointer);
    below = (most + 1) * below + most;
    records.totalBytes.push_back(bytesFor(below));
  }
  if (const uint64_t root = numberAt(h, 16, 8); root != kNowhere) readRecords(root, depth, numberAt(h, 24, 2), &records);
}

void Hdf5File::readRecords(uint64_t node, int depth, uint64_t count, Records* records) const {
  if (range(node, 4) != (depth ? "BTIN" : "BTLF")) throw OutOfRange{};
  uint64_t p = node + 6;
  for (uint64_t i = 0; i < count; ++i, p += records->bytes) {
    if (--records->budget < 0) throw OutOfRange{};
    records->use(range(p, records->bytes));
  }
  if (!depth) return;
  const int totalBytes = records->totalBytes[size_t(depth) - 1];
  for (uint64_t i = 0; i <= count; ++i) {
    const std::string_view pointer = range(p, uint64_t(8 + records->countBytes + totalBytes));
    p += pointer.size();
    readRecords(numberAt(pointer, 0, 8), depth - 1, numberAt(pointer, 8, records->countBytes), records);
  }
}

Hdf5Object Hdf5File::readHeader2(uint64_t address) const {
  Hdf5Object out;
  const int flags = at<uint8_t>(address + 5);
  uint64_t p = address + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
  const int sizeBytes = 1 << (flags & 3);
  uint64_t size = numberAt(range(p, uint64_t(sizeBytes)), 0, sizeBytes);
  p += uint64_t(sizeBytes);
  const uint64_t head = flags & 4 ? 6 : 4;
  std::vector<std::pair<uint64_t, uint64_t>> blocks = {{p, size}};
  int budget = 20000;
  for (size_t b = 0; b < blocks.size(); ++b) {
    range(blocks[b].first, blocks[b].second);
    const uint64_t end = blocks[b].first + blocks[b].second;
    for (p = blocks[b].first; p + head <= end;) {
      if (--budget < 0) throw OutOfRange{};
      const int type = at<uint8_t>(p);
      size = at<uint16_t>(p + 1);
      const std::string_view data = range(p + head, size);
      p += head + size;
      if (type == 0x10 && size >= 16) {
        const uint64_t more = numberAt(data, 0, 8), bytes = numberAt(data, 8, 8);
        if (range(more, 4) != "OCHK" || bytes < 8) throw OutOfRange{};
        blocks.emplace_back(more + 4, bytes - 8);
      } else {
        readMessage(type, data, &out);
      }
    }
  }
  return out;
}

/// A hard link message: name and address of the object. Soft and external links are skipped.
void Hdf5File::readLink(std::string_view data, Hdf5Object* out) const {
  if (data.size() < 3 || data[0] != 1) return;
  const int flags = uint8_t(data[1]);
  size_t p = 2;
  const int type = flags & 8 ? uint8_t(data[p++]) : 0;
  p += (flags & 4 ? 8 : 0) + (flags & 16 ? 1 : 0);
  const int lengthBytes = 1 << (flags & 3);
  const uint64_t length = numberAt(data, p, lengthBytes);
  p += size_t(lengthBytes);
  if (type != 0 || p > data.size() || length > data.size() - p || data.size() - p - length < 8) return;
  out->children[std::string(data.substr(p, length))] = numberAt(data, p + length, 8);
}

void Hdf5File::readLinkInfo(std::string_view data, Hdf5Object* out) const {
  out->isGroup = true;
  if (data.size() < 18) return;
  const size_t p = 2 + (data[1] & 1 ? 8 : 0);
  const uint64_t heapAddress = numberAt(data, p, 8), tree = numberAt(data, p + 8, 8);
  if (heapAddress == kNowhere || tree == kNowhere) return;  // all links are messages of the header
  const FractalHeap heap(*this, heapAddress);
  // A record: the hash of the name, then the id.
  forRecords(tree, [&](std::string_view record) { readLink(heap.object(record.substr(4)), out); });
}

void Hdf5File::readAttributeInfo(std::string_view data, Hdf5Object* out) const {
  if (data.size() < 18) return;
  const size_t p = 2 + (data[1] & 1 ? 2 : 0);
  const uint64_t heapAddress = numberAt(data, p, 8), tree = numberAt(data, p + 8, 8);
  if (heapAddress == kNowhere || tree == kNowhere) return;
  const FractalHeap heap(*this, heapAddress);
  // A record: the id of eight bytes, flags, order, hash.
  forRecords(tree, [&](std::string_view record) { readAttribute(heap.object(record.substr(0, 8)), out); });
}

}  // namespace weft::inspect
