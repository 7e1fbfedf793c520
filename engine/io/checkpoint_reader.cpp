#include "io/checkpoint_reader.h"

#include <algorithm>
#include <map>

#include "base/crc32c.h"
#include "base/file_errors.h"
#include "base/float_mode.h"
#include "base/parallel.h"
#include "base/table.h"
#include "io/bundle_format.h"
#include "io/slices.h"
#include "proto/convert.h"
#include "weft/mutex.h"
#include "weft/truth_values.h"

namespace weft {
namespace {

constexpr int64_t kChunk = 1 << 18;  // read and checksummed while in the cache

struct StoredEntry {
  DType dtype = DType::Invalid;
  Shape shape;
  int shard = 0;
  int64_t offset = 0, size = 0;
  uint32_t crc = 0;
  bool sliced = false;  // has no bytes of its own
};

void swapBytes(Tensor* tensor) {
  size_t width = sizeOf(tensor->dtype());
  if (isComplex(tensor->dtype())) width /= 2;
  auto* p = static_cast<char*>(tensor->mutableRaw());
  for (size_t i = 0; width > 1 && i < tensor->bytes(); i += width) std::reverse(p + i, p + i + width);
}

/// A V2 checkpoint.
class BundleReader final : public CheckpointReader {
 public:
  BundleReader(FileSystem& files, std::string prefix) : files_(files) { prefix_ = std::move(prefix); }

  Status open() {
    WEFT_LET(auto table, Table::open(files_, bundleIndexFile(prefix_)));
    bool first = true;
    WEFT_TRY(table->forEach([&](std::string_view key, std::string_view value) -> Status {
      if (std::exchange(first, false)) {
        if (!key.empty()) return damaged("malformed", "the index has no header");
        return readHeader(value);
      }
      return readEntry(std::string(key), value);
    }));
    if (first) return damaged("malformed", "the index has no header");
    return {};
  }

  int version() const override { return 2; }
  int shards() const override { return shards_; }
  std::vector<std::string> dataFiles() const override {
    std::vector<std::string> out;
    for (int i = 0; i < shards_; ++i) out.push_back(bundleDataFile(prefix_, i, shards_));
    return out;
  }

  Result<Tensor> readSlice(const std::string& name, const TensorSlice& slice) const override {
    const CheckpointEntry* entry = find(name);
    if (!entry) return notFound("Key ", name, " not found in checkpoint");
    WEFT_LET(const Shape shape, shapeOfSlice(entry->shape, slice));
    if (entry->slices.empty() && coversAll(slice, entry->shape)) return readStored(name);
    // The parts are read first: their size limits how large the declared shape may be.
    std::vector<std::pair<TensorSlice, Tensor>> parts;
    int64_t held = 0;
    if (entry->slices.empty()) {
      WEFT_LET(Tensor whole, readStored(name));
      held = whole.elements();
      parts.emplace_back(TensorSlice{}, std::move(whole));
    }
    for (const TensorSlice& part : entry->slices) {
      if (!overlaps(part, slice)) continue;
      WEFT_LET(Tensor stored, readStored(sliceKey(name, part)));
      WEFT_LET(const Shape expected, shapeOfSlice(entry->shape, part));
      if (stored.dtype() != entry->dtype || !(stored.shape() == expected))
        return damaged("invalid_tensor", "slice ", sliceText(part), " of ", name, " is stored as ", dtypeName(stored.dtype()), " ", stored.shape().toString());
      held += stored.elements();
      parts.emplace_back(part, std::move(stored));
    }
    if (held < shape.elements())
      return damaged("invalid_tensor", "the stored slices of ", name, " hold ", held, " of the ", shape.elements(), " elements asked for");
    WEFT_LET(Tensor out, Tensor::allocate(entry->dtype, shape));
    int64_t copied = 0;
    for (const auto& [part, stored] : parts) copied += copyCommon(entry->shape, stored, part, out, slice);
    if (copied < out.elements())
      return damaged("invalid_tensor", "the stored slices of ", name, " hold ", copied, " of the ", out.elements(), " elements asked for");
    return out;
  }

