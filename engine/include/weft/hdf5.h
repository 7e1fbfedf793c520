#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/file_system.h"
#include "weft/tensor.h"

namespace weft {

/// A dataset of an HDF5 file by its path: "dense/dense/kernel:0".
struct Hdf5Dataset {
  std::string name;
  std::string dtype;  ///< "float32", "string", …; "unknown" for types that no tensor can hold.
  Shape shape;
};

/// Reads the datasets of HDF5 files as Keras and h5py write them: integers, floating point, booleans and strings; contiguous, compact or chunked;
/// with gzip, shuffle and checksums. The file's bytes stay in memory; values are decoded on request. Thread-safe.
class WEFT_API Hdf5Reader {
 public:
  virtual ~Hdf5Reader() = default;
  /// Errors have the kinds truncated, malformed, out_of_range, unsupported.
  static Result<std::unique_ptr<Hdf5Reader>> open(const std::string& path, FileSystem* files = nullptr);
  static Result<std::unique_ptr<Hdf5Reader>> fromBytes(std::shared_ptr<const std::string> bytes);
  /// Sorted by path.
  const std::vector<Hdf5Dataset>& datasets() const { return datasets_; }
  /// REQUIRES: index < datasets().size().
  virtual Result<Tensor> read(size_t index) const = 0;

 protected:
  std::vector<Hdf5Dataset> datasets_;
};

}  // namespace weft
