#include "cli/selftest/wire.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

namespace weft::cli {
namespace {

/// Reads little-endian numbers and varints from the front of a view.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}
  bool atEnd() const { return rest_.empty(); }
  bool varint(uint64_t& out) {
    out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) return false;
      const auto byte = uint8_t(rest_.front());
      rest_.remove_prefix(1);
      out |= uint64_t(byte & 127) << shift;
      if (byte < 128) return true;
    }
    return false;
  }
  bool take(uint64_t count, std::string_view& out) {
    if (count > rest_.size()) return false;
    out = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return true;
  }
  bool fixed(int count, uint64_t& out) {
    std::string_view bytes;
    if (!take(uint64_t(count), bytes)) return false;
    out = 0;
    std::memcpy(&out, bytes.data(), bytes.size());
    return true;
  }

 private:
  std::string_view rest_;
};

}  // namespace

float WireField::asFloat() const { return std::bit_cast<float>(uint32_t(value)); }
double WireField::asDouble() const { return std::bit_cast<double>(value); }

Result<std::vector<WireField>> parseWire(std::string_view message) {
  std::vector<WireField> fields;
  Cursor cursor(message);
  while (!cursor.atEnd()) {
    uint64_t key = 0;
    if (!cursor.varint(key)) return dataLoss("a message ends inside a field's key");
    WireField f;
    f.number = int(key >> 3);
    f.type = int(key & 7);
    bool ok = false;
    switch (f.type) {
      case 0: ok = cursor.varint(f.value); break;
      case 1: ok = cursor.fixed(8, f.value); break;
      case 2: {
        uint64_t length = 0;
        ok = cursor.varint(length) && cursor.take(length, f.bytes);
        break;
      }
      case 5: ok = cursor.fixed(4, f.value); break;
      default: break;
    }
    if (!ok) return dataLoss("field ", f.number, " of a message is cut off or of unknown wire type ", f.type);
    fields.push_back(f);
  }
  return fields;
}

void appendVarint(std::string& out, uint64_t value) {
  for (; value >= 128; value >>= 7) out += char(value | 128);
  out += char(value);
}

void appendVarintField(std::string& out, int number, uint64_t value) {
  appendVarint(out, uint64_t(number) << 3);
  appendVarint(out, value);
}

void appendBytesField(std::string& out, int number, std::string_view bytes) {
  appendVarint(out, uint64_t(number) << 3 | 2);
  appendVarint(out, bytes.size());
  out += bytes;
}

Result<std::vector<std::string>> readRecordFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return notFound("cannot open").inFile(path);
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::string> records;
  // Length (8 bytes), its checksum (4), the data, its checksum (4).
  Cursor cursor(all);
  while (!cursor.atEnd()) {
    uint64_t length = 0, checksum = 0;
    std::string_view data;
    if (!cursor.fixed(8, length) || !cursor.fixed(4, checksum) || !cursor.take(length, data) || !cursor.fixed(4, checksum))
      return dataLoss("record ", records.size(), " is cut off").inFile(path);
    records.emplace_back(data);
  }
  return records;
}

}  // namespace weft::cli
