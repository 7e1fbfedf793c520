#include <fnmatch.h>

#include <algorithm>
#include <map>

#include "base/crc32c.h"
#include "base/file_errors.h"
#include "base/table.h"
#include "base/temporary_file.h"
#include "io/checkpoint_reader.h"
#include "io/slices.h"
#include "proto/bundle.pb.h"
#include "proto/convert.h"

// A V1 checkpoint is one sorted table per file. The entry with the empty key lists the file's tensors and their slices; every other entry is one slice, stored
// as a TensorProto of typed values without dtype and shape.

namespace weft {
namespace {

constexpr size_t kLargestMessage = size_t(2147483647);  // of protocol buffers

int64_t valuesIn(const tensorflow::TensorProto& data, DType dtype) {
  switch (dtype) {
    case DType::Float: return data.float_val_size();
    case DType::Double: return data.double_val_size();
    case DType::Complex64: return data.scomplex_val_size() / 2;
    case DType::Complex128: return data.dcomplex_val_size() / 2;
    case DType::Int64: return data.int64_val_size();
    case DType::Bool: return data.bool_val_size();
    case DType::String: return data.string_val_size();
    case DType::Half:
    case DType::BFloat16: return data.half_val_size();
    case DType::UInt32: return data.uint32_val_size();
    case DType::UInt64: return data.uint64_val_size();
    default: return data.int_val_size();
  }
}

class V1Reader final : public CheckpointReader {
 public:
  explicit V1Reader(std::string prefix) { prefix_ = std::move(prefix); }

  Status open(FileSystem& files, std::vector<std::string> paths) {
    paths_ = std::move(paths);
    std::map<std::string, CheckpointEntry> found;
    for (size_t i = 0; i < paths_.size(); ++i) {
      Status status = openShard(files, i, &found);
      if (!status.ok()) {
        status.error().inFile(paths_[i]);
        return status;
      }
    }
    for (auto& [name, entry] : found) {
      if (entry.slices.size() == 1 && coversAll(entry.slices[0], entry.shape)) {
        whole_[name] = entry.slices[0];
        entry.slices.clear();
      }
      tensors_.push_back(std::move(entry));
    }
    return {};
  }

  int version() const override { return 1; }
  int shards() const override { return int(paths_.size()); }
  std::vector<std::string> dataFiles() const override { return paths_; }

  Result<Tensor> readSlice(const std::string& name, const TensorSlice& slice) const override {
    const CheckpointEntry* entry = find(name);
    if (!entry) return notFound("Tensor name \"", name, "\" not found in checkpoint files ", prefix_);
    WEFT_LET(const Shape shape, shapeOfSlice(entry->shape, slice));
    if (entry->slices.empty() && coversAll(slice, entry->shape)) return readStored(*entry, whole_.at(name));
    // The parts are read first: their size limits how large the declared shape may be.
    std::vector<TensorSlice> parts = entry->slices;
    if (parts.empty()) parts.push_back(whole_.at(name));
    std::vector<Tensor> tensors;
    int64_t held = 0, copied = 0;
    std::erase_if(parts, [&](const TensorSlice& part) { return !overlaps(part, slice); });
    for (const TensorSlice& part : parts) {
      WEFT_LET(Tensor stored, readStored(*entry, part));
      held += stored.elements();
      tensors.push_back(std::move(stored));
    }
    const auto insufficient = [&] {
      return notFound("Does not have sufficient slice for partitioned tensor ", name, " to restore in slice_spec: ", sliceText(slice)).ofKind("invalid_tensor");
    };
    if (held < shape.elements()) return insufficient();
    WEFT_LET(Tensor out, Tensor::allocate(entry->dtype, shape));
    for (size_t i = 0; i < parts.size(); ++i) copied += copyCommon(entry->shape, tensors[i], parts[i], out, slice);
    if (copied < out.elements()) return insufficient();
    return out;
  }

  Status verify() const override {
    for (const CheckpointEntry& entry : tensors_) WEFT_TRY(read(entry.name));
    return {};
  }

