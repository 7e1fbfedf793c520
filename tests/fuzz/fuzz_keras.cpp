// A Keras model of any bytes is rebuilt as a graph or refused.
#include <cstdint>

#include "weft/keras.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)weft::kerasToGraph(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
