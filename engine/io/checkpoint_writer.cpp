#include <map>

#include "base/crc32c.h"
#include "base/float_mode.h"
#include "base/parallel.h"
#include "base/table.h"
#include "base/temporary_file.h"
#include "io/bundle_format.h"
#include "io/slices.h"
#include "proto/convert.h"
#include "weft/checkpoint.h"

namespace weft {
namespace {

constexpr size_t kShared = size_t(256) << 10;  // minimum bytes for a second thread to pay off

/// Writes the index file under a temporary name, header first, then entries in key order. The caller places the data files, then the index: when the disk is
/// full, no file has been replaced yet. Like TensorFlow, it does not wait for any file to reach the disk (fsync), which takes several times as long as
/// everything else. Other processes never see a partial checkpoint, and one torn by a machine failure is detected by its checksums.
Status writeIndexTo(TemporaryFile& temporary, const tensorflow::BundleHeaderProto& header, const std::map<std::string, tensorflow::BundleEntryProto>& entries) {
  WEFT_LET(auto file, temporary.create());
  TableBuilder table(file.get());
  WEFT_TRY(table.add("", header.SerializeAsString()));
  for (const auto& [key, entry] : entries) WEFT_TRY(table.add(key, entry.SerializeAsString()));
  WEFT_TRY(table.finish());
  return file->close();
}

/// Moves data files of an older checkpoint of the same name aside, so that the new ones and the index take their places in an instant: some file systems write a
/// file to the disk within the call that replaces another one by it, and until the index is replaced too, the two do not fit. What was moved comes back
/// unless settle() was called.
class OlderData {
 public:
  explicit OlderData(FileSystem& files) : files_(files) {}
  OlderData(const OlderData&) = delete;
  OlderData& operator=(const OlderData&) = delete;
  ~OlderData() {
    for (const auto& [path, aside] : moved_) {
      if (settled_) (void)files_.remove(aside);
      else (void)files_.rename(aside, path);
    }
  }

  Status moveAside(const std::string& path) {
    if (!files_.exists(path)) return {};
    const std::string aside = path + temporarySuffix();
    moved_.reserve(moved_.size() + 1);
    WEFT_TRY(files_.rename(path, aside));
    moved_.emplace_back(path, aside);
    return {};
  }
  void settle() { settled_ = true; }

 private:
  FileSystem& files_;
  std::vector<std::pair<std::string, std::string>> moved_;
  bool settled_ = false;
};

class BundleWriter final : public CheckpointWriter {
 public:
  BundleWriter(FileSystem& files, std::string prefix)
      : files_(files), prefix_(std::move(prefix)), dataPath_(bundleDataFile(prefix_, 0, 1)), temporary_(files_, dataPath_ + temporarySuffix()) {}

  Status open() {
    WEFT_TRY(files_.makeFolders(folderOf(prefix_)));
    WEFT_LET(data_, temporary_.create());
    return {};
  }

  Status add(const std::string& name, const Tensor& tensor) override {
    if (name.empty()) return invalidArgument("a tensor of a checkpoint needs a name");
    return addEntry(name, tensor);
  }

  Status addSlice(const std::string& name, const Shape& full, const TensorSlice& slice, const Tensor& part) override {
    WEFT_LET(const Shape expected, shapeOfSlice(full, slice));
    if (!(expected == part.shape()))
      return invalidArgument("slice ", sliceText(slice), " of ", name, " has shape ", expected.toString(), ", but the tensor has ", part.shape().toString());
    if (coversAll(slice, full)) return add(name, part);
    auto& entry = entries_[name];
    if (entry.dtype() != tensorflow::DT_INVALID) {
      WEFT_LET(const Shape before, shapeFromProto(entry.shape()));
      if (DType(entry.dtype()) != part.dtype() || !(before == full))
        return invalidArgument("slices of ", name, " differ: ", dtypeName(DType(entry.dtype())), " ", before.toString(), " and ", dtypeName(part.dtype()), " ",
                               full.toString());
    }
    entry.set_dtype(static_cast<tensorflow::DataType>(part.dtype()));
    shapeToProto(full, entry.mutable_shape());
    sliceToProto(slice, entry.add_slices());
    return addEntry(sliceKey(name, slice), part);
  }

  Status finish() override {
    if (!data_) return failedPrecondition("the checkpoint ", prefix_, " is finished already");
    const Status closed = data_->close();
    data_.reset();
    WEFT_TRY(closed);
    tensorflow::BundleHeaderProto header;
    header.set_num_shards(1);
    header.mutable_version()->set_producer(kBundleVersion);
    const std::string indexPath = bundleIndexFile(prefix_);
    TemporaryFile index(files_, indexPath + temporarySuffix());
    WEFT_TRY(writeIndexTo(index, header, entries_));
    OlderData older(files_);
    WEFT_TRY(older.moveAside(dataPath_));
    WEFT_TRY(temporary_.place(dataPath_));
    WEFT_TRY(index.place(indexPath));
    older.settle();
    return {};
  }

