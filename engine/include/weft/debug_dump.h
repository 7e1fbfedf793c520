// Tensors that TensorFlow's debugger (tfdbg) dumped in a step: a folder with one per device, in it a file per tensor.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/debug.h"
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
  /// Later reads use these files. REQUIRES: no other thread uses the dump yet.
  void readWith(FileSystem& files) { files_ = &files; }

 private:
  std::vector<DumpedTensor> tensors_;
  FileSystem* files_ = nullptr;
};

/// Dumps every tensor of a run, with the graph of each device and what was fed and fetched, so that tf.debug's DebugDumpDir opens the folder. Pass it as
/// RunOptions::controller: the run then computes the graph as it is, op by op. Fed tensors are dumped under their own names. For one run.
class WEFT_API DumpWriter final : public StepController {
 public:
  /// Devices of nodes, as Session::placements() gives them; nodes that are not among them are on the first CPU.
  DumpWriter(std::string folder, const std::vector<Placement>& placements, FileSystem* files = nullptr);
  /// Creates the folder. ALREADY_EXISTS if it holds a dump: two steps would be mixed up.
  Status begin();
  /// Writes what is known after the run, also after one that failed. Returns the first error of all writing.
  Status finish(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets);
  int64_t dumps() const { return dumps_; }
  /// Tensors that the format cannot hold (variants), "NODE:SLOT".
  const std::set<std::string>& leftOut() const { return leftOut_; }

  void runBegins(const Graph& graph, std::span<const int> nodes) override;
  void fed(Output tensor, const Tensor& value) override;
  StepVerdict before(StepPoint&) override { return StepVerdict::Go; }
  StepVerdict after(StepPoint& point, const Status& status) override;
  void dead(const Node&, const std::vector<LoopPlace>&) override {}
  void runEnds(const Status&) override {}

 private:
  const std::string& deviceOf(const std::string& node) const;
  int64_t nextMicros();
  void dump(const std::string& node, int slot, const Tensor& value);
  Status writeEvent(const std::string& path, const std::string& bytes);
  Status writeGraphs();

  std::string folder_;
  FileSystem* files_ = nullptr;
  std::map<std::string, std::string> devices_;
  std::map<int, std::string> names_;
  std::set<std::string> madeFolders_, leftOut_;
  std::map<std::string, std::set<std::string>> nodes_;  ///< Per device, those of the run.
  std::string graph_;                                   ///< A serialised GraphDef.
  Status status_;
  int64_t lastMicros_ = 0, dumps_ = 0;
};

}  // namespace weft