  Status verify() const override {
    constexpr size_t kMostWindows = 64;
    std::map<int, Window> windows;  // by data file: names alternate between them
    for (const auto& [key, entry] : stored_) {
      if (entry.sliced) continue;
      if (entry.dtype == DType::String || entry.dtype == DType::Variant) {
        WEFT_TRY(readStored(key));
        continue;
      }
      WEFT_LET(const DataFile* const data, rangeIn(key, entry));
      if (entry.size > kChunk) {
        WEFT_LET(const uint32_t crc, readSummed(key, entry, *data->file, nullptr));
        WEFT_TRY(compare(key, entry, crc));
        continue;
      }
      if (windows.size() > kMostWindows) windows.clear();
      WEFT_LET(const std::string_view bytes, windows[entry.shard].at(key, entry, *data));
      WEFT_TRY(compare(key, entry, crc32c(0, bytes.data(), bytes.size())));
    }
    return {};
  }

 private:
  struct DataFile {
    std::unique_ptr<ReadableFile> file;
    uint64_t size = 0;  // when it was opened
  };

  /// The part of a data file that was read last: small tensors lie side by side, and one read serves many of them. Nothing is read ahead for tensors that lie
  /// in another order than their names.
  class Window {
   public:
    Result<std::string_view> at(const std::string& key, const StoredEntry& entry, const DataFile& data) {
      const int64_t end = from_ + int64_t(bytes_.size());
      if (entry.offset < from_ || entry.offset + entry.size > end) {
        const bool follows = entry.offset >= from_ && entry.offset <= end;
        from_ = entry.offset;
        bytes_.resize(size_t(std::min(follows ? 4 * kChunk : entry.size, int64_t(data.size) - from_)));
        WEFT_LET(const size_t got, data.file->read(uint64_t(from_), bytes_.data(), bytes_.size()));
        bytes_.resize(got);
        if (int64_t(got) < entry.size) return damaged("truncated", "the data file ends inside of ", key);
      }
      return std::string_view(bytes_).substr(size_t(entry.offset - from_), size_t(entry.size));
    }

   private:
    int64_t from_ = 0;
    std::string bytes_;
  };

  Status readHeader(std::string_view value) {
    tensorflow::BundleHeaderProto header;
    if (!header.ParseFromArray(value.data(), int(value.size()))) return damaged("malformed", "the header entry of the index cannot be parsed");
    const auto& version = header.version();
    if (version.min_consumer() > kBundleVersion)
      return invalidArgument("Checkpoint min consumer version ", version.min_consumer(), " above current version ", kBundleVersion, " for Weft")
          .ofKind("unsupported_version");
    for (const int badConsumer : version.bad_consumers())
      if (badConsumer == kBundleVersion) return invalidArgument("Checkpoint disallows consumer version ", badConsumer).ofKind("unsupported_version");
    shards_ = header.num_shards();
    if (shards_ < 1 || shards_ > 1000000) return damaged("malformed", "the index claims ", shards_, " data files, expected 1 or more");
    swap_ = header.endianness() == tensorflow::BundleHeaderProto::BIG;
    return {};
  }

