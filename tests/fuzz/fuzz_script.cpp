#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/script.h"

namespace {

namespace fs = std::filesystem;

/// A private folder of this process, used as working directory, so that files written by a script stay in it.
const fs::path& folder() {
  static const fs::path made = [] {
    std::string pattern = (fs::temp_directory_path() / "weft-fuzz-XXXXXX").string();
    if (!mkdtemp(pattern.data())) std::abort();
    fs::current_path(pattern);
    return fs::path(pattern);
  }();
  return made;
}

/// Ops that reach files anywhere; a mutated name must not.
bool reachesFiles(std::string_view graph) {
  for (const char* part : {"File", "Save", "Restore", "Summary", "Checkpoint", "Reader", "Dataset", "Table", "Delete", "Print"}) {
    if (graph.find(part) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

/// A mutated script case: the text of script.json, a zero byte, graph.pb.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* zero = std::find(data, data + size, uint8_t(0));
  if (zero == data + size) return 0;
  const std::string_view graph(reinterpret_cast<const char*>(zero + 1), size_t(data + size - zero - 1));
  if (reachesFiles(graph)) return 0;
  std::ofstream(folder() / "script.json", std::ios::binary).write(reinterpret_cast<const char*>(data), zero - data);
  std::ofstream(folder() / "graph.pb", std::ios::binary).write(graph.data(), std::streamsize(graph.size()));
  const auto script = weft::cli::Script::read("script.json");
  if (!script.ok()) return 0;
  weft::SessionOptions options;
  options.threads = 1;
  options.operationTimeoutMs = 2000;
  options.memoryLimitFraction = 0.02;
  (void)script->run(options);
  return 0;
}
