#include <cstdint>

#include "weft/graph.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto bytes = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  const auto loaded = weft::loadGraphBytes(bytes, "fuzz");
  if (loaded.ok()) (void)weft::serializeGraph(loaded->meta, loaded->format);
  return 0;
}
