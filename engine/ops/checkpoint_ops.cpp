#include <cstdio>
#include <filesystem>
#include <set>

#include "ops/registry.h"
#include "weft/checkpoint.h"

// Ops that write and read checkpoints. As everywhere in TensorFlow, relative paths are relative to the working directory.
namespace weft {
namespace {

/// Scalars in, a scalar out.
Status scalarNames(ShapeContext& c) {
  for (int i = 0; i < c.inputCount(); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  c.setOutput(0, Shape());
  return {};
}

Result<std::string> oneString(const Tensor& t, const char* what) {
  if (t.elements() != 1) return invalidArgument("Input ", what, " should have a single element, got ", t.elements(), " instead.");
  return t.at<std::string>(0);
}

/// Checks that `names` and `slices` are vectors of `count` elements.
Status checkLists(const Tensor& names, const Tensor* slices, int64_t count) {
  if (names.rank() != 1) return invalidArgument("Input tensor_names should be an 1-D tensor, got ", names.shape().toString(), " instead.");
  if (names.elements() != count) return invalidArgument("Got ", names.elements(), " tensor names but ", count, " tensors.");
  if (!slices) return {};
  if (slices->rank() != 1) return invalidArgument("Input shape_and_slices should be an 1-D tensor, got ", slices->shape().toString(), " instead.");
  if (slices->elements() != count)
    return invalidArgument("tensor_names and shape_and_slices have different number of elements: ", names.elements(), " vs. ", slices->elements());
  return {};
}

/// The slice described by a spec, if `tensor` is one.
Result<ShapeAndSlice> sliceOf(const std::string& spec, const Tensor& tensor) {
  WEFT_LET(ShapeAndSlice parsed, parseShapeAndSlice(spec));
  if (!(parsed.part == tensor.shape()))
    return invalidArgument("Slice in shape_and_slice specification does not match the shape of the tensor to  save: ", spec,
                           ", tensor: ", tensor.shape().toString());
  return parsed;
}

Status saveV2(KernelContext& c) {
  WEFT_LET(const std::string prefix, oneString(c.input(0), "prefix"));
  const Tensor& names = c.input(1);
  const Tensor& specs = c.input(2);
  const int count = c.inputCount() - 3;
  WEFT_TRY(checkLists(names, &specs, count));
  WEFT_LET(auto writer, CheckpointWriter::create(prefix));
  for (int i = 0; i < count; ++i) {
    const Tensor& tensor = c.input(i + 3);
    const std::string& name = names.data<std::string>()[i];
    const std::string& spec = specs.data<std::string>()[i];
    if (spec.empty()) {
      WEFT_TRY(writer->add(name, tensor));
    } else {
      WEFT_LET(const ShapeAndSlice part, sliceOf(spec, tensor));
      WEFT_TRY(writer->addSlice(name, part.full, part.slice, tensor));
    }
  }
  return writer->finish();
}

Status restoreV2(KernelContext& c) {
  WEFT_LET(const std::string prefix, oneString(c.input(0), "prefix"));
  const Tensor& names = c.input(1);
  const Tensor& specs = c.input(2);
  WEFT_TRY(checkLists(names, &specs, c.outputCount()));
  WEFT_LET(auto reader, CheckpointReader::open(prefix));
  const auto types = c.node().attrs.list<DType>("dtypes");
  // Look up all names first, so that errors are found before any large tensor is read.
  for (int i = 0; i < c.outputCount(); ++i) {
    const std::string& name = names.data<std::string>()[i];
    const CheckpointEntry* entry = reader->find(name);
    if (!entry) return notFound("Key ", name, " not found in checkpoint");
    if (entry->dtype != types[size_t(i)])
      return invalidArgument("tensor_name = ", name, "; expected dtype ", dtypeShortName(types[size_t(i)]), " does not equal original dtype ",
                             dtypeShortName(entry->dtype));
  }
  for (int i = 0; i < c.outputCount(); ++i) {
    const std::string& name = names.data<std::string>()[i];
    const std::string& spec = specs.data<std::string>()[i];
    if (spec.empty()) {
      WEFT_LET(Tensor value, reader->read(name));
      c.setOutput(i, std::move(value));
      continue;
    }
    WEFT_LET(const ShapeAndSlice part, parseShapeAndSlice(spec));
    const Shape& stored = reader->find(name)->shape;
    if (!(stored == part.full))
      return invalidArgument("tensor_name = ", name, "; shape in shape_and_slice spec ", part.full.toString(),
                             " does not match the shape stored in checkpoint: ", stored.toString());
    WEFT_LET(Tensor value, reader->readSlice(name, part.slice));
    c.setOutput(i, std::move(value));
  }
  return {};
}

Status merge(KernelContext& c) {
  const Tensor& parts = c.input(0);
  if (parts.rank() != 1) return invalidArgument("Input checkpoint_prefixes should be an 1-D tensor, got ", parts.shape().toString(), " instead.");
  WEFT_LET(const std::string merged, oneString(c.input(1), "destination_prefix"));
  const std::vector<std::string> prefixes(parts.flat<std::string>().begin(), parts.flat<std::string>().end());
  WEFT_TRY(mergeCheckpoints(prefixes, merged));
  if (!c.node().attrs.flag("delete_old_dirs", true)) return {};
  namespace fs = std::filesystem;
  std::set<std::string> folders;
  for (const std::string& prefix : prefixes) folders.insert(fs::path(prefix).parent_path().string());
  folders.erase(fs::path(merged).parent_path().string());
  // A folder with other contents is kept.
  for (const std::string& folder : folders)
    if (!folder.empty()) (void)posixFileSystem().remove(folder);
  return {};
}

// The ops of version 1. Their files cannot mix strings with other dtypes; writeCheckpointV1() has the format's limits.
template <bool kSlices>
Status saveV1(KernelContext& c) {
  constexpr int kFirst = kSlices ? 3 : 2;
  WEFT_LET(const std::string path, oneString(c.input(0), "filename"));
  const Tensor& names = c.input(1);
  const Tensor* specs = kSlices ? &c.input(2) : nullptr;
  const int count = c.inputCount() - kFirst;
  WEFT_TRY(checkLists(names, specs, count));
  std::vector<V1Item> items;
  for (int i = 0; i < count; ++i) {
    V1Item item{names.data<std::string>()[i], c.input(i + kFirst), std::nullopt};
    if (specs && !specs->data<std::string>()[i].empty()) {
      WEFT_LET(ShapeAndSlice part, sliceOf(specs->data<std::string>()[i], item.tensor));
      item.slice = {part.full, part.slice};
    }
    items.push_back(std::move(item));
  }
  return writeCheckpointV1(path, items);
}

Status restoreV1(KernelContext& c) {
  WEFT_LET(const std::string pattern, oneString(c.input(0), "file_pattern"));
  WEFT_LET(const std::string name, oneString(c.input(1), "tensor_name"));
  std::string spec;
  if (c.inputCount() > 2) {
    WEFT_LET(spec, oneString(c.input(2), "shape_and_slice"));
  }
  const size_t shards = pattern.find("-\?\?\?\?\?-of-");
  WEFT_LET(auto reader, CheckpointReader::open(pattern.substr(0, shards)));
  const CheckpointEntry* entry = reader->find(name);
  if (!entry) return notFound("Tensor name \"", name, "\" not found in checkpoint files ", pattern);
  const DType wanted = c.node().attrs.type("dt");
  if (entry->dtype != wanted)
    return invalidArgument("Expected to restore a tensor of type ", dtypeShortName(wanted), ", got a tensor of type ", dtypeShortName(entry->dtype),
                           " instead: tensor_name = ", name);
  Tensor value;
  if (spec.empty()) {
    WEFT_LET(value, reader->read(name));
  } else {
    WEFT_LET(const ShapeAndSlice part, parseShapeAndSlice(spec));
    if (!(part.full == entry->shape))
      return invalidArgument("Shape in shape_and_slice spec does not match the shape in the save file: ", part.full.toString(),
                             ", save file shape: ", entry->shape.toString());
    WEFT_LET(value, reader->readSlice(name, part.slice));
  }
  c.setOutput(0, std::move(value));
  return {};
}

Status shardedFilename(KernelContext& c) {
  for (int i = 0; i < 3; ++i)
    if (!c.input(i).shape().isScalar()) return invalidArgument("basename, shard and num_shards must be scalars, got shape ", c.input(i).shape().toString());
  char tail[64];
  std::snprintf(tail, sizeof(tail), "-%05d-of-%05d", int(c.input(1).asInt(0)), int(c.input(2).asInt(0)));
  c.setOutput(0, Tensor::scalar(c.input(0).at<std::string>(0) + tail));
  return {};
}

Status shardedFilespec(KernelContext& c) {
  for (int i = 0; i < 2; ++i)
    if (!c.input(i).shape().isScalar()) return invalidArgument("basename and num_shards must be scalars, got shape ", c.input(i).shape().toString());
  char tail[64];
  std::snprintf(tail, sizeof(tail), "-\?\?\?\?\?-of-%05d", int(c.input(1).asInt(0)));
  c.setOutput(0, Tensor::scalar(c.input(0).at<std::string>(0) + tail));
  return {};
}

/// The specs determine the shapes of slices, if they are constant.
Status restoreShape(ShapeContext& c, int specsInput) {
  WEFT_TRY(c.requireRank(c.input(0), 0));
  const Tensor* specs = c.constant(specsInput);
  if (!specs) return {};
  if (specs->elements() != c.outputCount()) return invalidArgument("The number of shape_and_slice doesn't match tensor outputs.");
  for (int i = 0; i < c.outputCount(); ++i) {
    const std::string& spec = specs->data<std::string>()[i];
    if (spec.empty()) continue;
    WEFT_LET(ShapeAndSlice part, parseShapeAndSlice(spec));
    c.setOutput(i, part.part);
  }
  return {};
}

Status restoreV2Shape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  WEFT_TRY(c.merge(c.input(1), c.input(2)));
  return restoreShape(c, 2);
}

OpRecord& fileOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Checkpoints").summary(summary).noGradient("Files are not differentiable.");
}

}  // namespace