  Status readEntry(std::string key, std::string_view value) {
    tensorflow::BundleEntryProto proto;
    const bool hidden = key[0] == '\0';  // a slice, shown as part of its tensor
    const std::string shown = hidden ? "a slice" : key;
    if (!proto.ParseFromArray(value.data(), int(value.size()))) return damaged("malformed", "the entry of ", shown, " cannot be parsed");
    StoredEntry entry;
    entry.dtype = DType(proto.dtype());
    if (!isKnown(entry.dtype) || isRef(entry.dtype)) return damaged("invalid_tensor", shown, " has dtype ", int(proto.dtype()), ", which is none of a tensor");
    auto shape = shapeFromProto(proto.shape());
    if (!shape.ok()) return damaged("invalid_tensor", shown, ": ", shape.error().message);
    entry.shape = *shape;
    const int64_t elements = entry.shape.elements();
    if (elements < 0) return damaged("invalid_tensor", shown, " has shape ", entry.shape.toString(), ", which is not fully known");
    CheckpointEntry out{key, entry.dtype, entry.shape, {}};
    if (proto.slices_size()) {
      entry.sliced = true;
      for (const auto& slice : proto.slices()) {
        WEFT_LET(TensorSlice s, sliceFromProto(slice));
        if (auto part = shapeOfSlice(entry.shape, s); !part.ok()) return damaged("invalid_tensor", shown, ": ", part.error().message);
        out.slices.push_back(std::move(s));
      }
    } else {
      entry.shard = proto.shard_id();
      entry.offset = proto.offset();
      entry.size = proto.size();
      entry.crc = unmaskCrc(proto.crc32c());
      if (entry.shard < 0 || entry.shard >= shards_) return damaged("out_of_range", shown, " lies in data file ", entry.shard, ", but there are ", shards_);
      if (entry.offset < 0 || entry.size < 0)
        return damaged("out_of_range", shown, " has offset ", entry.offset, " and size ", entry.size, ", expected neither below 0");
      const size_t width = sizeOf(entry.dtype);
      if (width && (uint64_t(elements) > uint64_t(entry.size) / width || uint64_t(elements) * width != uint64_t(entry.size)))
        return damaged("invalid_tensor", "Invalid size in bundle entry: key ", shown, "; stored size ", entry.size, "; expected size ", elements, " x ", width);
      if ((entry.dtype == DType::String || entry.dtype == DType::Variant) && elements > entry.size)
        return damaged("invalid_tensor", "Invalid size in bundle entry: key ", shown, "; ", entry.size, " bytes cannot hold ", elements, " elements");
    }
    if (!hidden) tensors_.push_back(std::move(out));
    stored_.emplace_hint(stored_.end(), std::move(key), std::move(entry));  // keys of a table are sorted
    return {};
  }

  Result<const DataFile*> dataFile(int shard) const {
    const MutexLock lock(mutex_);
    DataFile& data = open_[shard];
    if (!data.file) {
      auto opened = files_.openForReading(bundleDataFile(prefix_, shard, shards_));
      if (!opened.ok()) {
        open_.erase(shard);
        if (opened.error().code == Code::NotFound) opened.error().kind = "missing_file";
        return opened.error();
      }
      WEFT_LET(data.size, (*opened)->size());
      data.file = std::move(*opened);
    }
    return &data;
  }

  /// The entry's file, checked to be long enough.
  Result<const DataFile*> rangeIn(const std::string& key, const StoredEntry& entry) const {
    WEFT_LET(const DataFile* const data, dataFile(entry.shard));
    if (uint64_t(entry.offset) > data->size) return damaged("out_of_range", key, " lies at offset ", entry.offset, " of a data file of ", data->size, " bytes");
    if (uint64_t(entry.size) > data->size - uint64_t(entry.offset))
      return damaged("truncated", key, " needs ", entry.size, " bytes at offset ", entry.offset, ", but the data file ends at ", data->size);
    return data;
  }

  static Status readBytes(const std::string& key, const StoredEntry& entry, ReadableFile& file, int64_t from, void* into, size_t bytes) {
    WEFT_LET(const size_t got, file.read(uint64_t(entry.offset + from), into, bytes));
    if (got != bytes) return damaged("truncated", "the data file ends inside of ", key);
    return {};
  }

  /// The checksum of an entry's bytes, read in parts by all threads, into `into` unless that is null.
  static Result<uint32_t> readSummed(const std::string& key, const StoredEntry& entry, ReadableFile& file, char* into) {
    struct Part {
      int64_t end = 0;  // 0: no part began here
      uint32_t crc = 0;
      Status status;
    };
    const int64_t chunks = (entry.size + kChunk - 1) / kChunk;
    std::vector<Part> parts(static_cast<size_t>(chunks));  // by first chunk
    const KeepFloatMode mode;
    parallelFor(chunks, 2, [&](int64_t begin, int64_t end) {
      Part& part = parts[size_t(begin)];
      part.end = end;
      std::string own;
      if (!into) own.resize(size_t(std::min(kChunk, entry.size)));
      for (int64_t c = begin; c < end && part.status.ok(); ++c) {
        const int64_t from = c * kChunk, bytes = std::min(kChunk, entry.size - from);
        char* const at = into ? into + from : own.data();
        part.status = readBytes(key, entry, file, from, at, size_t(bytes));
        if (part.status.ok()) part.crc = crc32c(part.crc, at, size_t(bytes));
      }
    });
    uint32_t crc = 0;
    for (int64_t c = 0; c < chunks; c = parts[size_t(c)].end) {
      const Part& part = parts[size_t(c)];
      WEFT_TRY(part.status);
      crc = crc32cOfBoth(crc, part.crc, uint64_t(std::min(part.end * kChunk, entry.size) - c * kChunk));
    }
    return crc;
  }

