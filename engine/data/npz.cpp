#include <zlib.h>

#include <cstring>

#include "base/file_errors.h"
#include "base/table.h"
#include "weft/arrays.h"
#include "weft/records.h"

// A ZIP archive is read through the central directory at its end, because only there are all sizes reliable.

namespace weft {
namespace {

constexpr uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;

uint16_t fixed16At(const char* p) { return uint16_t(uint8_t(p[0]) | uint8_t(p[1]) << 8); }
void putFixed16(std::string* out, uint32_t v) {
  out->push_back(char(v));
  out->push_back(char(v >> 8));
}

struct Directory {
  uint64_t offset = 0, size = 0, entries = 0;
};

Result<Directory> findDirectory(std::string_view bytes) {
  if (bytes.size() < 22) return damaged("truncated", "a ZIP archive of ", bytes.size(), " bytes has no directory");
  const size_t lowest = bytes.size() > 22 + 65535 ? bytes.size() - 22 - 65535 : 0;
  for (size_t at = bytes.size() - 22 + 1; at-- > lowest;) {
    const char* p = bytes.data() + at;
    if (fixed32At(p) != kEnd) continue;
    Directory d{fixed32At(p + 16), fixed32At(p + 12), fixed16At(p + 10)};
    if (at >= 20 && fixed32At(p - 20) == kLocator64) {
      const uint64_t end64 = fixed64At(p - 20 + 8);
      if (end64 > bytes.size() || bytes.size() - end64 < 56 || fixed32At(bytes.data() + end64) != kEnd64)
        return damaged("malformed", "the ZIP archive's 64-bit directory is not where it should be");
      const char* q = bytes.data() + end64;
      d = {fixed64At(q + 48), fixed64At(q + 40), fixed64At(q + 32)};
    }
    if (d.offset > bytes.size() || d.size > bytes.size() - d.offset) return damaged("out_of_range", "the ZIP archive's directory lies outside of it");
    return d;
  }
  return damaged("truncated", "the ZIP archive has no directory at its end");
}

Result<std::string> inflateMember(std::string_view packed, uint64_t size, const std::string& name) {
  if (size > packed.size() * 1040 + 64) return damaged("malformed", "member ", name, " of ", packed.size(), " bytes claims ", size, " uncompressed");
  std::string out(size, '\0');
  z_stream z{};
  if (inflateInit2(&z, -15) != Z_OK) return resourceExhausted("inflateInit() failed");
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  z.avail_in = uInt(packed.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = uInt(out.size());
  const int code = inflate(&z, Z_FINISH);
  const uint64_t got = z.total_out;
  inflateEnd(&z);
  if (code != Z_STREAM_END || got != size) return damaged("malformed", "member ", name, " does not inflate to its ", size, " bytes");
  return out;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> readZip(std::string_view bytes, uint64_t limit) {
  WEFT_LET(const Directory directory, findDirectory(bytes));
  std::vector<std::pair<std::string, std::string>> out;
  std::string_view in = bytes.substr(directory.offset, directory.size);
  for (uint64_t i = 0; i < directory.entries; ++i) {
    if (in.size() < 46 || fixed32At(in.data()) != kCentral) return damaged("malformed", "entry ", i, " of the ZIP archive's directory is broken");
    const char* p = in.data();
    const int flags = fixed16At(p + 8), method = fixed16At(p + 10);
    const uint32_t crc = fixed32At(p + 16);
    uint64_t packed = fixed32At(p + 20), plain = fixed32At(p + 24), offset = fixed32At(p + 42);
    const size_t nameLength = fixed16At(p + 28), extraLength = fixed16At(p + 30), commentLength = fixed16At(p + 32);
    if (in.size() < 46 + nameLength + extraLength + commentLength) return damaged("malformed", "entry ", i, " of the ZIP archive's directory is broken");
    const std::string name(p + 46, nameLength);
    // Only sizes that do not fit into 32 bits are in the extra field.
    std::string_view extra = in.substr(46 + nameLength, extraLength);
    while (extra.size() >= 4) {
      const int id = fixed16At(extra.data());
      const size_t length = std::min<size_t>(fixed16At(extra.data() + 2), extra.size() - 4);
      if (id == 1) {
        std::string_view wide = extra.substr(4, length);
        for (uint64_t* v : {&plain, &packed, &offset})
          if (*v == 0xffffffff && wide.size() >= 8) {
            *v = fixed64At(wide.data());
            wide.remove_prefix(8);
          }
      }
      extra.remove_prefix(4 + length);
    }
    in.remove_prefix(46 + nameLength + extraLength + commentLength);
    if (flags & 1) return damaged("unsupported", "member ", name, " is encrypted");
    if (offset > bytes.size() || bytes.size() - offset < 30 || fixed32At(bytes.data() + offset) != kLocal)
      return damaged("out_of_range", "member ", name, " is not where the directory says");
    const uint64_t begin = offset + 30 + fixed16At(bytes.data() + offset + 26) + fixed16At(bytes.data() + offset + 28);
    if (begin > bytes.size() || packed > bytes.size() - begin)
      return damaged("out_of_range", "member ", name, " of ", packed, " bytes lies outside the archive");
    if (plain > limit) return damaged("too_large", "member ", name, " of ", plain, " bytes is over what may be read");
    limit -= plain;
    std::string content;
    if (method == 0 && packed == plain) {
      content.assign(bytes.substr(begin, packed));
    } else if (method == 8) {
      WEFT_LET(content, inflateMember(bytes.substr(begin, packed), plain, name));
    } else {
      return damaged(method == 0 ? "malformed" : "unsupported", "member ", name, " is stored by method ", method, ", expected 0 or 8");
    }
    uLong actual = ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    if (actual != crc) return damaged("bad_checksum", "Bad CRC-32 for file '", name, "': stored ", crc, ", computed ", actual);
    out.emplace_back(name, std::move(content));
  }
  return out;
}

Result<std::vector<NamedTensor>> decodeNpz(std::string_view bytes) {
  WEFT_LET(auto members, readZip(bytes));
  std::vector<NamedTensor> out;
  for (auto& [name, content] : members) {
    const bool npy = name.size() > 4 && name.compare(name.size() - 4, 4, ".npy") == 0;
    if (!npy) continue;
    auto tensor = decodeNpy(content);
    if (!tensor.ok()) {
      tensor.error().message = name + ": " + tensor.error().message;
      return tensor.error();
    }
    out.emplace_back(name.substr(0, name.size() - 4), std::move(*tensor));
  }
  return out;
}

Result<std::vector<NamedTensor>> loadNpz(const std::string& path, FileSystem* files) {
  WEFT_LET(const std::string bytes, (files ? *files : posixFileSystem()).readAll(path, uint64_t(64) << 30));
  auto arrays = decodeNpz(bytes);
  if (!arrays.ok()) arrays.error().inFile(path);
  return arrays;
}

Status saveNpz(const std::string& path, const std::vector<NamedTensor>& arrays, bool compress, FileSystem* files) {
  std::string out, directory;
  for (const auto& [key, tensor] : arrays) {
    WEFT_LET(std::string content, encodeNpy(tensor));
    const std::string name = key + ".npy";
    const auto crc = uint32_t(::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
    const size_t plain = content.size();
    if (compress && plain < UINT32_MAX) {
      std::string packed(compressBound(uLong(plain)) + 64, '\0');
      z_stream z{};
      if (deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return resourceExhausted("deflateInit() failed");
      z.next_in = reinterpret_cast<Bytef*>(content.data());
      z.avail_in = uInt(plain);
      z.next_out = reinterpret_cast<Bytef*>(packed.data());
      z.avail_out = uInt(packed.size());
      deflate(&z, Z_FINISH);
      packed.resize(z.total_out);
      deflateEnd(&z);
      content = std::move(packed);
    }
    if (out.size() + content.size() + directory.size() > 0xfffff000u)
      return resourceExhausted("an .npz archive of 4 GB or more cannot be written").inFile(path);
    // Fields common to both headers: version, flags (names in UTF-8), method, time (1980-01-01), checksum, sizes, lengths of name and extra field.
    std::string common;
    putFixed16(&common, 20);
    putFixed16(&common, 0x800);
    putFixed16(&common, compress ? 8 : 0);
    putFixed32(&common, 0x00210000);
    putFixed32(&common, crc);
    putFixed32(&common, uint32_t(content.size()));
    putFixed32(&common, uint32_t(plain));
    putFixed16(&common, uint32_t(name.size()));
    putFixed16(&common, 0);
    putFixed32(&directory, kCentral);
    putFixed16(&directory, 20);
    directory += common;
    putFixed16(&directory, 0);  // comment
    putFixed16(&directory, 0);  // disk
    putFixed16(&directory, 0);  // attributes
    putFixed32(&directory, 0);
    putFixed32(&directory, uint32_t(out.size()));
    directory += name;
    putFixed32(&out, kLocal);
    out += common;
    out += name;
    out += content;
  }
  const auto offset = uint32_t(out.size()), size = uint32_t(directory.size());
  out += directory;
  putFixed32(&out, kEnd);
  putFixed32(&out, 0);  // disks
  putFixed16(&out, uint32_t(arrays.size()));
  putFixed16(&out, uint32_t(arrays.size()));
  putFixed32(&out, size);
  putFixed32(&out, offset);
  putFixed16(&out, 0);
  return (files ? *files : posixFileSystem()).writeAtomically(path, out);
}

Result<std::string> readMaybeGzip(const std::string& path, FileSystem* files) {
  WEFT_LET(std::string bytes, (files ? *files : posixFileSystem()).readAll(path, uint64_t(64) << 30));
  if (bytes.size() < 2 || uint8_t(bytes[0]) != 0x1f || uint8_t(bytes[1]) != 0x8b) return bytes;
  auto plain = ByteStream::over(bytes, Compression::Gzip)->readAll(uint64_t(64) << 30);
  if (!plain.ok()) plain.error().inFile(path);
  return plain;
}

}  // namespace weft
