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

/// Where a part of a tensor lies along one dimension; length -1: from `start` (then 0) to the end.
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
/// Of a string that is not empty; errors in TensorFlow's words.
WEFT_API Result<ShapeAndSlice> parseShapeAndSlice(std::string_view text);
/// Shape of a slice of a tensor of shape `full`. INTERNAL if it does not fit.
WEFT_API Result<Shape> shapeOfSlice(const Shape& full, const TensorSlice& slice);

/// One tensor of a checkpoint.
struct CheckpointEntry {
  std::string name;
  DType dtype = DType::Invalid;
  Shape shape;
  std::vector<TensorSlice> slices;  ///< The parts that it was saved in; empty: as a whole.
};

/// Reads a checkpoint of either version: V2 (PREFIX.index and PREFIX.data-?????-of-?????) or V1 (one file or PREFIX-?????-of-?????).
/// Thread-safe once open. Data files are opened when first needed, so an index alone can be browsed.
class WEFT_API CheckpointReader {
 public:
  virtual ~CheckpointReader() = default;
  /// NOT_FOUND in TensorFlow's words if there is neither; DATA_LOSS for damaged files. `files` (not owned) defaults to the machine's.
  static Result<std::unique_ptr<CheckpointReader>> open(const std::string& prefix, FileSystem* files = nullptr);

  virtual int version() const = 0;  ///< 1 or 2
  virtual int shards() const = 0;
  const std::string& prefix() const { return prefix_; }
  const std::vector<CheckpointEntry>& tensors() const { return tensors_; }  ///< Sorted by name.
  const CheckpointEntry* find(std::string_view name) const;

  /// The whole tensor, put together if it was saved in parts. NOT_FOUND "Key … not found in checkpoint".
  Result<Tensor> read(const std::string& name) const;
  /// A part of it.
  virtual Result<Tensor> readSlice(const std::string& name, const TensorSlice& slice) const = 0;
  /// Paths of all data files, there or not.
  virtual std::vector<std::string> dataFiles() const = 0;
  /// Bytes that a tensor takes: elements x width; of strings the sum of their lengths, which means reading them.
  Result<uint64_t> bytesOf(const CheckpointEntry& entry) const;
  /// Reads everything and compares checksums, without keeping it.
  virtual Status verify() const = 0;

 protected:
  std::string prefix_;
  std::vector<CheckpointEntry> tensors_;
};

/// Writes a V2 checkpoint of one shard, byte for byte as TensorFlow's writer does. Values go to a temporary data file as they are added;
/// finish() puts both files in place, the index last. A writer that ends without finish() leaves nothing. Not thread-safe.
class WEFT_API CheckpointWriter {
 public:
  /// Makes the folder of `prefix` if it is not there.
  static Result<std::unique_ptr<CheckpointWriter>> create(const std::string& prefix, FileSystem* files = nullptr);
  virtual ~CheckpointWriter() = default;
  virtual Status add(const std::string& name, const Tensor& tensor) = 0;
  /// A part of the tensor `name` of shape `full`; a part that is the whole is stored as one.
  virtual Status addSlice(const std::string& name, const Shape& full, const TensorSlice& slice, const Tensor& part) = 0;
  virtual Status finish() = 0;
};

/// What is written to a V1 checkpoint: a whole tensor, or a part of one.
struct V1Item {
  std::string name;
  Tensor tensor;
  std::optional<std::pair<Shape, TensorSlice>> slice;  ///< Full shape and where `tensor` lies in it.
};
/// Writes one V1 checkpoint file as the Save op of old graphs does. UNIMPLEMENTED for bfloat16 and the like, which V1 cannot hold.
WEFT_API Status writeCheckpointV1(const std::string& path, std::span<const V1Item> items, FileSystem* files = nullptr);

/// Joins the checkpoints `prefixes` (one per shard) into one: renames their data files, writes one index, deletes theirs.
WEFT_API Status mergeCheckpoints(const std::vector<std::string>& prefixes, const std::string& merged, FileSystem* files = nullptr);
/// Deletes all files of a checkpoint, and PREFIX.meta and PREFIX.weft-state if they are there.
WEFT_API Status removeCheckpoint(const std::string& prefix, FileSystem* files = nullptr);
/// Waits until all files of a checkpoint are on the disk.
WEFT_API Status syncCheckpoint(const std::string& prefix, FileSystem* files = nullptr);
/// Whether PREFIX names a checkpoint of either version.
WEFT_API bool checkpointExists(const std::string& prefix, FileSystem* files = nullptr);

/// What a folder's `checkpoint` file says. Paths are prefixes, absolute or relative to the folder.
struct CheckpointState {
  std::string latest;
  std::vector<std::string> all;    ///< Oldest first.
  std::vector<double> timestamps;  ///< Seconds since 1970, one for each of `all`, or empty.
  double lastPreserved = 0;
};
WEFT_API Result<CheckpointState> parseCheckpointState(std::string_view text);
WEFT_API Result<CheckpointState> readCheckpointState(const std::string& folder, const std::string& fileName = "checkpoint", FileSystem* files = nullptr);
/// Replaces the file in one step, once what it names is on the disk. Paths below `folder` are stored relative to it if `relative`.
WEFT_API Status writeCheckpointState(const std::string& folder, const CheckpointState& state, bool relative = false, const std::string& fileName = "checkpoint",
                                     FileSystem* files = nullptr);
/// The prefix that a stored path leads to: as it stands, below the folder, or, if dead, its last part beside the state file.
WEFT_API std::optional<std::string> resolveCheckpoint(const std::string& folder, const std::string& stored, FileSystem* files = nullptr);
/// The newest checkpoint of a folder, as tf.train.latest_checkpoint.
WEFT_API std::optional<std::string> latestCheckpoint(const std::string& folder, const std::string& fileName = "checkpoint", FileSystem* files = nullptr);

/// Decides which checkpoints stay, as tf.train.Saver(max_to_keep, keep_checkpoint_every_n_hours).
class WEFT_API CheckpointKeeper {
 public:
  /// `now`: seconds since 1970. maxToKeep 0: all stay and none is listed.
  CheckpointKeeper(int maxToKeep, double keepEveryHours, double now);
  void setCheckpoints(std::vector<std::pair<std::string, double>> prefixesAndTimes) { last_ = std::move(prefixesAndTimes); }
  /// Takes note of a new checkpoint; returns the one to delete now, if any.
  std::optional<std::string> record(const std::string& prefix, double now);
  /// Those that a `checkpoint` file lists, oldest first.
  const std::vector<std::pair<std::string, double>>& checkpoints() const { return last_; }

 private:
  int maxToKeep_;
  double keepEverySeconds_, nextKept_;
  std::vector<std::pair<std::string, double>> last_;
};

}  // namespace weft