 private:
  Status openShard(FileSystem& files, size_t shard, std::map<std::string, CheckpointEntry>* found) {
    WEFT_LET(auto table, Table::open(files, paths_[shard]));
    WEFT_LET(const std::optional<std::string> directory, table->get(""));
    tensorflow::SavedTensorSlices saved;
    if (!directory || !saved.ParseFromString(*directory) || !saved.has_meta())
      return damaged(directory ? "malformed" : "unrecognized",
                     "Failed to find the saved tensor slices at the beginning of the checkpoint file: ", paths_[shard]);
    const auto& versions = saved.meta().versions();
    if (versions.min_consumer() > 0)
      return invalidArgument("Checkpoint min consumer version ", versions.min_consumer(), " above current version 0 for Weft").ofKind("unsupported_version");
    for (const auto& meta : saved.meta().tensor()) {
      const DType dtype = DType(meta.type());
      if (!isKnown(dtype) || isRef(dtype)) return damaged("invalid_tensor", meta.name(), " has dtype ", int(meta.type()), ", which is none of a tensor");
      auto shape = shapeFromProto(meta.shape());
      if (!shape.ok()) return damaged("invalid_tensor", meta.name(), ": ", shape.error().message);
      if (shape->elements() < 0) return damaged("invalid_tensor", meta.name(), " has shape ", shape->toString(), ", which is not fully known");
      auto [at, fresh] = found->try_emplace(meta.name(), CheckpointEntry{meta.name(), dtype, *shape, {}});
      if (!fresh && (at->second.dtype != dtype || !(at->second.shape == *shape)))
        return damaged("invalid_tensor", meta.name(), " has another dtype or shape in another file");
      for (const auto& proto : meta.slice()) {
        WEFT_LET(TensorSlice slice, sliceFromProto(proto));
        if (auto part = shapeOfSlice(*shape, slice); !part.ok()) return damaged("invalid_tensor", meta.name(), ": ", part.error().message);
        where_[sliceKey(meta.name(), slice)] = shard;
        at->second.slices.push_back(std::move(slice));
      }
    }
    tables_.push_back(std::move(table));
    return {};
  }