void registerCheckpoints(OpRegistry& ops) {
  constexpr const char* kSpecs = "For each tensor: empty, or the full tensor's shape and the slice's extent in it (\"6 2 0,2:-\").";
  fileOp(ops, "SaveV2", "Writes tensors to a checkpoint.")
      .input("prefix: string", "Checkpoint prefix: the path without .index and .data-…; a scalar.")
      .input("tensor_names: string", "One name per tensor; a vector.")
      .input("shape_and_slices: string", kSpecs)
      .input("tensors: list(dtypes)", "The tensors.")
      .attr("dtypes: list(type) >= 1")
      .stateful()
      .shape(shapes::none)
      .cpu({}, simpleKernel(saveV2));
  fileOp(ops, "RestoreV2", "Reads tensors from a checkpoint.")
      .input("prefix: string", "Checkpoint prefix: the path without .index and .data-…; a scalar.")
      .input("tensor_names: string", "Names of the tensors; a vector.")
      .input("shape_and_slices: string", kSpecs)
      .output("tensors: list(dtypes)", "The tensors.")
      .attr("dtypes: list(type) >= 1")
      .stateful()
      .shape(restoreV2Shape)
      .cpu({}, simpleKernel(restoreV2));
  fileOp(ops, "MergeV2Checkpoints", "Merges the checkpoints written by several shards into one.")
      .input("checkpoint_prefixes: string", "Prefixes of the shards' checkpoints; a vector.")
      .input("destination_prefix: string", "Prefix of the merged checkpoint; a scalar.")
      .attr("delete_old_dirs: bool = true", "Delete the shards' folders if they end up empty.")
      .stateful()
      .shape(shapes::none)
      .cpu({}, simpleKernel(merge));
  fileOp(ops, "Save", "Writes tensors to a V1 checkpoint.")
      .input("filename: string", "The file; a scalar.")
      .input("tensor_names: string", "One name per tensor; a vector.")
      .input("data: list(T)", "The tensors.")
      .attr("T: list(type) >= 1")
      .stateful()
      .shape(shapes::none)
      .cpu({}, simpleKernel(saveV1<false>));
  fileOp(ops, "SaveSlices", "Writes tensors, or slices of tensors, to a V1 checkpoint.")
      .input("filename: string", "The file; a scalar.")
      .input("tensor_names: string", "One name per tensor; a vector.")
      .input("shapes_and_slices: string", kSpecs)
      .input("data: list(T)", "The tensors.")
      .attr("T: list(type) >= 1")
      .stateful()
      .shape(shapes::none)
      .cpu({}, simpleKernel(saveV1<true>));
  fileOp(ops, "Restore", "Reads a tensor from a V1 checkpoint.")
      .input("file_pattern: string", "File name, or a pattern that matches all shards; a scalar.")
      .input("tensor_name: string", "Name of the tensor; a scalar.")
      .output("tensor: dt", "The tensor.")
      .attr("dt: type")
      .attr("preferred_shard: int = -1", "Shard to search first.")
      .stateful()
      .shape(shapes::unknown)
      .cpu({}, simpleKernel(restoreV1));
  fileOp(ops, "RestoreSlice", "Reads a slice of a tensor from a V1 checkpoint.")
      .input("file_pattern: string", "File name, or a pattern that matches all shards; a scalar.")
      .input("tensor_name: string", "Name of the tensor; a scalar.")
      .input("shape_and_slice: string", "Empty, or the full tensor's shape and the slice's extent in it (\"6 2 0,2:-\").")
      .output("tensor: dt", "The slice.")
      .attr("dt: type")
      .attr("preferred_shard: int = -1", "Shard to search first.")
      .stateful()
      .shape([](ShapeContext& c) { return restoreShape(c, 2); })
      .cpu({}, simpleKernel(restoreV1));
  fileOp(ops, "ShardedFilename", "File name of one shard: NAME-00000-of-00002.")
      .input("basename: string", "A scalar.")
      .input("shard: int32", "A scalar.")
      .input("num_shards: int32", "A scalar.")
      .output("filename: string", "A scalar.")
      .shape(scalarNames)
      .cpu({}, simpleKernel(shardedFilename));
  fileOp(ops, "ShardedFilespec", "Pattern that matches the files of all shards: NAME-\?\?\?\?\?-of-00002.")
      .input("basename: string", "A scalar.")
      .input("num_shards: int32", "A scalar.")
      .output("filename: string", "A scalar.")
      .shape(scalarNames)
      .cpu({}, simpleKernel(shardedFilespec));
  state(ops, OpRole::Save, Effect::File, "Save SaveSlices SaveV2");
  state(ops, OpRole::Restore, Effect::File, "Restore RestoreSlice RestoreV2");
  state(ops, OpRole::SaverFile, Effect::File, "MergeV2Checkpoints");
  state(ops, OpRole::SaverFile, Effect::None, "ShardedFilename ShardedFilespec");
}

}  // namespace weft
