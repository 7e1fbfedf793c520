#include "io/inspect/hdf5.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "io/inspect/report.h"

namespace weft::inspect {
namespace {

constexpr int kMaxNodes = 100000;    // of one group's tree
constexpr int kMaxMessages = 20000;  // of one object

template <typename T>
T valueAt(std::string_view data, size_t position) {
  T value{};
  if (position <= data.size() && data.size() - position >= sizeof(T)) std::memcpy(&value, data.data() + position, sizeof(T));
  return value;
}

std::string_view part(std::string_view data, size_t position, size_t count) {
  return position <= data.size() ? data.substr(position, count) : std::string_view();
}

size_t padded(size_t n) { return (n + 7) / 8 * 8; }

}  // namespace

std::string Hdf5Type::name() const {
  switch (kind) {
    case 0: return concat(isSigned ? "int" : "uint", bytes * 8);
    case 1: return concat("float", bytes * 8);
    case 3:
    case 9: return "string";
    case 8: return "bool";
    default: return "unknown";
  }
}

std::string_view Hdf5File::range(uint64_t position, uint64_t count) const {
  position += base_;
  if (position > bytes_.size() || count > bytes_.size() - position) throw OutOfRange{};
  return bytes_.substr(position, count);
}

Result<Hdf5File> Hdf5File::open(std::string_view bytes) {
  if (bytes.size() < 96) return bad("truncated", "an HDF5 file of ", bytes.size(), " bytes ends inside its superblock");
  const int version = bytes[8];
  if (version < 0 || version > 3) return bad("unsupported", "HDF5 superblock version ", version, ", expected 0 to 3");
  const size_t sizes = version < 2 ? 13 : 9;
  if (bytes[sizes] != 8 || bytes[sizes + 1] != 8) return bad("unsupported", "HDF5 with offsets of ", int(bytes[sizes]), " bytes, expected 8");
  Hdf5File file;
  const size_t shift = version == 1 ? 4 : 0;
  file.bytes_ = bytes;
  file.base_ = valueAt<uint64_t>(bytes, version < 2 ? 24 + shift : 12);
  const auto end = valueAt<uint64_t>(bytes, version < 2 ? 40 + shift : 28);
  file.root_ = valueAt<uint64_t>(bytes, version < 2 ? 64 + shift : 36);
  if (end > bytes.size()) return bad("truncated", "the HDF5 file says that it has ", end, " bytes, but it ends at ", bytes.size());
  return file;
}

Result<Hdf5Object> Hdf5File::read(uint64_t address) const {
  try {
    return readHeader(address);
  } catch (const OutOfRange&) {
    return bad("out_of_range", "the HDF5 object at ", address, " refers to bytes outside the file");
  }
}

Result<Hdf5Object> Hdf5File::find(uint64_t from, std::string_view path) const {
  WEFT_LET(const uint64_t address, addressOf(from, path));
  return read(address);
}

Result<uint64_t> Hdf5File::addressOf(uint64_t from, std::string_view path) const {
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string name(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (name.empty()) continue;
    WEFT_LET(const Hdf5Object object, read(from));
    const auto child = object.children.find(name);
    if (child == object.children.end()) return notFound("no object '", name, "' in the HDF5 file").ofKind("malformed");
    from = child->second;
  }
  return from;
}

Hdf5Object Hdf5File::readHeader(uint64_t address) const {
  Hdf5Object out;
  if (range(address, 4) == "OHDR") return readHeader2(address);
  if (at<uint8_t>(address) != 1) return out;  // unknown version of the header
  struct Block {
    uint64_t begin, bytes;
  };
  std::deque<Block> blocks = {{address + 16, at<uint32_t>(address + 8)}};
  int messages = 0;
  while (!blocks.empty()) {
    const Block block = blocks.front();
    blocks.pop_front();
    range(block.begin, block.bytes);
    for (uint64_t p = block.begin; p + 8 <= block.begin + block.bytes;) {
      if (++messages > kMaxMessages) throw OutOfRange{};
      const int type = at<uint16_t>(p);
      const uint64_t size = at<uint16_t>(p + 2);
      const std::string_view data = range(p + 8, size);
      if (type == 0x10 && size >= 16) {
        blocks.push_back({valueAt<uint64_t>(data, 0), valueAt<uint64_t>(data, 8)});
      } else {
        readMessage(type, data, &out);
      }
      p += 8 + size;
    }
  }
  return out;
}

void Hdf5File::readMessage(int type, std::string_view data, Hdf5Object* out) const {
  switch (type) {
    case 0x01: out->shape = readSpace(data); break;
    case 0x02: readLinkInfo(data, out); break;
    case 0x06: readLink(data, out); break;
    case 0x03: out->type = readType(data); break;
    case 0x08:
      out->isDataset = true;
      out->layout = data;
      break;
    case 0x0b: out->filters = data; break;
    case 0x0c: readAttribute(data, out); break;
    case 0x15: readAttributeInfo(data, out); break;
    case 0x11:
      out->isGroup = true;
      readGroup(valueAt<uint64_t>(data, 0), valueAt<uint64_t>(data, 8), out);
      break;
    default: break;
  }
}

void Hdf5File::readGroup(uint64_t tree, uint64_t heap, Hdf5Object* out) const {
  if (range(heap, 4) != "HEAP") throw OutOfRange{};
  const auto heapBytes = at<uint64_t>(heap + 8), heapData = at<uint64_t>(heap + 24);
  range(heapData, heapBytes);
  int budget = kMaxNodes;
  readTree(tree, heapData, heapBytes, 0, &budget, out);
}

void Hdf5File::readTree(uint64_t node, uint64_t heapData, uint64_t heapBytes, int depth, int* budget, Hdf5Object* out) const {
  if (depth > 16 || --*budget < 0) throw OutOfRange{};
  const std::string_view kind = range(node, 4);
  if (kind == "SNOD") {
    const int symbols = at<uint16_t>(node + 6);
    for (int i = 0; i < symbols; ++i) {
      const uint64_t entry = node + 8 + 40 * uint64_t(i);
      out->children[nameAt(heapData, heapBytes, at<uint64_t>(entry))] = at<uint64_t>(entry + 8);
    }
    return;
  }
  if (kind != "TREE") throw OutOfRange{};
  const int entries = at<uint16_t>(node + 6);
  for (int i = 0; i < entries; ++i) readTree(at<uint64_t>(node + 24 + 8 + 16 * uint64_t(i)), heapData, heapBytes, depth + 1, budget, out);
}

std::string Hdf5File::nameAt(uint64_t heapData, uint64_t heapBytes, uint64_t offset) const {
  if (offset > heapBytes) throw OutOfRange{};
  const std::string_view text = range(heapData + offset, heapBytes - offset);
  return std::string(text.substr(0, text.find('\0')));
}

Hdf5Type Hdf5File::readType(std::string_view data) {
  Hdf5Type type;
  if (data.size() < 8) return type;
  type.kind = data[0] & 0x0f;
  type.isSigned = data[1] & 8;
  type.bigEndian = (type.kind == 0 || type.kind == 1) && (data[1] & 1);
  type.variableString = type.kind == 9 && (data[1] & 0x0f) == 1;
  type.bytes = valueAt<uint32_t>(data, 4);
  return type;
}

Shape Hdf5File::readSpace(std::string_view data) {
  Shape shape;
  if (data.size() < 4) return shape;
  const size_t rank = uint8_t(data[1]), first = data[0] == 1 ? 8 : 4;
  for (size_t i = 0; i < rank && i < 32; ++i) shape.append(int64_t(valueAt<uint64_t>(data, first + 8 * i)));
  return shape;
}

void Hdf5File::readAttribute(std::string_view data, Hdf5Object* out) const {
  if (data.size() < 8) return;
  const int version = data[0];
  const size_t sizes[3] = {valueAt<uint16_t>(data, 2), valueAt<uint16_t>(data, 4), valueAt<uint16_t>(data, 6)};
  size_t p = version == 3 ? 9 : 8;
  std::string_view parts[3];
  for (int i = 0; i < 3; ++i) {
    parts[i] = part(data, p, sizes[i]);
    p += version == 1 ? padded(sizes[i]) : sizes[i];
  }
  const std::string name(parts[0].substr(0, parts[0].find('\0')));
  const Hdf5Type type = readType(parts[1]);
  const Shape shape = readSpace(parts[2]);
  const std::string_view values = part(data, p, data.size());
  const int64_t n = shape.elements();
  const size_t width = type.variableString ? 16 : type.bytes;
  if ((type.kind != 3 && !type.variableString) || width == 0 || n < 0 || uint64_t(n) > values.size() / width) return;
  std::vector<std::string>& texts = out->attributes[name];
  for (int64_t i = 0; i < n; ++i) {
    const std::string_view value = values.substr(size_t(i) * width, width);
    if (type.variableString) {
      texts.push_back(heapObject(valueAt<uint64_t>(value, 4), valueAt<uint32_t>(value, 12)).substr(0, valueAt<uint32_t>(value, 0)));
    } else {
      texts.emplace_back(value.substr(0, value.find('\0')));
    }
  }
}

std::string Hdf5File::heapObject(uint64_t collection, uint32_t index) const {
  if (range(collection, 4) != "GCOL") throw OutOfRange{};
  const auto bytes = at<uint64_t>(collection + 8);
  range(collection, bytes);
  for (uint64_t p = collection + 16; p + 16 <= collection + bytes;) {
    const auto id = at<uint16_t>(p);
    const auto size = at<uint64_t>(p + 8);
    if (id == 0 || size > bytes) break;
    if (id == index) return std::string(range(p + 16, size));
    p += 16 + padded(size);
  }
  throw OutOfRange{};
}

}  // namespace weft::inspect
