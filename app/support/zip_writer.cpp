#include "support/zip_writer.h"

#include <zlib.h>

#include <ctime>

namespace weft {
namespace {

void put16(std::string& out, unsigned value) {
  out.push_back(char(value & 0xff));
  out.push_back(char(value >> 8 & 0xff));
}
void put32(std::string& out, unsigned value) {
  put16(out, value & 0xffff);
  put16(out, value >> 16);
}

constexpr unsigned kVersion = 20, kUtf8Names = 1U << 11, kDeflated = 8;

/// Raw deflate (no zlib header), as zip uses it; empty if it saves nothing.
std::string deflated(std::string_view data) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string out(deflateBound(&stream, uLong(data.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = uInt(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return whole && out.size() < data.size() ? out : std::string();
}

/// Date and time in MS-DOS format.
unsigned dosTime() {
  const time_t now = time(nullptr);
  tm parts{};
  localtime_r(&now, &parts);
  const unsigned date = unsigned(parts.tm_year - 80) << 9 | unsigned(parts.tm_mon + 1) << 5 | unsigned(parts.tm_mday);
  return date << 16 | unsigned(parts.tm_hour) << 11 | unsigned(parts.tm_min) << 5 | unsigned(parts.tm_sec / 2);
}

}  // namespace

void ZipWriter::add(std::string_view name, std::string_view data) {
  Entry entry;
  entry.name = name;
  entry.size = unsigned(data.size());
  entry.crc = unsigned(crc32(0, reinterpret_cast<const Bytef*>(data.data()), uInt(data.size())));
  entry.offset = unsigned(body_.size());
  const std::string packed = deflated(data);
  entry.deflated = !packed.empty();
  const std::string_view stored = entry.deflated ? std::string_view(packed) : data;
  entry.packed = unsigned(stored.size());
  put32(body_, 0x04034b50);
  put16(body_, kVersion);
  put16(body_, kUtf8Names);
  put16(body_, entry.deflated ? kDeflated : 0);
  put32(body_, dosTime());
  put32(body_, entry.crc);
  put32(body_, entry.packed);
  put32(body_, entry.size);
  put16(body_, unsigned(entry.name.size()));
  put16(body_, 0);
  body_ += entry.name;
  body_ += stored;
  entries_.push_back(std::move(entry));
}

std::string ZipWriter::finish() const {
  std::string out = body_;
  const unsigned begin = unsigned(out.size());
  for (const Entry& entry : entries_) {
    put32(out, 0x02014b50);
    put16(out, kVersion);
    put16(out, kVersion);
    put16(out, kUtf8Names);
    put16(out, entry.deflated ? kDeflated : 0);
    put32(out, dosTime());
    put32(out, entry.crc);
    put32(out, entry.packed);
    put32(out, entry.size);
    put16(out, unsigned(entry.name.size()));
    for (int i = 0; i < 4; ++i) put16(out, 0);  // extra field, comment, disk, internal attributes
    put32(out, 0);
    put32(out, entry.offset);
    out += entry.name;
  }
  const unsigned end = unsigned(out.size());
  put32(out, 0x06054b50);
  put32(out, 0);
  put16(out, unsigned(entries_.size()));
  put16(out, unsigned(entries_.size()));
  put32(out, end - begin);
  put32(out, begin);
  put16(out, 0);
  return out;
}

}  // namespace weft
