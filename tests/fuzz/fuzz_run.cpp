#include <cstdint>
#include <string>

#include "weft/graph.h"
#include "weft/session.h"

namespace {

/// Ops with external effects: files, folders, printing. A mutated name must not reach them.
bool leavesProcess(const std::string& op) {
  for (const char* part :
       {"File", "Save", "Restore", "Summary", "Print", "Checkpoint", "Reader", "TFRecord", "Dataset", "Lookup", "HashTable", "Debug", "Delete", "MergeV2"}) {
    if (op.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

/// Runs a mutated golden graph: all outputs of its last node together, then one by one. For any graph, a step ends within its timeout and memory limit, with
/// values or with an error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto bytes = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  auto loaded = weft::loadGraphBytes(bytes, "fuzz");
  if (!loaded.ok()) return 0;
  const weft::Graph& graph = loaded->meta.graph;
  if (graph.size() > 64) return 0;
  std::vector<std::vector<std::string>> fetches;
  for (int id = 0; id < graph.size(); ++id) {
    const weft::Node* n = graph.node(id);
    if (!n) continue;
    if (leavesProcess(n->op)) return 0;
    std::vector<std::string> outputs;
    for (int k = 0; k < int(n->outputTypes.size()); ++k) outputs.push_back(graph.tensorName({id, k}));
    if (!outputs.empty()) fetches.push_back(std::move(outputs));
  }
  weft::SessionOptions options;
  options.threads = 1;
  options.operationTimeoutMs = 2000;
  options.memoryLimitFraction = 0.02;
  auto session = weft::Session::create(graph, options);
  if (!session.ok()) return 0;
  for (auto f = fetches.rbegin(); f != fetches.rend(); ++f) (void)(*session)->run({}, *f);
  return 0;
}
