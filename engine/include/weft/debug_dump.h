// Tensors that TensorFlow's debugger (tfdbg) dumped in a step: a folder with one per device, in it a file per tensor.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/file_system.h"
#include "weft/session.h"
#include "weft/tensor.h"

namespace weft {

/// One dumped tensor.
struct DumpedTensor {
  std::string name;    ///< "NODE:SLOT", with the debug op unless it is DebugIdentity, and as far as others have that name, the device and a number: "w:0 #2".
  std::string device;  ///< "/job:localhost/replica:0/task:0/device:CPU:0"
  std::string node, op;
  int slot = 0;
  int64_t micros = 0;  ///< Since 1970.
  DType dtype = DType::Invalid;
  Shape shape;            ///< As the file states it.
  bool hasValue = false;  ///< False: it was not initialized, or its type has no values.
  int64_t bytes = 0;      ///< Of its file.
  std::string path;
};

/// The tensors in a dump, by time. Values are read on demand. Immutable; any thread.
class WEFT_API DebugDump {
 public:
  /// DATA_LOSS (kind "malformed" or "truncated") names a file that is no dump. `files` must outlive the dump.
  static Result<DebugDump> open(const std::string& folder, FileSystem* files = nullptr);
  const std::vector<DumpedTensor>& tensors() const { return tensors_; }
  /// FAILED_PRECONDITION if the tensor has no value.
  Result<Tensor> read(size_t index) const;

 private:
  std::vector<DumpedTensor> tensors_;
  FileSystem* files_ = nullptr;
};

}  // namespace weft
