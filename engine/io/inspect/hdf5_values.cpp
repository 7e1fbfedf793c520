// Values of HDF5 datasets: their location (layout messages of versions 3 and 4), chunks found through a version 1 B-tree, and filters. Chapters III.A.1,
// IV.A.2.i and IV.A.2.l of the HDF5 file format specification 3.0.

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "io/inspect/hdf5.h"
#include "io/inspect/report.h"
#include "weft/hdf5.h"
#include "weft/truth_values.h"

namespace weft::inspect {
namespace {

constexpr uint64_t kMostInflated = 1032;  // maximum expansion of a byte by gzip
constexpr int kMostChunks = 4'000'000;
constexpr int kMostObjects = 100'000, kMostDepth = 64;

DType dtypeOf(const Hdf5Type& type) {
  switch (type.kind) {
    case 0:
      if (type.bytes == 1) return type.isSigned ? DType::Int8 : DType::UInt8;
      if (type.bytes == 2) return type.isSigned ? DType::Int16 : DType::UInt16;
      if (type.bytes == 4) return type.isSigned ? DType::Int32 : DType::UInt32;
      return type.bytes == 8 ? (type.isSigned ? DType::Int64 : DType::UInt64) : DType::Invalid;
    case 1: return type.bytes == 2 ? DType::Half : type.bytes == 4 ? DType::Float : type.bytes == 8 ? DType::Double : DType::Invalid;
    case 8: return type.bytes == 1 ? DType::Bool : DType::Invalid;
    case 3: return DType::String;
    case 9: return type.variableString ? DType::String : DType::Invalid;
    default: return DType::Invalid;
  }
}

std::vector<Hdf5Filter> readFilters(std::string_view data) {
  std::vector<Hdf5Filter> filters;
  if (data.size() < 2) return filters;
  const int version = data[0], count = uint8_t(data[1]);
  size_t p = version == 1 ? 8 : 2;
  for (int i = 0; i < count && p + 4 <= data.size(); ++i) {
    Hdf5Filter f{int(numberAt(data, p, 2)), {}};
    p += 2;
    const bool named = version == 1 || f.id >= 256;
    const size_t nameBytes = named ? numberAt(data, p, 2) : 0;
    p += named ? 4 : 2;  // also skips the flags
    const size_t values = numberAt(data, p, 2);
    p += 2 + (version == 1 ? (nameBytes + 7) / 8 * 8 : nameBytes);
    for (size_t v = 0; v < values && p + 4 <= data.size(); ++v, p += 4) f.values.push_back(uint32_t(numberAt(data, p, 4)));
    if (version == 1 && values % 2) p += 4;
    filters.push_back(std::move(f));
  }
  return filters;
}

Result<std::string> inflated(std::string_view in, uint64_t bytes) {
  if (bytes / kMostInflated > in.size() + 1) return bad("malformed", "a chunk of ", in.size(), " bytes cannot hold ", bytes);
  std::string out(bytes, '\0');
  uLongf size = uLongf(bytes);
  const int code = ::uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(in.data()), uLong(in.size()));
  if (code != Z_OK || size != bytes) return bad("malformed", "a compressed chunk does not hold the ", bytes, " bytes that it should");
  return out;
}

std::string unshuffled(const std::string& in, size_t width) {
  if (width < 2) return in;
  std::string out(in.size(), '\0');
  const size_t n = in.size() / width;
  for (size_t b = 0; b < width; ++b)
    for (size_t i = 0; i < n; ++i) out[i * width + b] = in[b * n + i];
  std::copy(in.begin() + ptrdiff_t(n * width), in.end(), out.begin() + ptrdiff_t(n * width));
  return out;
}

/// Applies the filters in reverse. `mask` has a bit for each filter that was skipped.
Result<std::string> unfiltered(std::string_view stored, const std::vector<Hdf5Filter>& filters, uint32_t mask, uint64_t bytes, size_t width) {
  std::string data(stored);
  for (size_t i = filters.size(); i-- > 0;) {
    if (i < 32 && mask & (1u << i)) continue;
    switch (filters[i].id) {
      case 1: {
        const bool checked = std::any_of(filters.begin(), filters.begin() + ptrdiff_t(i), [](const Hdf5Filter& f) { return f.id == 3; });
        WEFT_LET(data, inflated(data, bytes + (checked ? 4 : 0)));
        break;
      }
      case 2: data = unshuffled(data, width); break;
      case 3:  // the checksum follows the data
        if (data.size() < 4) return bad("truncated", "a chunk is shorter than its checksum");
        data.resize(data.size() - 4);
        break;
      default: return bad("unsupported", "HDF5 filter number ", filters[i].id, ", expected gzip, shuffle or fletcher32");
    }
  }
  if (data.size() != bytes) return bad("malformed", "a chunk has ", data.size(), " bytes, expected ", bytes);
  return data;
}

}  // namespace