  Status compare(const std::string& key, const StoredEntry& entry, uint32_t crc) const {
    if (crc == entry.crc) return {};
    return damaged("bad_checksum", "TensorBundle at ", prefix_, " shard ", entry.shard, " (", entry.size, " bytes): Checksum does not match: stored ",
                   entry.crc, " vs. calculated on the restored bytes ", crc, " of ", key);
  }

  Result<Tensor> readStored(const std::string& key) const {
    const auto at = stored_.find(key);
    if (at == stored_.end()) return damaged("malformed", "a slice that the index lists is not in it");
    const StoredEntry& entry = at->second;
    const bool isText = entry.dtype == DType::String, isVariant = entry.dtype == DType::Variant;
    if (!isText && !isVariant && sizeOf(entry.dtype) == 0) return unimplemented("tensors of ", dtypeName(entry.dtype), " cannot be restored: ", key);
    WEFT_LET(const DataFile* const data, rangeIn(key, entry));
    ReadableFile* const file = data->file.get();
    WEFT_LET(Tensor tensor, Tensor::allocate(entry.dtype, entry.shape));
    uint32_t crc = 0;
    if (isText || isVariant) {
      std::string bytes(size_t(entry.size), '\0');
      WEFT_TRY(readBytes(key, entry, *file, 0, bytes.data(), bytes.size()));
      Status status = isText ? decodeBundleStrings(bytes, &tensor, &crc) : decodeBundleVariants(bytes, &tensor, &crc);
      if (!status.ok()) {
        status.error().message = key + ": " + status.error().message;
        return status;
      }
    } else {
      WEFT_LET(crc, readSummed(key, entry, *file, static_cast<char*>(tensor.mutableRaw())));
    }
    WEFT_TRY(compare(key, entry, crc));
    if (swap_) swapBytes(&tensor);
    makeTruthValues(tensor);
    return tensor;
  }

  FileSystem& files_;
  int shards_ = 0;
  bool swap_ = false;
  std::map<std::string, StoredEntry> stored_;  // by key, slices too
  mutable Mutex mutex_;
  mutable std::map<int, DataFile> open_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace

const CheckpointEntry* CheckpointReader::find(std::string_view name) const {
  const auto at = std::lower_bound(tensors_.begin(), tensors_.end(), name, [](const CheckpointEntry& e, std::string_view n) { return e.name < n; });
  return at != tensors_.end() && at->name == name ? &*at : nullptr;
}

Result<Tensor> CheckpointReader::read(const std::string& name) const { return readSlice(name, {}); }

Result<uint64_t> CheckpointReader::bytesOf(const CheckpointEntry& entry) const {
  if (entry.dtype != DType::String) return uint64_t(entry.shape.elements()) * sizeOf(entry.dtype);
  WEFT_LET(const Tensor tensor, read(entry.name));
  uint64_t total = 0;
  for (const std::string& s : tensor.flat<std::string>()) total += s.size();
  return total;
}

Result<std::unique_ptr<CheckpointReader>> CheckpointReader::open(const std::string& prefix, FileSystem* fileSystem) {
  FileSystem& files = fileSystem ? *fileSystem : posixFileSystem();
  if (!files.exists(bundleIndexFile(prefix))) return openCheckpointV1(files, prefix);
  auto reader = std::make_unique<BundleReader>(files, prefix);
  Status status = reader->open();
  if (!status.ok()) {
    status.error().inFile(bundleIndexFile(prefix));
    return status;
  }
  return std::unique_ptr<CheckpointReader>(std::move(reader));
}

}  // namespace weft