  Result<Tensor> readStored(const CheckpointEntry& entry, const TensorSlice& slice) const {
    const std::string key = sliceKey(entry.name, slice);
    WEFT_LET(const std::optional<std::string> value, tables_[where_.at(key)]->get(key));
    tensorflow::SavedTensorSlices saved;
    if (!value) return damaged("malformed", "slice ", sliceText(slice), " of ", entry.name, " is listed but not there");
    if (!saved.ParseFromString(*value)) return damaged("malformed", "slice ", sliceText(slice), " of ", entry.name, " cannot be parsed");
    WEFT_LET(const Shape shape, shapeOfSlice(entry.shape, slice));
    tensorflow::TensorProto* data = saved.mutable_data()->mutable_data();
    if (data->tensor_content().empty() && valuesIn(*data, entry.dtype) < shape.elements())
      return damaged("invalid_tensor", entry.name, " has ", valuesIn(*data, entry.dtype), " values, expected ", shape.elements());
    data->set_dtype(static_cast<tensorflow::DataType>(entry.dtype));
    shapeToProto(shape, data->mutable_tensor_shape());
    return tensorFromProto(*data);
  }

  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::map<std::string, size_t> where_;       // key of a slice -> file
  std::map<std::string, TensorSlice> whole_;  // how a tensor's only slice is written
};

}  // namespace

std::vector<std::string> filesOfV1(FileSystem& files, const std::string& pattern) {
  if (auto info = files.stat(pattern); info.ok() && !info->isFolder) return {pattern};
  const std::string folder = folderOf(pattern), name = fileNameOf(pattern);
  auto names = files.list(folder);
  std::vector<std::string> out;
  if (!names.ok() || name.empty()) return out;
  const bool wild = name.find_first_of("*?[") != std::string::npos;
  const std::string shards = wild ? name : name + "-\?\?\?\?\?-of-\?\?\?\?\?";
  for (const std::string& n : *names)
    if (fnmatch(shards.c_str(), n.c_str(), 0) == 0) out.push_back(folder == "." && pattern.compare(0, 2, "./") != 0 ? n : joinPath(folder, n));
  return out;
}

Result<std::unique_ptr<CheckpointReader>> openCheckpointV1(FileSystem& files, const std::string& pattern) {
  std::vector<std::string> paths = filesOfV1(files, pattern);
  if (paths.empty()) return notFound("Unsuccessful TensorSliceReader constructor: Failed to find any matching files for ", pattern).ofKind("not_found");
  auto reader = std::make_unique<V1Reader>(pattern);
  WEFT_TRY(reader->open(files, std::move(paths)));
  return std::unique_ptr<CheckpointReader>(std::move(reader));
}

Status writeV1Parts(const std::string& path, std::span<const V1Part> parts, const std::function<Result<Tensor>(size_t part)>& read, FileSystem& files) {
  tensorflow::SavedTensorSlices directory;
  std::map<std::string, size_t> order;  // key of a slice -> part
  std::map<std::string, int> listed;
  std::vector<TensorSlice> slices;
  for (const V1Part& part : parts) {
    const DType dtype = part.dtype;
    if (dtype == DType::BFloat16 || dtype == DType::UInt32 || dtype == DType::UInt64 || dtype == DType::Resource || dtype == DType::Variant)
      return unimplemented("Saving data type ", dtypeShortName(dtype), " not yet supported");
    TensorSlice slice = part.slice;
    if (slice.empty()) slice.resize(size_t(part.full.rank()));
    auto [at, fresh] = listed.try_emplace(part.name, directory.meta().tensor_size());
    auto* meta = fresh ? directory.mutable_meta()->add_tensor() : directory.mutable_meta()->mutable_tensor(at->second);
    if (fresh) {
      meta->set_name(part.name);
      shapeToProto(part.full, meta->mutable_shape());
      meta->set_type(static_cast<tensorflow::DataType>(dtype));
    }
    sliceToProto(slice, meta->add_slice());
    if (!order.emplace(sliceKey(part.name, slice), slices.size()).second) return invalidArgument("Adding duplicate key: ", part.name);
    slices.push_back(std::move(slice));
  }
  directory.mutable_meta()->mutable_versions()->set_producer(1);
  WEFT_TRY(files.makeFolders(folderOf(path)));
  TemporaryFile temporary(files, path + temporarySuffix());
  WEFT_LET(auto file, temporary.create());
  TableBuilder table(file.get());
  WEFT_TRY(table.add("", directory.SerializeAsString()));
  for (const auto& [key, part] : order) {
    tensorflow::SavedTensorSlices one;
    auto* data = one.mutable_data();
    data->set_name(parts[part].name);
    sliceToProto(slices[part], data->mutable_slice());
    {
      WEFT_LET(const Tensor tensor, read(part));
      WEFT_TRY(tensorToProto(tensor, TensorForm::Fields, data->mutable_data()));
    }
    data->mutable_data()->clear_tensor_shape();
    data->mutable_data()->clear_dtype();
    if (one.ByteSizeLong() > kLargestMessage)
      return unimplemented(parts[part].name, " is larger than the 2 GB that a tensor of a version 1 checkpoint can have: save it in parts");
    WEFT_TRY(table.add(key, one.SerializeAsString()));
  }
  WEFT_TRY(table.finish());
  WEFT_TRY(file->sync());
  WEFT_TRY(file->close());
  return temporary.place(path);
}

Status writeCheckpointV1(const std::string& path, std::span<const V1Item> items, FileSystem* fileSystem) {
  std::vector<V1Part> parts;
  for (const V1Item& item : items)
    parts.push_back({item.name, item.tensor.dtype(), item.slice ? item.slice->first : item.tensor.shape(), item.slice ? item.slice->second : TensorSlice{}});
  const auto read = [&](size_t part) -> Result<Tensor> { return items[part].tensor; };
  return writeV1Parts(path, parts, read, fileSystem ? *fileSystem : posixFileSystem());
}

}  // namespace weft