/// Copies a chunk's elements that lie inside the dataset to their places.
void Hdf5File::placeChunk(const Layout& layout, const std::string& data, const std::vector<uint64_t>& offsets, std::string* out) {
  const size_t rank = layout.dims.size(), width = layout.width;
  std::vector<uint64_t> count(rank), at(rank, 0);
  for (size_t d = 0; d < rank; ++d) {
    if (offsets[d] >= layout.dims[d]) return;
    count[d] = std::min(layout.chunk[d], layout.dims[d] - offsets[d]);
  }
  while (true) {
    uint64_t from = 0, to = 0;
    for (size_t d = 0; d < rank; ++d) {
      from = from * layout.chunk[d] + at[d];
      to = to * layout.dims[d] + offsets[d] + at[d];
    }
    std::memcpy(out->data() + to * width, data.data() + from * width, size_t(count[rank - 1]) * width);
    size_t d = rank - 1;  // a whole row at a time
    while (d > 0 && ++at[d - 1] == count[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

Status Hdf5File::readChunks(uint64_t node, int depth, int* budget, const Layout& layout, std::string* out) const {
  const size_t rank = layout.dims.size();
  const uint64_t keyBytes = 8 + 8 * (uint64_t(rank) + 1);
  if (depth > 16 || range(node, 4) != "TREE" || at<uint8_t>(node + 4) != 1) throw OutOfRange{};
  const int level = at<uint8_t>(node + 5), entries = at<uint16_t>(node + 6);
  for (int i = 0; i < entries; ++i) {
    if (--*budget < 0) throw OutOfRange{};
    const uint64_t key = node + 24 + uint64_t(i) * (keyBytes + 8);
    const auto child = at<uint64_t>(key + keyBytes);
    if (level > 0) {
      WEFT_TRY(readChunks(child, depth + 1, budget, layout, out));
      continue;
    }
    std::vector<uint64_t> offsets(rank);
    for (size_t d = 0; d < rank; ++d) offsets[d] = at<uint64_t>(key + 8 + 8 * uint64_t(d));
    WEFT_LET(const std::string data, unfiltered(range(child, at<uint32_t>(key)), layout.filters, at<uint32_t>(key + 4), layout.chunkBytes, layout.width));
    placeChunk(layout, data, offsets, out);
  }
  return {};
}

/// The elements of a dataset as stored, row-major.
Result<std::string> Hdf5File::rawValues(const Hdf5Object& object, uint64_t bytes) const {
  const std::string_view l = object.layout;
  const int version = l.empty() ? 0 : l[0], kind = l.size() < 2 ? -1 : l[1];
  if (version != 3 && version != 4) return bad("unsupported", "HDF5 data layout version ", version, ", expected 3 or 4");
  if (bytes == 0) return std::string();
  if (kind == 0) {
    if (numberAt(l, 2, 2) != bytes || l.size() < 4 + bytes) throw OutOfRange{};
    return std::string(l.substr(4, bytes));
  }
  if (kind == 1) {
    const uint64_t address = numberAt(l, 2, 8);
    if (address != kNowhere) return std::string(range(address, bytes));
    if (bytes > bytes_.size()) return bad("malformed", "a dataset of ", bytes, " bytes was never written");
    return std::string(bytes, '\0');  // never written
  }
  if (kind != 2) return bad("unsupported", "HDF5 data layout class ", kind, ", expected 0 to 2");
  Layout layout;
  layout.filters = readFilters(object.filters);
  layout.width = object.type.variableString ? 16 : object.type.bytes;
  for (const int64_t d : object.shape.dims()) layout.dims.push_back(uint64_t(d));
  const size_t rank = layout.dims.size();
  const size_t flags = version == 4 ? uint8_t(l[2]) : 0, first = version == 3 ? 11 : 5, each = version == 3 ? 4 : size_t(uint8_t(l.size() > 4 ? l[4] : 0));
  const size_t stated = uint8_t(l[version == 3 ? 2 : 3]);
  if (rank == 0 || stated != rank + 1 || each < 1 || each > 8 || l.size() < first + each * stated) throw OutOfRange{};
  layout.chunkBytes = layout.width;
  for (size_t d = 0; d < rank; ++d) {
    layout.chunk.push_back(numberAt(l, first + each * d, each));
    if (layout.chunk[d] == 0 || layout.chunk[d] > (uint64_t(1) << 40) / layout.chunkBytes) throw OutOfRange{};
    layout.chunkBytes *= layout.chunk[d];
  }
  if (bytes / kMostInflated > bytes_.size()) return bad("malformed", "a file of ", bytes_.size(), " bytes cannot hold a dataset of ", bytes);
  std::string out(bytes, '\0');
  if (version == 3) {
    int budget = kMostChunks;
    if (const uint64_t tree = numberAt(l, 3, 8); tree != kNowhere) WEFT_TRY(readChunks(tree, 0, &budget, layout, &out));
    return out;
  }
  const size_t p = first + each * stated;
  if (p >= l.size() || l[p] != 1) return bad("unsupported", "HDF5 chunk index ", p < l.size() ? int(l[p]) : 0, ", expected a single chunk (1)");
  const bool filtered = flags & 2;
  const uint64_t stored = filtered ? numberAt(l, p + 1, 8) : layout.chunkBytes, address = numberAt(l, p + (filtered ? 13 : 1), 8);
  if (address == kNowhere) return out;
  WEFT_LET(const std::string data, unfiltered(range(address, stored), layout.filters, filtered ? uint32_t(numberAt(l, p + 9, 4)) : 0, layout.chunkBytes, layout.width));
  placeChunk(layout, data, std::vector<uint64_t>(rank, 0), &out);
  return out;
}

Result<Tensor> Hdf5File::values(const Hdf5Object& object) const {
  const DType dtype = dtypeOf(object.type);
  if (dtype == DType::Invalid) return bad("unsupported", "values of HDF5 class ", object.type.kind, " with ", object.type.bytes, " bytes each");
  const size_t width = object.type.variableString ? 16 : object.type.bytes;
  const int64_t n = object.shape.elements();
  if (n < 0 || width == 0 || uint64_t(n) > (uint64_t(1) << 46) / width) return bad("malformed", "a dataset of ", n, " elements of ", width, " bytes");
  try {
    WEFT_LET(std::string raw, rawValues(object, uint64_t(n) * width));
    WEFT_LET(Tensor tensor, Tensor::allocate(dtype, object.shape));
    if (dtype == DType::String) {
      auto* texts = tensor.mutableData<std::string>();
      for (int64_t i = 0; i < n; ++i) {
        const std::string_view value = std::string_view(raw).substr(size_t(i) * width, width);
        if (!object.type.variableString) texts[i] = std::string(value.substr(0, value.find('\0')));
        else if (numberAt(value, 4, 8) != 0) texts[i] = heapObject(numberAt(value, 4, 8), uint32_t(numberAt(value, 12, 4))).substr(0, numberAt(value, 0, 4));
      }
      return tensor;
    }
    if (object.type.bigEndian)
      for (size_t p = 0; p + width <= raw.size(); p += width) std::reverse(raw.begin() + ptrdiff_t(p), raw.begin() + ptrdiff_t(p + width));
    if (!raw.empty()) std::memcpy(tensor.mutableRaw(), raw.data(), raw.size());
    makeTruthValues(tensor);
    return tensor;
  } catch (const OutOfRange&) {
    return bad("out_of_range", "the values of a dataset lie outside the HDF5 file, or are not what they should be");
  }
}

}  // namespace weft::inspect

namespace weft {
namespace {

using inspect::bad;
using inspect::Hdf5File;
using inspect::Hdf5Object;

class Reader final : public Hdf5Reader {
 public:
  Reader(std::shared_ptr<const std::string> bytes, Hdf5File file) : bytes_(std::move(bytes)), file_(std::move(file)) {}

  /// Groups may contain links back to their ancestors.
  Status walk(uint64_t address, const std::string& path, int depth) {
    if (depth > inspect::kMostDepth || ++objects_ > inspect::kMostObjects)
      return bad("malformed", "the groups of the HDF5 file nest too deeply, or without end");
    WEFT_LET(Hdf5Object object, file_.read(address));
    if (object.isDataset) {
      datasets_.push_back({path, inspect::dtypeOf(object.type) == DType::Invalid ? "unknown" : object.type.name(), object.shape});
      objectsOf_.push_back(std::move(object));
      return {};
    }
    for (const auto& [name, child] : object.children) WEFT_TRY(walk(child, path.empty() ? name : path + '/' + name, depth + 1));
    return {};
  }
  uint64_t root() const { return file_.root(); }
  Result<Tensor> read(size_t index) const override { return file_.values(objectsOf_[index]); }

 private:
  std::shared_ptr<const std::string> bytes_;  // the bytes that file_ refers to
  Hdf5File file_;
  std::vector<Hdf5Object> objectsOf_;  // parallel to datasets_
  int objects_ = 0;
};

}  // namespace

Result<std::unique_ptr<Hdf5Reader>> Hdf5Reader::fromBytes(std::shared_ptr<const std::string> bytes) {
  WEFT_LET(Hdf5File file, Hdf5File::open(*bytes));
  auto reader = std::make_unique<Reader>(bytes, std::move(file));
  WEFT_TRY(reader->walk(reader->root(), {}, 0));
  return std::unique_ptr<Hdf5Reader>(std::move(reader));
}

Result<std::unique_ptr<Hdf5Reader>> Hdf5Reader::open(const std::string& path, FileSystem* files) {
  WEFT_LET(std::string bytes, (files ? *files : posixFileSystem()).readAll(path));
  return fromBytes(std::make_shared<const std::string>(std::move(bytes)));
}

}  // namespace weft
