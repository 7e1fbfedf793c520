#include <cstdint>
#include <string>

#include "memory_files.h"
#include "weft/inspect.h"
#include "weft/onnx.h"

/// An ONNX model is inspected, imported, and written again if that worked.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  MemoryFiles files;
  files.files["models/m.onnx"] = std::make_shared<std::string>(bytes);
  files.files["models/w.bin"] = std::make_shared<std::string>(64, 'w');
  weft::InspectOptions options;
  options.files = &files;
  (void)weft::inspectPath("models/m.onnx", options);
  const auto graph = weft::onnxToGraph(bytes, "models", &files);
  if (graph.ok()) (void)weft::graphToOnnx(*graph->serialized(), {{}, {}, 13 + int(size % 9)});
  return 0;
}
