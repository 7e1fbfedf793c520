#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/file_system.h"
#include "weft/tensor.h"

namespace weft {

/// A slice's extent along one dimension. Length -1: the whole dimension; `start` is then 0.
struct SliceExtent {
  int64_t start = 0;
  int64_t length = -1;
  bool isFull() const { return length < 0; }
  bool operator==(const SliceExtent&) const = default;
};
using TensorSlice = std::vector<SliceExtent>;

/// A `shape_and_slices` string of the save and restore ops: "4 100 0,2:-" is rows 0 and 1 of a [4,100] tensor.
struct ShapeAndSlice {
  Shape full;
  TensorSlice slice;
  Shape part;  ///< Shape of the slice.
};
/// Parses a non-empty string. Errors in TensorFlow's words.
WEFT_API Result<ShapeAndSlice> parseShapeAndSlice(std::string_view text);
/// Shape of a slice of a tensor of shape `full`. INTERNAL if it does not fit.
WEFT_API Result<Shape> shapeOfSlice(const Shape& full, const TensorSlice& slice);

/// One tensor of a checkpoint.
struct CheckpointEntry {
  std::string name;
  DType dtype = DType::Invalid;
  Shape shape;
  std::vector<TensorSlice> slices;  ///< The parts that it was saved in; empty: saved whole.
};

/// Reads a checkpoint of either version: V2 (PREFIX.index and PREFIX.data-?????-of-?????) or V1 (one file or PREFIX-?????-of-?????).
/// Thread-safe once open. Data files are opened when first needed, so an index alone can be browsed.
class WEFT_API CheckpointReader {
 public:
  virtual ~CheckpointReader() = default;
  /// NOT_FOUND in TensorFlow's words if neither exists; DATA_LOSS for damaged files. `files` (not owned) defaults to the machine's.
  static Result<std::unique_ptr<CheckpointReader>> open(const std::string& prefix, FileSystem* files = nullptr);

  virtual int version() const = 0;  ///< 1 or 2
  virtual int shards() const = 0;
  const std::string& prefix() const { return prefix_; }
  const std::vector<CheckpointEntry>& tensors() const { return tensors_; }  ///< Sorted by name.
  const CheckpointEntry* find(std::string_view name) const;

  /// The whole tensor, assembled if it was saved in parts. NOT_FOUND "Key … not found in checkpoint".
  Result<Tensor> read(const std::string& name) const;
  /// A part of the tensor. What was stored as one is read as one, because one checksum covers it: to cut a tensor in many parts, read it once.
  virtual Result<Tensor> readSlice(const std::string& name, const TensorSlice& slice) const = 0;
  /// Paths of all data files, whether they exist or not.
  virtual std::vector<std::string> dataFiles() const = 0;
  /// Size of a tensor: elements times width. For strings the sum of their lengths, which requires reading them.
  Result<uint64_t> bytesOf(const CheckpointEntry& entry) const;
  /// Reads everything and compares checksums. Nothing is kept.
  virtual Status verify() const = 0;

 protected:
  std::string prefix_;
  std::vector<CheckpointEntry> tensors_;
};

/// Writes a V2 checkpoint of one shard, byte for byte as TensorFlow's writer does. Added values go to a temporary data file. finish() puts both
/// files in place, the index last. A writer destroyed without finish() leaves no files. Not thread-safe.
class WEFT_API CheckpointWriter {
 public:
  /// Creates the folder of `prefix` if needed.
  static Result<std::unique_ptr<CheckpointWriter>> create(const std::string& prefix, FileSystem* files = nullptr);
  virtual ~CheckpointWriter() = default;
  virtual Status add(const std::string& name, const Tensor& tensor) = 0;
  /// Adds a part of the tensor `name` of shape `full`. A part that is the whole tensor is stored as a whole tensor.
  virtual Status addSlice(const std::string& name, const Shape& full, const TensorSlice& slice, const Tensor& part) = 0;
  virtual Status finish() = 0;
};

/// An item of a V1 checkpoint: a whole tensor, or a part of one.
struct V1Item {
  std::string name;
  Tensor tensor;
  std::optional<std::pair<Shape, TensorSlice>> slice;  ///< Full shape, and the position of `tensor` in it.
};
/// Writes one V1 checkpoint file as the Save op of old graphs does. UNIMPLEMENTED for types that V1 cannot hold, such as bfloat16.
WEFT_API Status writeCheckpointV1(const std::string& path, std::span<const V1Item> items, FileSystem* files = nullptr);

/// Merges the checkpoints `prefixes` (one per shard): renames their data files, writes one index, deletes theirs.
WEFT_API Status mergeCheckpoints(const std::vector<std::string>& prefixes, const std::string& merged, FileSystem* files = nullptr);
/// Deletes all files of a checkpoint, and PREFIX.meta and PREFIX.weft-state if they exist.
WEFT_API Status removeCheckpoint(const std::string& prefix, FileSystem* files = nullptr);
/// Waits until all files of a checkpoint are on the disk.
WEFT_API Status syncCheckpoint(const std::string& prefix, FileSystem* files = nullptr);
/// Whether PREFIX names a checkpoint of either version.
WEFT_API bool checkpointExists(const std::string& prefix, FileSystem* files = nullptr);

/// The contents of a folder's `checkpoint` file. Paths are prefixes, absolute or relative to the folder.
struct CheckpointState {
  std::string latest;
  std::vector<std::string> all;    ///< Oldest first.
  std::vector<double> timestamps;  ///< Seconds since 1970, one for each of `all`, or empty.
  double lastPreserved = 0;
};
WEFT_API Result<CheckpointState> parseCheckpointState(std::string_view text);
WEFT_API Result<CheckpointState> readCheckpointState(const std::string& folder, const std::string& fileName = "checkpoint", FileSystem* files = nullptr);
/// Replaces the file in one step, after what it names is on the disk. If `relative`, paths below `folder` are stored relative to it.
WEFT_API Status writeCheckpointState(const std::string& folder, const CheckpointState& state, bool relative = false, const std::string& fileName = "checkpoint",
                                     FileSystem* files = nullptr);
/// The prefix that a stored path refers to: the path itself, the path below the folder, or if neither exists, its last part beside the state file.
WEFT_API std::optional<std::string> resolveCheckpoint(const std::string& folder, const std::string& stored, FileSystem* files = nullptr);
/// The newest checkpoint of a folder, as tf.train.latest_checkpoint.
WEFT_API std::optional<std::string> latestCheckpoint(const std::string& folder, const std::string& fileName = "checkpoint", FileSystem* files = nullptr);

/// Decides which checkpoints are kept, as tf.train.Saver(max_to_keep, keep_checkpoint_every_n_hours).
class WEFT_API CheckpointKeeper {
 public:
  /// `now`: seconds since 1970. maxToKeep 0: all are kept and none is listed.
  CheckpointKeeper(int maxToKeep, double keepEveryHours, double now);
  void setCheckpoints(std::vector<std::pair<std::string, double>> prefixesAndTimes) { last_ = std::move(prefixesAndTimes); }
  /// Records a new checkpoint. Returns the one to delete now, if any.
  std::optional<std::string> record(const std::string& prefix, double now);
  /// The checkpoints for the `checkpoint` file, oldest first.
  const std::vector<std::pair<std::string, double>>& checkpoints() const { return last_; }

 private:
  int maxToKeep_;
  double keepEverySeconds_, nextKept_;
  std::vector<std::pair<std::string, double>> last_;
};

}  // namespace weft
