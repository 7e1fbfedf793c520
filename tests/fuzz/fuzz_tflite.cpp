#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weft/defects.h"
#include "weft/tflite.h"

/// A TensorFlow Lite model that is opened as a graph, and written again as a model.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)weft::readTfliteTensors(bytes);
  const auto model = weft::tfliteToGraph(bytes);
  if (!model.ok()) return 0;
  (void)weft::openGraphBytes(std::make_shared<const std::string>(*model->serialized()), "m");
  (void)weft::graphToTflite(*model->serialized(), {});
  return 0;
}