 private:
  Status addEntry(const std::string& key, const Tensor& tensor) {
    if (!data_) return failedPrecondition("the checkpoint ", prefix_, " is finished already");
    if (entries_.count(key)) return invalidArgument("Adding duplicate key: ", key);
    const DType dtype = tensor.dtype();
    const bool isText = dtype == DType::String, isVariant = dtype == DType::Variant;
    if (!isText && !isVariant && sizeOf(dtype) == 0) return unimplemented("a tensor of ", dtypeName(dtype), " cannot be saved: ", key);
    uint32_t crc = 0;
    std::string encoded;
    std::string_view bytes;
    if (isText || isVariant) {
      if (isText) {
        encoded = encodeBundleStrings(tensor, &crc);
      } else {
        WEFT_LET(encoded, encodeBundleVariants(tensor, &crc));
      }
      bytes = encoded;
      WEFT_TRY(data_->append(bytes));
    } else {
      bytes = {static_cast<const char*>(tensor.raw()), tensor.bytes()};
      WEFT_TRY(appendSummed(bytes, &crc));
    }
    auto& entry = entries_[key];
    entry.set_dtype(static_cast<tensorflow::DataType>(dtype));
    shapeToProto(tensor.shape(), entry.mutable_shape());
    entry.set_offset(offset_);
    entry.set_size(int64_t(bytes.size()));
    entry.set_crc32c(maskCrc(crc));
    offset_ += int64_t(bytes.size());
    return {};
  }

  /// Large values are written by one thread while another computes the checksum.
  Status appendSummed(std::string_view bytes, uint32_t* crc) {
    if (bytes.size() < kShared) {
      *crc = crc32c(bytes);
      return data_->append(bytes);
    }
    Status written;
    const KeepFloatMode mode;
    parallelFor(2, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        if (part == 0) written = data_->append(bytes);
        else *crc = crc32c(bytes);
      }
    });
    return written;
  }

  FileSystem& files_;
  const std::string prefix_, dataPath_;
  TemporaryFile temporary_;  // before data_, which is closed first
  std::unique_ptr<WritableFile> data_;
  int64_t offset_ = 0;
  std::map<std::string, tensorflow::BundleEntryProto> entries_;
};

}  // namespace

Result<std::unique_ptr<CheckpointWriter>> CheckpointWriter::create(const std::string& prefix, FileSystem* files) {
  auto writer = std::make_unique<BundleWriter>(files ? *files : posixFileSystem(), prefix);
  WEFT_TRY(writer->open());
  return std::unique_ptr<CheckpointWriter>(std::move(writer));
}

Status mergeCheckpoints(const std::vector<std::string>& prefixes, const std::string& merged, FileSystem* fileSystem) {
  FileSystem& files = fileSystem ? *fileSystem : posixFileSystem();
  WEFT_TRY(files.makeFolders(folderOf(merged)));
  tensorflow::BundleHeaderProto header;
  std::map<std::string, tensorflow::BundleEntryProto> entries;
  std::map<std::string, int> shardIds;  // old data file -> number in the merged checkpoint
  int shards = 0;
  for (const std::string& prefix : prefixes) {
    WEFT_LET(auto table, Table::open(files, bundleIndexFile(prefix)));
    tensorflow::BundleHeaderProto one;
    WEFT_TRY(table->forEach([&](std::string_view key, std::string_view value) -> Status {
      if (key.empty()) {
        if (!one.ParseFromArray(value.data(), int(value.size()))) return dataLoss("Failed to parse the header of ", prefix).ofKind("malformed");
        if (shards > 0 && one.endianness() != header.endianness()) return invalidArgument("Merging bundles with conflicting endianness; inputs corrupted?");
        shards += one.num_shards();
        header = one;
        return {};
      }
      tensorflow::BundleEntryProto entry;
      if (!entry.ParseFromArray(value.data(), int(value.size()))) return dataLoss("Entry of ", key, " in ", prefix, " not parseable").ofKind("malformed");
      const auto known = entries.find(std::string(key));
      if (known != entries.end()) {
        if (known->second.slices().empty()) return invalidArgument("Duplicate tensor keyed by ", key, " encountered, when merging prefix: ", prefix);
        known->second.mutable_slices()->MergeFrom(entry.slices());
        return {};
      }
      const auto [at, fresh] = shardIds.try_emplace(bundleDataFile(prefix, entry.shard_id(), one.num_shards()), int(shardIds.size()));
      entry.set_shard_id(at->second);
      entries.emplace(key, std::move(entry));
      return {};
    }));
  }
  header.set_num_shards(shards);
  const std::string indexPath = bundleIndexFile(merged);
  TemporaryFile index(files, indexPath + temporarySuffix());
  WEFT_TRY(writeIndexTo(index, header, entries));
  OlderData older(files);
  const auto placeOf = [&](int id) { return bundleDataFile(merged, id, int(shardIds.size())); };
  for (const auto& [path, id] : shardIds)
    if (path != placeOf(id)) WEFT_TRY(older.moveAside(placeOf(id)));
  for (const auto& [path, id] : shardIds) WEFT_TRY(files.rename(path, placeOf(id)));
  WEFT_TRY(index.place(indexPath));
  older.settle();
  for (const std::string& prefix : prefixes) (void)files.remove(bundleIndexFile(prefix));
  return {};
}

}  // namespace weft
